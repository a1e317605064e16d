// What records and samples are made of before they are sealed: their class, their kind and what their metadata binds in.

import Wire

/// Whether a frame has a place in the log.
public enum FrameClass: UInt8, Sendable {
    case record = 0
    case sample = 1
}

/// What a frame holds. Kinds that are not listed here are from a later version.
public enum FrameKind {
    /// `vec(message identifier) ‖ JSON`
    public static let message: UInt8 = 1
    /// `vec("") ‖ bytes`
    public static let data: UInt8 = 2
    /// A record that says nothing but how far its sender has come; never shown to an app.
    public static let position: UInt8 = 3
}

/// A message or bytes, as a record or sample carries it.
public enum FrameContent: Equatable, Sendable {
    case message(identifier: String, json: ArraySlice<UInt8>)
    case data(ArraySlice<UInt8>)
    /// Nothing beside the stretch of the log that every record carries.
    case position
    /// A kind that this version does not know.
    case unknown(kind: UInt8)

    init(kind: UInt8, payload: ArraySlice<UInt8>) throws(SealingError) {
        var reader = FieldReader(payload)
        switch kind {
        case FrameKind.message: self = .message(identifier: try reader.text(), json: reader.rest)
        case FrameKind.data:
            guard try reader.vector().isEmpty else { throw .malformed }
            self = .data(reader.rest)
        // What a later version puts in here is not for this one.
        case FrameKind.position: self = .position
        default: self = .unknown(kind: kind)
        }
    }
}

/// The KID under which a participant seals frames of a class.
public func kid(of participant: ParticipantID, _ frameClass: FrameClass) -> UInt64 {
    participant.bytes.high & (1 << 62 - 1) | UInt64(frameClass.rawValue) << 62
}

/// Whose a sealed frame says it is, and which of theirs. Neither is true before the frame has opened.
public func claimedSender(of sealed: [UInt8]) throws(SealingError) -> (kid: UInt64, counter: UInt64) {
    try withBytes(of: sealed) { sealed throws(SealingError) in
        let header = try SFrameHeader.decode(sealed).header
        return (header.kid, header.counter)
    }
}

/// `conversation_id ‖ session_id ‖ u64 epoch ‖ u8 class ‖ vec(recipients)`: authenticated, not sent.
struct FrameMetadata {
    private let start: [UInt8]

    init(_ keys: EpochKeys, _ session: SessionID, _ frameClass: FrameClass) {
        var bytes = keys.conversation.bytes.array
        bytes.append(session.bytes)
        bytes.appendInteger(keys.epoch)
        bytes.append(frameClass.rawValue)
        start = bytes
    }

    func bytes(_ recipients: [ParticipantID]) -> [UInt8] {
        guard !recipients.isEmpty else { return start + [0] }
        let sorted = recipients.map(\.bytes).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        var bytes = start
        bytes.reserveCapacity(start.count + 4 + 16 * sorted.count)
        bytes.appendVariableLengthInteger(16 * sorted.count)
        for recipient in sorted { bytes.append(recipient) }
        return bytes
    }
}

/// At most so many frames under one KID.
let counterLimit: UInt64 = 1 << 32
