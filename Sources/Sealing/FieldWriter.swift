// Puts fields one behind the other, the way `FieldReader` takes them.

import Wire

extension Array where Element == UInt8 {
    mutating func appendInteger(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ value: Bytes16) {
        appendInteger(value.high)
        appendInteger(value.low)
    }

    /// `vec`. The length must be below 2^30, which every limit of the protocol is.
    mutating func appendVector(_ bytes: some Collection<UInt8>) {
        appendVariableLengthInteger(bytes.count)
        append(contentsOf: bytes)
    }

    mutating func appendVariableLengthInteger(_ value: Int) {
        precondition(value >= 0 && value < 1 << 30, "a vector's length is below 2^30")
        if value < 1 << 6 {
            append(UInt8(value))
        } else if value < 1 << 14 {
            appendInteger(UInt16(value) | 0x4000)
        } else {
            appendInteger(UInt32(value) | 0x8000_0000)
        }
    }
}

extension Bytes16 {
    /// The 16 bytes, first byte first.
    public var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.append(self)
        return bytes
    }

    /// `nil` unless there are exactly 16 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var reader = FieldReader(Array(bytes))
        guard let value = try? reader.bytes16() else { return nil }
        self = value
    }
}

/// The bytes that `vec` puts before `count` others.
func vectorPrefixSize(_ count: Int) -> Int { count < 1 << 6 ? 1 : count < 1 << 14 ? 2 : 4 }
