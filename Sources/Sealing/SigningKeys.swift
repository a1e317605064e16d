// Ed25519: the key that a participation is, and the key by which others know it.

import COpenSSL

let signatureSizeBytes = 64
let publicKeySizeBytes = 32

/// A participant's own key pair. In memory only; may be used from any thread.
public final class SigningKey: @unchecked Sendable {
    // libcrypto counts references to it and does not change it.
    private let key: OpaquePointer
    /// 32 bytes.
    public let publicKey: [UInt8]

    /// The pair that follows from a seed of 32 bytes.
    public init(seed: SecretBytes) throws(SealingError) {
        let key = seed.withBytes { EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
        guard let key else { throw LibCrypto.failure("EVP_PKEY_new_raw_private_key_ex") }
        var publicKey = [UInt8](repeating: 0, count: publicKeySizeBytes)
        var size = publicKey.count
        guard EVP_PKEY_get_raw_public_key(key, &publicKey, &size) == 1 else {
            EVP_PKEY_free(key)
            throw LibCrypto.failure("EVP_PKEY_get_raw_public_key")
        }
        self.key = key
        self.publicKey = publicKey
    }

    /// A fresh pair.
    public convenience init() throws(SealingError) { try self.init(seed: .random(count: 32)) }

    deinit { EVP_PKEY_free(key) }

    /// Signs bytes that are framed already, into the 64 bytes at `output`.
    func sign(_ framed: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) throws(SealingError) {
        guard let context = EVP_MD_CTX_new() else { throw LibCrypto.failure("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var size = signatureSizeBytes
        guard EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1,
            EVP_DigestSign(context, output.assumingMemoryBound(to: UInt8.self), &size, framed.baseAddress?.assumingMemoryBound(to: UInt8.self), framed.count) == 1
        else { throw LibCrypto.failure("EVP_DigestSign") }
    }

    /// `Sign`
    func signature(_ label: String, _ value: [UInt8], labels: Labels = .hearth) throws(SealingError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: signatureSizeBytes)
        try withMutableBytes(of: &signature) { output throws(SealingError) in
            try withBytes(of: labels.framed(label, value)) { framed throws(SealingError) in try sign(framed, into: output.baseAddress!) }
        }
        return signature
    }
}

/// Somebody's public key, ready to verify with. May be used from any thread.
final class VerifyingKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Throws `malformed` unless there are 32 bytes.
    init(_ publicKey: some Collection<UInt8>) throws(SealingError) {
        let bytes = Array(publicKey)
        guard bytes.count == publicKeySizeBytes, let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count) else {
            ERR_clear_error()
            throw .malformed
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    func verifies(_ signature: UnsafeRawPointer, of framed: UnsafeRawBufferPointer) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else { return false }
        return EVP_DigestVerify(
            context, signature.assumingMemoryBound(to: UInt8.self), signatureSizeBytes, framed.baseAddress?.assumingMemoryBound(to: UInt8.self), framed.count) == 1
    }

    func verifies(_ signature: [UInt8], _ label: String, _ value: [UInt8], labels: Labels = .hearth) -> Bool {
        guard signature.count == signatureSizeBytes else { return false }
        return signature.withUnsafeBytes { signature in
            labels.framed(label, value).withUnsafeBytes { verifies(signature.baseAddress!, of: $0) }
        }
    }
}
