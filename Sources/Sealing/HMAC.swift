// HMAC-SHA256 and SHA-256, the two one-way functions that everything here is derived by.

import COpenSSL

let hashSizeBytes = 32

/// HMAC-SHA256 of the parts one behind the other.
func hmac(key: UnsafeRawBufferPointer, _ parts: UnsafeRawBufferPointer..., into output: UnsafeMutableRawBufferPointer) throws(SealingError) {
    precondition(output.count == hashSizeBytes)
    guard let context = EVP_MAC_CTX_new(LibCrypto.hmac) else { throw LibCrypto.failure("EVP_MAC_CTX_new") }
    defer { EVP_MAC_CTX_free(context) }
    // libcrypto takes an absent key for "the one you have"; HMAC pads keys with zeros, so one zero is the empty key.
    var noKey: UInt8 = 0
    let started = withUnsafeBytes(of: &noKey) { zero in
        var digest = Array("SHA256".utf8CString)
        return digest.withUnsafeMutableBufferPointer { value in
            // A parameter keeps both pointers: its name's must last as long as its value's.
            OSSL_MAC_PARAM_DIGEST.withCString { name in
                let key = key.isEmpty ? zero : key
                var parameters = [OSSL_PARAM_construct_utf8_string(name, value.baseAddress, 0), OSSL_PARAM_construct_end()]
                return EVP_MAC_init(context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count, &parameters)
            }
        }
    }
    guard started == 1 else { throw LibCrypto.failure("EVP_MAC_init") }
    for part in parts where !part.isEmpty {
        guard EVP_MAC_update(context, part.baseAddress?.assumingMemoryBound(to: UInt8.self), part.count) == 1 else { throw LibCrypto.failure("EVP_MAC_update") }
    }
    var size = 0
    guard EVP_MAC_final(context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &size, output.count) == 1 else { throw LibCrypto.failure("EVP_MAC_final") }
}

/// SHA-256 of what is at hand.
public func sha256(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: hashSizeBytes)
    guard EVP_Digest(bytes.baseAddress, bytes.count, &output, nil, LibCrypto.sha256, nil) == 1 else { throw LibCrypto.failure("EVP_Digest") }
    return output
}

/// SHA-256 of bytes that come in pieces. Not for use from two threads at once.
public final class RunningDigest {
    private let context: OpaquePointer

    public init() throws(SealingError) {
        guard let context = EVP_MD_CTX_new() else { throw LibCrypto.failure("EVP_MD_CTX_new") }
        guard EVP_DigestInit_ex2(context, LibCrypto.sha256, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw LibCrypto.failure("EVP_DigestInit_ex2")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    public func update(_ bytes: UnsafeRawBufferPointer) throws(SealingError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw LibCrypto.failure("EVP_DigestUpdate") }
    }

    /// The digest of what came so far; the next one starts empty.
    public func finish() throws(SealingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: hashSizeBytes)
        guard EVP_DigestFinal_ex(context, &output, nil) == 1, EVP_DigestInit_ex2(context, LibCrypto.sha256, nil) == 1 else { throw LibCrypto.failure("EVP_DigestFinal_ex") }
        return output
    }
}

/// Compares in a time that does not tell where the first difference is.
func equalInConstantTime(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
