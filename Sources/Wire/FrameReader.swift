// Cuts one WebSocket message into frames, and reads the two frequent ones without copying what is sealed in them.

/// One frame still where it was received: its type is known, its body is not yet read. Valid only while the message is.
public struct RawFrame {
    public let type: FrameType
    public let body: UnsafeRawBufferPointer
}

public struct FrameReader {
    private var reader: ByteReader

    public init(_ message: UnsafeRawBufferPointer) throws(FrameError) {
        guard message.count > 0 else { throw .cutShort }
        reader = ByteReader(message)
    }

    /// The next frame of a known type, frames that may be skipped passed over; `nil` at the end of the message.
    public mutating func next() throws(FrameError) -> RawFrame? {
        while reader.remainingBytes > 0 {
            let code = try reader.u8()
            let body = try reader.prefixed()
            if let type = FrameType(rawValue: code) { return RawFrame(type: type, body: body) }
            guard code >= FrameType.skippableFrom else { throw .unknownType(code) }
        }
        return nil
    }
}

/// The frame `record`, read in place.
public struct RecordInPlace {
    public let session: SessionID
    public let counter: UInt64
    public let recipients: ParticipantsInPlace
    public let sealed: UnsafeRawBufferPointer

    public init(body: UnsafeRawBufferPointer) throws(FrameError) {
        var reader = ByteReader(body)
        session = try reader.id()
        counter = try reader.number()
        recipients = try reader.recipients()
        sealed = try reader.prefixed()
    }
}

/// The frame `sample`, read in place.
public struct SampleInPlace {
    public let session: SessionID
    public let recipients: ParticipantsInPlace
    public let sealed: UnsafeRawBufferPointer

    public init(body: UnsafeRawBufferPointer) throws(FrameError) {
        var reader = ByteReader(body)
        session = try reader.id()
        recipients = try reader.recipients()
        sealed = try reader.prefixed()
    }
}
