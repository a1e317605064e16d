// Whether an erasure takes an attachment with it.

import Relay

extension RelayErasure {
    func covers(_ attachment: AttachmentName) -> Bool {
        switch self {
        case .attachment(let name): name == attachment
        case .session(let session, let conversation): attachment.session == session && attachment.conversation == conversation
        case .conversation(let conversation): attachment.conversation == conversation
        }
    }
}
