// A participation: a fresh key, and the name that follows from it, so that nobody, the relay included, can give a name away.

import Wire

/// Lives as long as the participation and is never stored: a program that starts again is a new participant.
public struct Identity: Sendable {
    public let conversation: ConversationID
    public let participant: ParticipantID
    let key: SigningKey

    public var publicKey: [UInt8] { key.publicKey }

    /// - Parameter key: a fresh one unless an example is worked.
    public init(conversation: ConversationID, key: SigningKey? = nil) throws(SealingError) {
        let key = if let key { key } else { try SigningKey() }
        self.conversation = conversation
        self.key = key
        participant = try ParticipantID(conversation: conversation, publicKey: key.publicKey)
    }

    /// One whose name does not follow from its key, as only a liar's does: for tests of what others make of it.
    init(pretending participant: ParticipantID, conversation: ConversationID, key: SigningKey) {
        self.conversation = conversation
        self.participant = participant
        self.key = key
    }
}

extension ParticipantID {
    /// The only name that the holder of this key can have in this conversation.
    public init(conversation: ConversationID, publicKey: some Collection<UInt8>) throws(SealingError) {
        let hash = try Labels.hearth.refHash("participant", conversation.bytes.array + publicKey)
        guard let bytes = Bytes16(hash[..<16]) else { throw .malformed }
        self.init(bytes)
    }
}
