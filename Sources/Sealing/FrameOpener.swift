// Opens what one sender sends in one session in one class. It does not judge counters.

import Wire

/// What was in a record or sample. Its sender is whoever the opener is for.
public struct OpenedFrame: Equatable, Sendable {
    public let counter: UInt64
    /// What its sender had taken in of the log; `nothing` for a sample.
    public let stretch: LogStretch
    public let content: FrameContent

    public init(counter: UInt64, stretch: LogStretch = .nothing, content: FrameContent) {
        self.counter = counter
        self.stretch = stretch
        self.content = content
    }
}

/// Not for use from two threads at once.
public final class FrameOpener {
    private let frameClass: FrameClass
    private let metadata: FrameMetadata
    private let key: SFrameKey
    private let kid: UInt64
    private let verifyingKey: VerifyingKey

    /// - Parameter publicKey: the sender's, from its introduction.
    public init(keys: EpochKeys, session: SessionID, frameClass: FrameClass, sender: ParticipantID, publicKey: [UInt8]) throws(SealingError) {
        self.frameClass = frameClass
        metadata = FrameMetadata(keys, session, frameClass)
        kid = Sealing.kid(of: sender, frameClass)
        key = try SFrameKey(baseKey: keys.baseKey(of: session), kid: kid, .opening)
        verifyingKey = try VerifyingKey(publicKey)
    }

    public func open(_ sealed: [UInt8], recipients: [ParticipantID] = []) throws(SealingError) -> OpenedFrame {
        try withBytes(of: sealed) { sealed throws(SealingError) in try open(sealed, recipients: recipients) }
    }

    /// - Throws: `malformed` for what is no frame of this sender and class; `tampered` for what does not open or is not signed.
    public func open(_ sealed: UnsafeRawBufferPointer, recipients: [ParticipantID]) throws(SealingError) -> OpenedFrame {
        let (header, headerSize) = try SFrameHeader.decode(sealed)
        guard header.kid == kid, header.counter < counterLimit, sealed.count >= headerSize + tagSizeBytes else { throw .malformed }
        let metadata = metadata.bytes(recipients)
        let headerBytes = Array(sealed[..<headerSize])
        let plainSize = sealed.count - headerSize - tagSizeBytes
        let signatureSize = frameClass == .record ? signatureSizeBytes : 0
        guard plainSize > signatureSize else { throw .malformed }

        // What is signed stands behind its framing, metadata and header. The plaintext is opened so that, once the signature is taken
        // out from before it, these can be written in its place: the payload is never moved.
        let front = frameClass == .record ? Labels.hearth.framing("record", valueSizeBytes: metadata.count + headerSize + plainSize - signatureSize) + metadata + headerBytes : []
        let room = max(0, front.count - signatureSize)
        var buffer = [UInt8](repeating: 0, count: room + plainSize)
        try withMutableBytes(of: &buffer) { buffer throws(SealingError) in
            try key.open(UnsafeRawBufferPointer(rebasing: sealed[headerSize...]), to: buffer.baseAddress! + room, counter: header.counter, aad: headerBytes + metadata)
            if frameClass == .record { try verify(buffer, front: front, room: room) }
        }
        var reader = FieldReader(buffer[(room + signatureSize)...])
        let stretch = frameClass == .record ? try LogStretch(&reader) : .nothing
        let kind = try reader.integer(UInt8.self)
        let payload = try reader.vector()
        guard reader.rest.allSatisfy({ $0 == 0 }) else { throw .malformed }
        return OpenedFrame(counter: header.counter, stretch: stretch, content: try FrameContent(kind: kind, payload: payload))
    }

    private func verify(_ buffer: UnsafeMutableRawBufferPointer, front: [UInt8], room: Int) throws(SealingError) {
        let rest = room + signatureSizeBytes
        let isSigned = withUnsafeTemporaryAllocation(byteCount: signatureSizeBytes, alignment: 8) { signature in
            signature.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[room..<rest]))
            let start = rest - front.count
            UnsafeMutableRawBufferPointer(rebasing: buffer[start..<rest]).copyBytes(from: front)
            return verifyingKey.verifies(signature.baseAddress!, of: UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
        guard isSigned else { throw .tampered }
    }
}
