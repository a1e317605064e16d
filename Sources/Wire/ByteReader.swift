// Reads the protocol's integers, names and lists from bytes of any origin: every read is checked, none traps.

/// Valid only while the memory behind it is.
public struct ByteReader {
    /// Places, counts and lengths go no further, so that every language holds them exactly.
    public static let greatestNumber: UInt64 = (1 << 53) - 1

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    public var remainingBytes: Int { bytes.count - offset }

    private mutating func take(_ count: Int) throws(FrameError) -> Int {
        guard count <= bytes.count - offset else { throw .cutShort }
        defer { offset += count }
        return offset
    }

    public mutating func u8() throws(FrameError) -> UInt8 { bytes[try take(1)] }

    public mutating func u16() throws(FrameError) -> UInt16 { UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: try take(2), as: UInt16.self)) }

    public mutating func u32() throws(FrameError) -> UInt32 { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: try take(4), as: UInt32.self)) }

    public mutating func u64() throws(FrameError) -> UInt64 { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: try take(8), as: UInt64.self)) }

    /// A number that counts something: at most `ByteReader.greatestNumber`.
    public mutating func number() throws(FrameError) -> UInt64 {
        let value = try u64()
        guard value <= ByteReader.greatestNumber else { throw .numberTooLarge(value) }
        return value
    }

    public mutating func id<ID: Identifier>(_: ID.Type = ID.self) throws(FrameError) -> ID { ID(try bytes16()) }

    public mutating func bytes16() throws(FrameError) -> Bytes16 { Bytes16(high: try u64(), low: try u64()) }

    public mutating func slice(_ count: Int) throws(FrameError) -> UnsafeRawBufferPointer {
        let start = try take(count)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }

    /// `u32 length || bytes`.
    public mutating func prefixed() throws(FrameError) -> UnsafeRawBufferPointer { try slice(Int(try u32())) }

    /// `u8 count || id × count`.
    public mutating func recipients() throws(FrameError) -> ParticipantsInPlace {
        let count = Int(try u8())
        guard count <= Limits.recipientCountLimit else { throw .tooMany(limit: Limits.recipientCountLimit, value: count) }
        return ParticipantsInPlace(bytes: try slice(count * 16))
    }
}

/// Names of participants, still where they were received.
public struct ParticipantsInPlace: RandomAccessCollection {
    public let bytes: UnsafeRawBufferPointer
    public var startIndex: Int { 0 }
    public var endIndex: Int { bytes.count / 16 }

    public subscript(position: Int) -> ParticipantID {
        let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position * 16, as: UInt64.self))
        let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position * 16 + 8, as: UInt64.self))
        return ParticipantID(Bytes16(high: high, low: low))
    }
}
