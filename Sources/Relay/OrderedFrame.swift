// Writes the two frequent frames straight into the buffer that goes out: the only copy that is made of them.

import Wire

struct RawCursor {
    private var pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    mutating func integer<T: FixedWidthInteger>(_ value: T) {
        pointer.storeBytes(of: value.bigEndian, as: T.self)
        pointer += MemoryLayout<T>.size
    }

    mutating func id(_ id: some Identifier) {
        integer(id.bytes.high)
        integer(id.bytes.low)
    }

    mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress { pointer.copyMemory(from: base, byteCount: bytes.count) }
        pointer += bytes.count
    }

    mutating func head(_ type: FrameType, frameSizeBytes: Int) {
        integer(type.rawValue)
        integer(UInt32(truncatingIfNeeded: frameSizeBytes - 5))
    }
}

extension RecordInPlace {
    /// Type and length, session, sequence, sender, counter, recipients, sealed.
    var orderedSizeBytes: Int { 5 + 16 + 8 + 16 + 8 + 1 + recipients.bytes.count + 4 + sealed.count }

    func writeOrdered(sequence: UInt64, sender: ParticipantID, to destination: UnsafeMutableRawPointer) {
        var cursor = RawCursor(destination)
        cursor.head(.ordered, frameSizeBytes: orderedSizeBytes)
        cursor.id(session)
        cursor.integer(sequence)
        cursor.id(sender)
        cursor.integer(counter)
        cursor.integer(UInt8(truncatingIfNeeded: recipients.count))
        cursor.raw(recipients.bytes)
        cursor.integer(UInt32(truncatingIfNeeded: sealed.count))
        cursor.raw(sealed)
    }
}

extension SampleInPlace {
    /// Type and length, session, sender, recipients, sealed.
    var sampledSizeBytes: Int { 5 + 16 + 16 + 1 + recipients.bytes.count + 4 + sealed.count }

    func writeSampled(sender: ParticipantID, to destination: UnsafeMutableRawPointer) {
        var cursor = RawCursor(destination)
        cursor.head(.sampled, frameSizeBytes: sampledSizeBytes)
        cursor.id(session)
        cursor.id(sender)
        cursor.integer(UInt8(truncatingIfNeeded: recipients.count))
        cursor.raw(recipients.bytes)
        cursor.integer(UInt32(truncatingIfNeeded: sealed.count))
        cursor.raw(sealed)
    }
}
