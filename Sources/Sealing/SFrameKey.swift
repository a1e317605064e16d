// RFC 9605 §4.4, suite 4: key and salt of one KID, and the sealing of single frames under them.

/// Not for use from two threads at once.
final class SFrameKey {
    static let suite: UInt16 = 4
    private let cipher: AESGCM
    private let salt: Nonce

    init(baseKey: SecretBytes, kid: UInt64, _ direction: AESGCM.Direction) throws(SealingError) {
        let (key, salt) = try Self.keyAndSalt(baseKey: baseKey, kid: kid)
        cipher = try AESGCM(key: key, direction)
        self.salt = Nonce(base: salt)
    }

    static func keyAndSalt(baseKey: SecretBytes, kid: UInt64) throws(SealingError) -> (key: SecretBytes, salt: SecretBytes) {
        let secret = try HKDF.extract(salt: [], baseKey)
        func derived(_ label: String, sizeBytes: Int) throws(SealingError) -> SecretBytes {
            var info = Array(label.utf8)
            info.appendInteger(kid)
            info.appendInteger(suite)
            return try HKDF.expand(secret, info: info, sizeBytes: sizeBytes)
        }
        return (try derived("SFrame 1.0 Secret key ", sizeBytes: keySizeBytes), try derived("SFrame 1.0 Secret salt ", sizeBytes: nonceSizeBytes))
    }

    /// Seals in place; the last 16 bytes are room for the tag.
    /// - Parameters:
    ///   - counter: never used before with this key.
    ///   - aad: the encoded header, then the metadata.
    func seal(_ bytes: UnsafeMutableRawBufferPointer, counter: UInt64, aad: [UInt8]) throws(SealingError) {
        try withBytes(of: aad) { aad throws(SealingError) in try cipher.seal(bytes, nonce: salt.with(counter), aad: aad) }
    }

    /// Opens to `output`, which has room for all but the last 16 bytes of `sealed`.
    func open(_ sealed: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer, counter: UInt64, aad: [UInt8]) throws(SealingError) {
        try withBytes(of: aad) { aad throws(SealingError) in try cipher.open(sealed, to: output, nonce: salt.with(counter), aad: aad) }
    }
}
