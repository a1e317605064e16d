// AES-128-GCM with a 16-byte tag, in place: what is sealed or opened is never copied.

import COpenSSL

let tagSizeBytes = 16
let keySizeBytes = 16
let nonceSizeBytes = 12

/// One key in one direction, its schedule computed once. Not for use from two threads at once.
final class AESGCM {
    enum Direction { case sealing, opening }

    private let context: OpaquePointer
    private let direction: Direction

    /// - Parameter key: its first 16 bytes are the key.
    init(key: SecretBytes, _ direction: Direction) throws(SealingError) {
        precondition(key.count >= keySizeBytes)
        guard let context = EVP_CIPHER_CTX_new() else { throw LibCrypto.failure("EVP_CIPHER_CTX_new") }
        let started = key.withBytes {
            EVP_CipherInit_ex2(context, LibCrypto.aes128GCM, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, direction == .sealing ? 1 : 0, nil)
        }
        guard started == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw LibCrypto.failure("EVP_CipherInit_ex2")
        }
        self.context = context
        self.direction = direction
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Seals the bytes where they stand and writes the 16 bytes of the tag behind them: `bytes` has room for both.
    func seal(_ bytes: UnsafeMutableRawBufferPointer, nonce: Nonce, aad: UnsafeRawBufferPointer = .init(start: nil, count: 0)) throws(SealingError) {
        precondition(direction == .sealing && bytes.count >= tagSizeBytes)
        let count = bytes.count - tagSizeBytes
        let base = bytes.baseAddress!
        try run(from: UnsafeRawPointer(base), to: base, count: count, nonce: nonce, aad: aad)
        guard finishes(),
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSizeBytes), base + count) == 1
        else { throw LibCrypto.failure("sealing") }
    }

    /// Opens `sealed`, whose last 16 bytes are the tag, to `output`, which may be where `sealed` is. What stands at `output` after a failure is to be thrown away.
    func open(_ sealed: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer, nonce: Nonce, aad: UnsafeRawBufferPointer = .init(start: nil, count: 0)) throws(SealingError) {
        precondition(direction == .opening)
        guard sealed.count >= tagSizeBytes, let base = sealed.baseAddress else { throw .malformed }
        let count = sealed.count - tagSizeBytes
        try run(from: base, to: output, count: count, nonce: nonce, aad: aad)
        let tag = UnsafeMutableRawPointer(mutating: base + count)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSizeBytes), tag) == 1, finishes() else {
            ERR_clear_error()
            throw .tampered
        }
    }

    private func run(from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int, nonce: Nonce, aad: UnsafeRawBufferPointer) throws(SealingError) {
        var written: Int32 = 0
        var nonce = nonce
        let started = withUnsafeBytes(of: &nonce.bytes) {
            EVP_CipherInit_ex2(context, nil, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), -1, nil)
        }
        guard started == 1 else { throw LibCrypto.failure("EVP_CipherInit_ex2") }
        if !aad.isEmpty {
            guard EVP_CipherUpdate(context, nil, &written, aad.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(aad.count)) == 1 else { throw LibCrypto.failure("EVP_CipherUpdate") }
        }
        if count > 0 {
            guard
                EVP_CipherUpdate(context, output.assumingMemoryBound(to: UInt8.self), &written, input.assumingMemoryBound(to: UInt8.self), Int32(count)) == 1,
                Int(written) == count
            else { throw LibCrypto.failure("EVP_CipherUpdate") }
        }
    }

    private func finishes() -> Bool {
        // GCM has nothing left to write, but libcrypto wants a place for it.
        var rest: (UInt64, UInt64) = (0, 0)
        var written: Int32 = 0
        return withUnsafeMutableBytes(of: &rest) { EVP_CipherFinal_ex(context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &written) } == 1
    }
}

/// 12 bytes: a base that came with a key, and a number XORed into its last eight (RFC 9605 §4.4.3, RFC 8188 §2.3).
struct Nonce {
    // Three words in the order in which they stand in memory, so that the value has no gap.
    var bytes: (UInt32, UInt32, UInt32)

    /// - Parameter base: its last 12 bytes are the base.
    init(base: SecretBytes, number: UInt64 = 0) {
        precondition(base.count >= nonceSizeBytes)
        let words = base.withBytes { bytes in
            (0..<3).map { bytes.loadUnaligned(fromByteOffset: bytes.count - nonceSizeBytes + 4 * $0, as: UInt32.self) }
        }
        bytes = (words[0], words[1] ^ UInt32(truncatingIfNeeded: number >> 32).bigEndian, words[2] ^ UInt32(truncatingIfNeeded: number).bigEndian)
    }

    /// The nonce with a number XORed in.
    func with(_ number: UInt64) -> Nonce {
        var nonce = self
        nonce.bytes.1 ^= UInt32(truncatingIfNeeded: number >> 32).bigEndian
        nonce.bytes.2 ^= UInt32(truncatingIfNeeded: number).bigEndian
        return nonce
    }
}
