// Writes the protocol's integers, names and lists into a growing buffer.

public struct ByteWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    public mutating func id(_ id: some Identifier) { bytes16(id.bytes) }

    public mutating func bytes16(_ value: Bytes16) {
        integer(value.high)
        integer(value.low)
    }

    public mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    public mutating func prefixed(_ value: [UInt8]) {
        integer(UInt32(clamping: value.count))
        raw(value)
    }

    /// No more than `Limits.recipientCountLimit`: the caller has seen to that.
    public mutating func ids(_ ids: [ParticipantID]) {
        precondition(ids.count <= Limits.recipientCountLimit, "a frame names at most \(Limits.recipientCountLimit) recipients, not \(ids.count)")
        integer(UInt8(ids.count))
        for value in ids { id(value) }
    }

    /// One whole frame: its type, then the length of what `body` writes, then that.
    public mutating func frame(_ type: FrameType, _ body: (inout ByteWriter) -> Void) {
        integer(type.rawValue)
        let place = bytes.count
        integer(UInt32(0))
        body(&self)
        let length = UInt32(clamping: bytes.count - place - 4)
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
    }
}
