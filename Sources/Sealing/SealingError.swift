// What can go wrong between clear and sealed bytes, as few words as a caller can act on.

public enum SealingError: Error, Equatable, Sendable {
    /// The bytes are no sealed thing of this kind, or what was inside is not what its kind holds.
    case malformed
    /// The bytes do not open, or the signature inside is not its maker's.
    case tampered
    /// A length that the protocol does not allow.
    case tooLarge(limitBytes: Int, valueBytes: Int)
    /// 2^32 frames have been sealed under one key: nothing more may be.
    case exhausted
    /// libcrypto refused to work; the text is for the log.
    case cryptoFailed(String)
}
