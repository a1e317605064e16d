// All frames of the protocol on one screen (docs/protocol/frames.md). Sealed bytes are whatever the participants put in them.

public enum Frame: Equatable, Sendable {
    // From participant to relay
    case hello(Hello)
    case enter(session: SessionID)
    case exit(session: SessionID)
    case end(session: SessionID)
    case record(session: SessionID, counter: UInt64, recipients: [ParticipantID], sealed: [UInt8])
    case sample(session: SessionID, recipients: [ParticipantID], sealed: [UInt8])
    case put(session: SessionID, entry: EntryID, flags: EntryFlags, bodyLength: UInt64, sealed: [UInt8])
    case remove(session: SessionID, entry: EntryID)
    case acknowledge(session: SessionID, sequence: UInt64)
    case leave
    /// `passDigest`: 32 bytes, the SHA-256 of what lets past this door.
    case setDoor(Door, passDigest: [UInt8])
    case knock(sealed: [UInt8])
    case admit(participant: ParticipantID, admits: Bool)

    // Both ways
    case ping(token: UInt64)
    case pong(token: UInt64)

    // From relay to participant
    case welcome(Welcome)
    case position(session: SessionID, sequence: UInt64, participants: [Attendance])
    case complete(session: SessionID, sequence: UInt64)
    case entered(session: SessionID, sequence: UInt64, participant: ParticipantID)
    case exited(session: SessionID, sequence: UInt64, participant: ParticipantID, reason: ExitReason)
    case ended(session: SessionID, sequence: UInt64, participant: ParticipantID, reason: EndReason)
    case ordered(session: SessionID, sequence: UInt64, sender: ParticipantID, counter: UInt64, recipients: [ParticipantID], sealed: [UInt8])
    case skipped(session: SessionID, sequence: UInt64, sender: ParticipantID, counter: UInt64)
    case sampled(session: SessionID, sender: ParticipantID, recipients: [ParticipantID], sealed: [UInt8])
    case entry(Entry)
    case removed(session: SessionID, sequence: UInt64, remover: ParticipantID, entry: EntryID, reason: RemovalReason)
    case stable(session: SessionID, sequence: UInt64)
    case refused(Refusal)
    case waiting(seconds: UInt16)
    case presence(participant: ParticipantID, presence: Presence)
    case door(Door)
    case knocking(participant: ParticipantID, sealed: [UInt8])
    case knocked(participant: ParticipantID, end: KnockEnd)
}

public enum FrameDirection: Sendable { case toRelay, fromRelay, bothWays }

/// The number in front of each frame. Below 0x80 a receiver must know it; from 0x80 on it may be skipped.
public enum FrameType: UInt8, Sendable, CaseIterable {
    case hello = 0x01
    case enter, exit, end, record, sample, put, remove, acknowledge, leave, setDoor, knock, admit
    case ping = 0x10
    case pong
    case welcome = 0x21
    case position, complete, entered, exited, ended, ordered, skipped, sampled, entry, removed, stable, refused, waiting
    case presence = 0xa0
    case door, knocking, knocked

    /// A type from here on may be skipped by who does not know it.
    public static let skippableFrom: UInt8 = 0x80

    public var direction: FrameDirection {
        switch rawValue {
        case ..<0x10: .toRelay
        case ..<0x20: .bothWays
        default: .fromRelay
        }
    }
}
