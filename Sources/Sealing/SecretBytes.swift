// Bytes that are wiped when nobody holds them any more.

import COpenSSL

/// A key or a secret from which keys follow. Never printed, never compared except in constant time.
public final class SecretBytes: @unchecked Sendable {
    // Written in `init` only.
    private let storage: UnsafeMutableRawBufferPointer

    public var count: Int { storage.count }

    init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SealingError) -> Void) throws(SealingError) {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        do {
            try fill(storage)
        } catch {
            OPENSSL_cleanse(storage.baseAddress, storage.count)
            storage.deallocate()
            throw error
        }
    }

    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(byteCount: bytes.count, alignment: 16)
        storage.copyBytes(from: bytes)
    }

    /// Fresh random bytes.
    public static func random(count: Int) throws(SealingError) -> SecretBytes {
        try SecretBytes(count: count) { buffer throws(SealingError) in
            guard RAND_priv_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count)) == 1 else { throw LibCrypto.failure("RAND_priv_bytes") }
        }
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    func withBytes<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// A copy that is not wiped: for what has to be told to somebody, as the link has to.
    public func revealed() -> [UInt8] { Array(storage) }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(count) secret bytes" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Random bytes that need not be secret, from libcrypto's generator.
public func randomBytes(count: Int) throws(SealingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw LibCrypto.failure("RAND_bytes") }
    return bytes
}
