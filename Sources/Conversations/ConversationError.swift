// What a participant's own calls can fail with: a fixed code, and, where a limit is concerned, the limit and the value.

import Sealing
import Wire

public struct ConversationError: Error, Equatable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let code: Code
    /// In bytes, or a count where the code says so.
    public let limit: Int?
    public let value: Int?

    init(_ code: Code, limit: Int? = nil, value: Int? = nil) {
        self.code = code
        self.limit = limit
        self.value = value
    }
}

extension ConversationError.Code {
    public static let left = Self(rawValue: "left")
    public static let conversationEnded = Self(rawValue: "conversation-ended")
    public static let unsupportedVersion = Self(rawValue: "unsupported-version")
    public static let notInvited = Self(rawValue: "not-invited")
    public static let unknownConversation = Self(rawValue: "unknown-conversation")
    public static let conversationFull = Self(rawValue: "conversation-full")
    public static let locked = Self(rawValue: "locked")
    public static let invitationEnded = Self(rawValue: "invitation-ended")
    public static let declined = Self(rawValue: "declined")
    public static let notAnswered = Self(rawValue: "not-answered")
    public static let tooManyWaiting = Self(rawValue: "too-many-waiting")
    /// An end of the invitation that is past, or too far ahead; in seconds since 1970.
    public static let dateOutOfRange = Self(rawValue: "date-out-of-range")
    public static let replaced = Self(rawValue: "replaced")
    public static let flooding = Self(rawValue: "flooding")
    public static let cannotResume = Self(rawValue: "cannot-resume")
    public static let relayUnreachable = Self(rawValue: "relay-unreachable")
    public static let malformed = Self(rawValue: "malformed")
    /// The session is not entered, or was over before the answer came.
    public static let sessionInvalidated = Self(rawValue: "session-invalidated")
    public static let unknownSession = Self(rawValue: "unknown-session")
    public static let nameTooLong = Self(rawValue: "name-too-long")
    public static let messageTooLarge = Self(rawValue: "message-too-large")
    public static let entryTooLarge = Self(rawValue: "entry-too-large")
    public static let metadataTooLarge = Self(rawValue: "metadata-too-large")
    public static let attachmentTooLarge = Self(rawValue: "attachment-too-large")
    public static let tooManyRecipients = Self(rawValue: "too-many-recipients")
    /// So much waits for its place that nothing more is taken.
    public static let queueFull = Self(rawValue: "queue-full")
    public static let conversationQuota = Self(rawValue: "conversation-quota")
    public static let relayQuota = Self(rawValue: "relay-quota")
    public static let storageFailed = Self(rawValue: "storage-failed")
    public static let tooManySessions = Self(rawValue: "too-many-sessions")
    public static let tooManyEntries = Self(rawValue: "too-many-entries")
    public static let bodyIncomplete = Self(rawValue: "body-incomplete")
    public static let notPermitted = Self(rawValue: "not-permitted")
    /// The attachment was removed, or was never there.
    public static let removed = Self(rawValue: "removed")
    public static let tampered = Self(rawValue: "tampered")
    public static let sourceChanged = Self(rawValue: "source-changed")
    /// Something in front of the relay takes no parts of this size; `value` is the status that it answered with.
    public static let proxyLimit = Self(rawValue: "proxy-limit")
    /// A file could not be read or written.
    public static let fileFailed = Self(rawValue: "file-failed")
    public static let aborted = Self(rawValue: "aborted")
    public static let cryptoFailed = Self(rawValue: "crypto-failed")
}

extension ConversationError: CustomStringConvertible {
    public var description: String {
        guard let limit, let value else { return code.rawValue }
        return "\(code.rawValue): \(value), where \(limit) is the limit"
    }
}

extension ConversationError {
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal.code {
            case .tooLarge: .entryTooLarge
            case .conversationQuota: .conversationQuota
            case .relayQuota: .relayQuota
            case .storageFailed: .storageFailed
            case .unknownSession: .unknownSession
            case .notInSession: .sessionInvalidated
            case .unknownEntry: .removed
            case .tooManySessions: .tooManySessions
            case .tooManyEntries: .tooManyEntries
            case .bodyIncomplete: .bodyIncomplete
            case .dateOutOfRange: .dateOutOfRange
            default: .notPermitted
            }
        let hasLimit = refusal.limit != 0 || refusal.value != 0
        self.init(code, limit: hasLimit ? Int(refusal.limit) : nil, value: hasLimit ? Int(refusal.value) : nil)
    }

    init(_ end: ConversationEnd) {
        let code: Code =
            switch end {
            case .left: .left
            case .ended: .conversationEnded
            case .unsupportedVersion: .unsupportedVersion
            case .notInvited: .notInvited
            case .unknownConversation: .unknownConversation
            case .full: .conversationFull
            case .locked: .locked
            case .invitationEnded: .invitationEnded
            case .declined: .declined
            case .notAnswered: .notAnswered
            case .tooManyWaiting: .tooManyWaiting
            case .replaced: .replaced
            case .flooding, .tooLarge: .flooding
            case .cannotResume: .cannotResume
            case .unreachable: .relayUnreachable
            case .malformed: .malformed
            }
        self.init(code)
    }

    /// - Parameter tooLarge: what the caller was about to seal.
    init(_ error: SealingError, tooLarge: Code) {
        switch error {
        case .tooLarge(let limit, let value): self.init(tooLarge, limit: limit, value: value)
        case .tampered: self.init(.tampered)
        case .malformed: self.init(.malformed)
        case .exhausted, .cryptoFailed: self.init(.cryptoFailed)
        }
    }
}
