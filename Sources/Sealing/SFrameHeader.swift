// RFC 9605 §4.3: the few bytes in front of a sealed frame that say whose it is and which of theirs.

struct SFrameHeader: Equatable, Sendable {
    static let sizeLimitBytes = 17

    var kid: UInt64
    var counter: UInt64

    var encoded: [UInt8] {
        var bytes: [UInt8] = [0]
        bytes[0] = Self.append(kid, to: &bytes) << 4
        bytes[0] |= Self.append(counter, to: &bytes)
        return bytes
    }

    /// Reads the header that `bytes` begin with. Throws `malformed` when it is cut short or a number is not in its shortest form.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> (header: SFrameHeader, sizeBytes: Int) {
        guard let config = bytes.first else { throw .malformed }
        var offset = 1
        let kid = try read(config >> 4, from: bytes, at: &offset)
        let counter = try read(config & 0x0f, from: bytes, at: &offset)
        return (SFrameHeader(kid: kid, counter: counter), offset)
    }

    /// Returns the four bits for the first byte.
    private static func append(_ value: UInt64, to bytes: inout [UInt8]) -> UInt8 {
        guard value >= 8 else { return UInt8(value) }
        let count = (64 - value.leadingZeroBitCount + 7) / 8
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
        return 0x08 | UInt8(count - 1)
    }

    private static func read(_ bits: UInt8, from bytes: UnsafeRawBufferPointer, at offset: inout Int) throws(SealingError) -> UInt64 {
        guard bits & 0x08 != 0 else { return UInt64(bits) }
        let count = Int(bits & 0x07) + 1
        guard count <= bytes.count - offset, bytes[offset] != 0 else { throw .malformed }
        var value: UInt64 = 0
        for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
        guard value >= 8 else { throw .malformed }
        offset += count
        return value
    }
}
