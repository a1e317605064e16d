// What a failure means for whoever typed the command: an exit code of its own kind, and what to do.

import Conversations
import Transports
import Wire

extension Program.Complaint {
    static let interrupted = Self(exit: .interrupted, text: "Interrupted.")

    static func unreachable(_ origin: String) -> Self {
        let proxy = RelayAddress.proxyName(for: origin).map { ", by way of the proxy \($0)," } ?? ""
        return Self(exit: .unavailable, text: "The relay at \(origin)\(proxy) cannot be reached. `hearth check \(origin)` finds out what stands in the way.")
    }

    /// - Parameter origin: of the relay.
    init(_ error: ConversationError, at origin: String) {
        let amounts = error.limit.flatMap { limit in error.value.map { (limit, $0) } }
        func sizes(_ text: String) -> String { amounts.map { "\(text): \(Amounts.bytes($0.1)), where \(Amounts.bytes($0.0)) is the limit." } ?? "\(text)." }
        func counts(_ text: String) -> String { amounts.map { "\(text): \($0.1), where \($0.0) is the limit." } ?? "\(text)." }
        switch error.code {
        case .relayUnreachable: self = .unreachable(origin)
        case .unknownConversation:
            self.init(exit: .unknownConversation, text: "There is no such conversation at \(origin): it has ended, since everybody left, or the link is damaged. `hearth invite` makes a new one.")
        case .notInvited: self.init(exit: .notInvited, text: "The link does not open this conversation: its secret is another one. Have the link sent again, all of it.")
        case .conversationEnded, .sessionInvalidated, .unknownSession: self.init(exit: .ended, text: "Somebody has ended it, for everyone.")
        case .conversationFull: self.init(exit: .conversationFull, text: "The conversation is full, or the relay holds as many conversations as it may.")
        case .locked: self.init(exit: .notLetIn, text: "The people in the conversation let nobody else in just now. Ask one of them to unlock it.")
        case .invitationEnded: self.init(exit: .notLetIn, text: "The link has ended. Ask somebody who is in the conversation for a later end.")
        case .declined: self.init(exit: .notLetIn, text: "Somebody in the conversation did not let you in.")
        case .notAnswered: self.init(exit: .notLetIn, text: "Nobody in the conversation answered within two minutes. Try again, or tell one of them that you wait.")
        case .tooManyWaiting: self.init(exit: .tryAgain, text: "Too many wait to be let in. Try again in a minute.")
        case .cannotResume: self.init(exit: .tryAgain, text: "The connection was away for too long, and the place was given up. Try again.")
        case .conversationQuota: self.init(exit: .quota, text: sizes("The conversation would be larger than the relay allows") + " Remove photos, or raise its quota.")
        case .relayQuota: self.init(exit: .quota, text: sizes("The relay holds as much as it may") + " Its operator can raise the quota.")
        case .tooManyEntries: self.init(exit: .quota, text: counts("Too many photos for one session"))
        case .tooManySessions: self.init(exit: .quota, text: counts("Too many activities run in the conversation"))
        case .storageFailed: self.init(exit: .tryAgain, text: "The relay's disk did not take it; its operator finds more in its log. Trying again later may work.")
        case .attachmentTooLarge: self.init(exit: .refusedFile, text: sizes("The file is too large"))
        case .messageTooLarge: self.init(exit: .refusedFile, text: sizes("The message is too large"))
        case .metadataTooLarge, .entryTooLarge: self.init(exit: .refusedFile, text: sizes("What is said about it is too large"))
        case .nameTooLong: self.init(exit: .usage, text: sizes("The name is too long"))
        case .removed: self.init(exit: .notFound, text: "It has been removed.")
        case .tampered, .malformed: self.init(exit: .tampered, text: "What came is not what was sealed: the relay, or something before it, has changed it. Nothing of it was kept.")
        case .unsupportedVersion: self.init(exit: .tampered, text: "The relay at \(origin) speaks another version of the protocol. One of the two is too old.")
        case .sourceChanged: self.init(exit: .cannotRead, text: "The file changed while it was read. Add it again.")
        case .proxyLimit:
            self.init(
                exit: .configuration,
                text: "A proxy before the relay takes no parts of \(Amounts.bytes(Limits.partSizeBytes)); nothing was shared. Whoever runs it can raise its limit (nginx: client_max_body_size 2m;).")
        case .fileFailed: self.init(exit: .cannotWrite, text: "A file could not be read or written: is there room, and may this user?")
        case .flooding: self.init(exit: .failed, text: "The relay has closed the connection: too much at a time.")
        default: self.init(exit: .failed, text: "It came to nothing: \(error).")
        }
    }
}
