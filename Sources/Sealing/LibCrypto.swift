// libcrypto's algorithms, fetched once for the life of the process, and its errors, read in the stretch in which they arose.

import COpenSSL

enum LibCrypto {
    // Immutable once fetched, and meant by libcrypto to be shared between threads.
    nonisolated(unsafe) static let sha256: OpaquePointer = fetched(EVP_MD_fetch(nil, "SHA256", nil), "SHA256")
    nonisolated(unsafe) static let aes128GCM: OpaquePointer = fetched(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "AES-128-GCM")
    nonisolated(unsafe) static let hmac: OpaquePointer = fetched(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")

    private static func fetched(_ algorithm: OpaquePointer?, _ name: String) -> OpaquePointer {
        guard let algorithm else { fatalError("libcrypto has no \(name): OpenSSL 3.0 with its default provider is needed") }
        return algorithm
    }

    /// The oldest error of this thread's queue, which is emptied.
    static func failure(_ what: String) -> SealingError {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return .cryptoFailed(what) }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        return .cryptoFailed("\(what): \(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))")
    }
}
