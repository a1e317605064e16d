// Where a body's parts lie in the data directory: <conversation>/<session>/<entry>/<number>, names in base64url.

import Relay
import Wire

struct BodyFiles: Sendable {
    let root: String

    /// Starts the name of everything that is not yet there or no longer there; swept away at the next start.
    static let unfinishedMark: Character = "~"

    func directory(_ conversation: ConversationID) -> String { "\(root)/\(conversation.base64URL)" }
    func directory(_ session: SessionID, in conversation: ConversationID) -> String { "\(directory(conversation))/\(session.base64URL)" }
    func directory(_ attachment: AttachmentName) -> String { "\(directory(attachment.session, in: attachment.conversation))/\(attachment.entry.base64URL)" }
    func part(_ part: PartName) -> String { "\(directory(part.attachment))/\(part.number)" }
    func unfinished(_ part: PartName, ordinal: Int) -> String { "\(directory(part.attachment))/\(Self.unfinishedMark)\(part.number).\(ordinal)" }
    func erased(ordinal: Int) -> String { "\(root)/\(Self.unfinishedMark)erased.\(ordinal)" }
}
