// The link that lets people in: read as people paste it, and refused with a word that says what is wrong with it.

import Wire

public enum InvitationError: Error, Equatable, Sendable {
    /// A part is missing at the end, as when only half a line was copied.
    case incomplete
    /// It is no invitation, or characters in it were changed.
    case damaged
    /// It was made by a later version.
    case unsupported(version: Int)
}

/// Holds the secret from which every key follows; who has it is in.
public struct Invitation: Sendable {
    /// Scheme, host and port of the relay: `https://example.org:8443`.
    public let origin: String
    public let conversation: ConversationID
    let secret: SecretBytes

    static let secretSizeBytes = 32
    static let version = 1

    /// Invites to a new conversation.
    /// - Parameter relay: an http or https address; a path behind the host is left out.
    public init(relay: String) throws {
        guard let origin = InvitationText.origin(relay) else { throw InvitationError.damaged }
        guard let id = Bytes16(try randomBytes(count: 16)) else { throw SealingError.malformed }
        self.init(origin: origin, conversation: ConversationID(id), secret: try .random(count: Self.secretSizeBytes))
    }

    /// Finds the invitation in what somebody pasted: spaces, brackets, a full stop behind it, a sentence around it or percent-encoding do no harm.
    public init(_ text: String) throws(InvitationError) {
        self = try InvitationText.parse(text)
    }

    init(origin: String, conversation: ConversationID, secret: SecretBytes) {
        self.origin = origin
        self.conversation = conversation
        self.secret = secret
    }

    /// `https://HOST/c/…#1.…`. Whoever sees it is invited.
    public var link: String { "\(origin)/c/\(conversation.base64URL)#\(Self.version).\(Base64URL.encode(secret.revealed()))" }
}

extension Invitation: Equatable {
    public static func == (left: Invitation, right: Invitation) -> Bool {
        left.origin == right.origin && left.conversation == right.conversation && equalInConstantTime(left.secret.revealed(), right.secret.revealed())
    }
}

extension Invitation: CustomStringConvertible {
    /// Without the secret: fit for a log.
    public var description: String { "an invitation to \(origin)" }
}
