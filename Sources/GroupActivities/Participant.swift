// One device in a session, and whom a message is for.

import Conversations
import Foundation
import Wire

/// One device in one session. Equal on all devices by its id. Apple: GroupActivities/Participant.
public struct Participant: Hashable, Identifiable, Sendable {
    public let id: UUID
    /// The name that the participant gave itself: text from a stranger, empty where none is known. Not in Apple's framework.
    public let displayName: String
    let isLocal: Bool

    init(_ id: ParticipantID, name: String, isLocal: Bool) {
        self.id = UUID(id.bytes)
        displayName = name
        self.isLocal = isLocal
    }

    var name: ParticipantID { ParticipantID(id.bytes16) }

    /// True for the local participant alone: nearness of others is not known here.
    public var isNearbyWithLocalParticipant: Bool { isLocal }

    public static func == (left: Participant, right: Participant) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Participant: CustomStringConvertible {
    public var description: String { "Participant(id: \(id))" }
}

/// Whom a message is for. Apple: GroupActivities/Participants.
public enum Participants {
    /// Everybody else in the session.
    case all
    case only(Set<Participant>)

    public static func only(_ participant: Participant) -> Participants { .only([participant]) }
}

extension UUID {
    init(_ bytes: Bytes16) {
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: (index < 8 ? bytes.high : bytes.low) >> UInt64(56 - 8 * (index % 8))) }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }

    var bytes16: Bytes16 {
        withUnsafeBytes(of: uuid) { bytes in
            Bytes16(high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
