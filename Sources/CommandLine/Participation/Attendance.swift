// Who comes and goes, read from one list of participants and the next.

import Conversations
import Wire

enum AttendanceChange: Equatable, Sendable {
    case came(Participant)
    case left(Participant)
    case wentAway(Participant)
    case cameBack(Participant)

    static func between(_ before: [Participant], _ after: [Participant]) -> [AttendanceChange] {
        let known = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let present = Set(after.map(\.id))
        return before.filter { !present.contains($0.id) }.map { .left($0) }
            + after.compactMap { participant in
                guard let old = known[participant.id] else { return .came(participant) }
                guard old.isAway != participant.isAway else { return nil }
                return participant.isAway ? .wentAway(participant) : .cameBack(participant)
            }
    }

    var participant: Participant {
        switch self {
        case .came(let participant), .left(let participant), .wentAway(let participant), .cameBack(let participant): participant
        }
    }

    var event: String {
        switch self {
        case .came: "came"
        case .left: "left"
        case .wentAway: "away"
        case .cameBack: "back"
        }
    }

    var words: String {
        let name = ShownText.line(participant.name)
        return switch self {
        case .came: "\(name) is here"
        case .left: "\(name) has left"
        case .wentAway: "\(name)'s connection is lost"
        case .cameBack: "\(name) is back"
        }
    }
}
