// Reads the fields of opened bytes, front to back, and refuses whatever does not fit.

import Wire

struct FieldReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func take(_ count: Int) throws(SealingError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(SealingError) -> Value {
        var value: Value = 0
        for byte in try take(Value.bitWidth / 8) { value = value << 8 | Value(truncatingIfNeeded: byte) }
        return value
    }

    mutating func bytes16() throws(SealingError) -> Bytes16 {
        let high = try integer(UInt64.self)
        return Bytes16(high: high, low: try integer(UInt64.self))
    }

    /// `vec`: a length in the shortest form of RFC 9420 §2.1.2, then as many bytes.
    mutating func vector() throws(SealingError) -> ArraySlice<UInt8> {
        try take(try variableLengthInteger())
    }

    mutating func variableLengthInteger() throws(SealingError) -> Int {
        let first = Int(try integer(UInt8.self))
        let (value, shortest): (Int, Int)
        switch first >> 6 {
        case 0: (value, shortest) = (first, 0)
        case 1: (value, shortest) = ((first & 0x3f) << 8 | Int(try integer(UInt8.self)), 1 << 6)
        case 2:
            let high = (first & 0x3f) << 8 | Int(try integer(UInt8.self))
            (value, shortest) = (high << 16 | Int(try integer(UInt16.self)), 1 << 14)
        default: throw .malformed
        }
        guard value >= shortest else { throw .malformed }
        return value
    }

    mutating func text() throws(SealingError) -> String {
        guard let text = String(validating: try vector(), as: UTF8.self) else { throw .malformed }
        return text
    }
}
