// Seals what the local participant sends in one session in one class, and is the only place where a counter is taken.

import Wire

/// A frame as it is sent, and sent again.
public struct SealedFrame: Equatable, Sendable {
    public let counter: UInt64
    public let sealed: [UInt8]
}

/// There is one for each session and class, and it lives as long as the identity: a second would repeat nonces.
/// Not for use from two threads at once.
public final class FrameSealer {
    private let identity: Identity
    private let frameClass: FrameClass
    private let metadata: FrameMetadata
    private let key: SFrameKey
    private let kid: UInt64
    public private(set) var nextCounter: UInt64 = 0

    public init(keys: EpochKeys, identity: Identity, session: SessionID, frameClass: FrameClass) throws(SealingError) {
        self.identity = identity
        self.frameClass = frameClass
        metadata = FrameMetadata(keys, session, frameClass)
        kid = Sealing.kid(of: identity.participant, frameClass)
        key = try SFrameKey(baseKey: keys.baseKey(of: session), kid: kid, .sealing)
    }

    /// A message: JSON under an identifier.
    /// - Parameter stretch: what has been taken in of the log. Samples carry none.
    public func sealMessage(identifier: String, json: some Collection<UInt8>, to recipients: [ParticipantID] = [], after stretch: LogStretch = .nothing) throws(SealingError) -> SealedFrame {
        try seal(kind: FrameKind.message, prefix: vector(Array(identifier.utf8)), json, to: recipients, after: stretch)
    }

    /// Bytes that the app has a meaning for.
    public func sealData(_ bytes: some Collection<UInt8>, to recipients: [ParticipantID] = [], after stretch: LogStretch = .nothing) throws(SealingError) -> SealedFrame {
        try seal(kind: FrameKind.data, prefix: vector([]), bytes, to: recipients, after: stretch)
    }

    /// How far the sender has come, for everyone.
    public func sealPosition(after stretch: LogStretch) throws(SealingError) -> SealedFrame {
        try seal(kind: FrameKind.position, prefix: [], [], to: [], after: stretch)
    }

    private func vector(_ bytes: [UInt8]) -> [UInt8] {
        var vector: [UInt8] = []
        vector.appendVector(bytes)
        return vector
    }

    /// - Parameter recipients: none: everyone. At most 100.
    /// - Throws: `tooLarge`; then no counter is taken.
    private func seal(
        kind: UInt8, prefix: [UInt8], _ content: some Collection<UInt8>, to recipients: [ParticipantID], after stretch: LogStretch
    ) throws(SealingError) -> SealedFrame {
        guard content.count <= Limits.messageSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.messageSizeLimitBytes, valueBytes: content.count) }
        guard recipients.count <= Limits.recipientCountLimit else { throw .tooLarge(limitBytes: Limits.recipientCountLimit * 16, valueBytes: recipients.count * 16) }
        guard nextCounter < counterLimit else { throw .exhausted }

        let header = SFrameHeader(kid: kid, counter: nextCounter).encoded
        let metadata = metadata.bytes(recipients)
        let payloadSize = prefix.count + content.count
        let signatureSize = frameClass == .record ? signatureSizeBytes : 0
        let stretch = frameClass == .record ? stretch.encoded : []
        let plainSize = padmeSize(signatureSize + stretch.count + 1 + vectorPrefixSize(payloadSize) + payloadSize)
        let sealedSize = header.count + plainSize + tagSizeBytes
        guard sealedSize <= Limits.recordSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.recordSizeLimitBytes, valueBytes: sealedSize) }

        var frame: [UInt8] = []
        frame.reserveCapacity(sealedSize)
        frame += header
        frame.append(contentsOf: repeatElement(0, count: signatureSize))
        let restStart = frame.count
        frame += stretch
        frame.append(kind)
        frame.appendVariableLengthInteger(payloadSize)
        frame += prefix
        frame.append(contentsOf: content)
        frame.append(contentsOf: repeatElement(0, count: sealedSize - frame.count))

        let counter = nextCounter
        nextCounter += 1
        if frameClass == .record {
            let rest = frame[restStart..<header.count + plainSize]
            var signed = Labels.hearth.framing("record", valueSizeBytes: metadata.count + header.count + rest.count)
            signed.reserveCapacity(signed.count + metadata.count + header.count + rest.count)
            signed += metadata
            signed += header
            signed += rest
            try withBytes(of: signed) { signed throws(SealingError) in
                try withMutableBytes(of: &frame) { frame throws(SealingError) in try identity.key.sign(signed, into: frame.baseAddress! + header.count) }
            }
        }
        try withMutableBytes(of: &frame) { frame throws(SealingError) in
            try key.seal(UnsafeMutableRawBufferPointer(rebasing: frame[header.count...]), counter: counter, aad: header + metadata)
        }
        return SealedFrame(counter: counter, sealed: frame)
    }
}
