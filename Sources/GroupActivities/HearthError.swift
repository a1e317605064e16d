// What goes wrong, by a fixed word; where a limit is concerned, with the limit and the value. The words are those of the browser's library.

import Conversations
import Foundation

/// The reason of `GroupSession.State.invalidated`, and what activating, sending, adding and loading throw.
public struct HearthError: Error, Equatable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let code: Code
    /// In bytes, or a count where the code says so.
    public let limit: Int?
    public let value: Int?

    public init(_ code: Code, limit: Int? = nil, value: Int? = nil) {
        self.code = code
        self.limit = limit
        self.value = value
    }

    init(_ error: ConversationError) { self.init(Code(rawValue: error.code.rawValue), limit: error.limit, value: error.value) }
}

extension HearthError.Code {
    /// There is no conversation: nobody is invited and no invitation was given.
    public static let noConversation = Self(rawValue: "no-conversation")
    public static let left = Self(rawValue: "left")
    public static let ended = Self(rawValue: "ended")
    /// A record of somebody is missing.
    public static let gap = Self(rawValue: "gap")
    public static let tampered = Self(rawValue: "tampered")
    public static let notPermitted = Self(rawValue: "not-permitted")
    public static let conversationClosed = Self(rawValue: "conversation-closed")
    public static let sessionInvalidated = Self(rawValue: "session-invalidated")
    public static let messageTooLarge = Self(rawValue: "message-too-large")
    public static let messageIdentifierTooLarge = Self(rawValue: "too-large")
    public static let attachmentTooLarge = Self(rawValue: "attachment-too-large")
    public static let metadataTooLarge = Self(rawValue: "metadata-too-large")
    public static let entryTooLarge = Self(rawValue: "entry-too-large")
    public static let queueFull = Self(rawValue: "queue-full")
    public static let removed = Self(rawValue: "removed")
    /// Something in front of the relay takes no parts of this size.
    public static let proxyLimit = Self(rawValue: "proxy-limit")
    public static let aborted = Self(rawValue: "aborted")
    public static let tooManySessions = Self(rawValue: "too-many-sessions")
    /// The activity or metadata is not of the type that was asked for.
    public static let malformed = Self(rawValue: "malformed")
}

extension HearthError: CustomStringConvertible, LocalizedError {
    public var description: String {
        guard let limit, let value else { return code.rawValue }
        return "\(code.rawValue): \(value), where \(limit) is the limit"
    }

    public var errorDescription: String? { description }
}

extension HearthError {
    init(_ end: SessionEnd) {
        switch end {
        case .left: self.init(Code.left)
        case .ended: self.init(Code.ended)
        case .refused: self.init(Code.notPermitted)
        case .gap: self.init(Code.gap)
        case .tampered: self.init(Code.tampered)
        }
    }

    /// In place of what the layers below throw.
    static func of(_ error: any Error) -> any Error { (error as? ConversationError).map { HearthError($0) } ?? error }
}
