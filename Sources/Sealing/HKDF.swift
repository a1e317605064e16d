// HKDF-SHA256 (RFC 5869) in its two steps.

enum HKDF {
    static func extract(salt: some Collection<UInt8>, _ keyingMaterial: SecretBytes) throws(SealingError) -> SecretBytes {
        let salt = Array(salt)
        return try SecretBytes(count: hashSizeBytes) { output throws(SealingError) in
            try withBytes(of: salt) { salt throws(SealingError) in
                try keyingMaterial.withBytes { material throws(SealingError) in try hmac(key: salt, material, into: output) }
            }
        }
    }

    /// - Parameter sizeBytes: at most 255 × 32.
    static func expand(_ secret: SecretBytes, info: [UInt8], sizeBytes: Int) throws(SealingError) -> SecretBytes {
        guard sizeBytes <= 255 * hashSizeBytes else { throw .tooLarge(limitBytes: 255 * hashSizeBytes, valueBytes: sizeBytes) }
        return try SecretBytes(count: sizeBytes) { output throws(SealingError) in
            let block = try SecretBytes(count: hashSizeBytes) { block throws(SealingError) in
                var filled = 0
                var round: UInt8 = 1
                while filled < sizeBytes {
                    let previous = UnsafeRawBufferPointer(rebasing: block[..<(round == 1 ? 0 : hashSizeBytes)])
                    try secret.withBytes { key throws(SealingError) in
                        try withBytes(of: info) { info throws(SealingError) in
                            try withBytes(of: [round]) { round throws(SealingError) in try hmac(key: key, previous, info, round, into: block) }
                        }
                    }
                    let count = min(hashSizeBytes, sizeBytes - filled)
                    output.baseAddress?.advanced(by: filled).copyMemory(from: block.baseAddress!, byteCount: count)
                    filled += count
                    round += 1
                }
            }
            _ = block
        }
    }
}

/// `withUnsafeBytes` that keeps the type of what is thrown.
func withBytes<Result>(of array: [UInt8], _ body: (UnsafeRawBufferPointer) throws(SealingError) -> Result) throws(SealingError) -> Result {
    let outcome: Swift.Result<Result, SealingError> = array.withUnsafeBytes { bytes in
        do throws(SealingError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
}

func withBytes<Result>(of slice: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) throws(SealingError) -> Result) throws(SealingError) -> Result {
    let outcome: Swift.Result<Result, SealingError> = slice.withUnsafeBytes { bytes in
        do throws(SealingError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
}

func withMutableBytes<Result>(of array: inout [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws(SealingError) -> Result) throws(SealingError) -> Result {
    let outcome: Swift.Result<Result, SealingError> = array.withUnsafeMutableBytes { bytes in
        do throws(SealingError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
}
