// Everything that follows from an invitation: the word for the relay, and one epoch's keys, which the relay never sees.

import Wire

/// The keys of one epoch of one conversation. A value that may be used from any thread.
public struct EpochKeys: Sendable {
    public let conversation: ConversationID
    /// Version 1 knows only epoch 0.
    public let epoch: UInt64
    /// 32 bytes, shown to the relay to be let in.
    public let relayToken: [UInt8]
    /// `01234 56789 01234 56789`: equal on every screen of the conversation.
    public let sessionCode: String
    let epochSecret: SecretBytes
    let entrySecret: SecretBytes

    public init(_ invitation: Invitation) throws(SealingError) {
        try self.init(conversation: invitation.conversation, linkSecret: invitation.secret)
    }

    init(conversation: ConversationID, linkSecret: SecretBytes) throws(SealingError) {
        let labels = Labels.hearth
        let id = conversation.bytes.array
        let link = try HKDF.extract(salt: id, linkSecret)
        let psk = try labels.derive(link, "psk")
        var context = id
        context.appendInteger(UInt64(0))
        self.conversation = conversation
        epoch = 0
        relayToken = try labels.expand(link, "relay token", sizeBytes: 32).revealed()
        epochSecret = try labels.expand(psk, "epoch", context: context, sizeBytes: 32)
        entrySecret = try labels.derive(epochSecret, "entry")
        sessionCode = Self.sessionCode(try labels.derive(epochSecret, "authenticator"))
    }

    /// The base key of a session's records and samples (RFC 9605 §4.4.2).
    func baseKey(of session: SessionID) throws(SealingError) -> SecretBytes {
        try Labels.hearth.expand(epochSecret, "sframe", context: session.bytes.array, sizeBytes: keySizeBytes)
    }

    private static func sessionCode(_ authenticator: SecretBytes) -> String {
        let number = authenticator.withBytes { bytes in bytes.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
        let digits = Array(String(number % 100_000_000_000_000_000_000))
        let padded = Array(repeating: "0", count: 20 - digits.count) + digits
        return stride(from: 0, to: 20, by: 5).map { String(padded[$0..<$0 + 5]) }.joined(separator: " ")
    }
}
