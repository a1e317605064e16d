// What came of each kind of lie: counted for one story, and summed up over many.

import Conversations
import Wire

struct LieTally: Sendable, Equatable {
    /// How often it was told.
    var hitCount = 0
    /// Somebody was told of it afterwards, or the loading failed with a word.
    var toldCount = 0
    /// It cost whom it was told to a session, or the conversation.
    var endedCount = 0
    /// Nobody was told anything.
    var untoldCount = 0

    static func += (left: inout LieTally, right: LieTally) {
        left.hitCount += right.hitCount
        left.toldCount += right.toldCount
        left.endedCount += right.endedCount
        left.untoldCount += right.untoldCount
    }

    var text: String { "\(hitCount),\(toldCount),\(endedCount),\(untoldCount)" }

    init() {}

    init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        (hitCount, toldCount, endedCount, untoldCount) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}

extension [LieKind: LieTally] {
    static func += (left: inout Self, right: Self) {
        for (kind, tally) in right { left[kind, default: LieTally()] += tally }
    }

    var figures: [String: [String: Int]] {
        [String: [String: Int]](
            uniqueKeysWithValues: map { ($0.key.rawValue, ["toldTo": $0.value.hitCount, "foundOut": $0.value.toldCount, "sessionOver": $0.value.endedCount, "unnoticed": $0.value.untoldCount]) })
    }

    /// As a table, in the order of the kinds.
    var lines: [String] {
        let rows =
            [("lie", "told to", "found out", "session over", "unnoticed")]
            + LieKind.allCases.compactMap { kind in
                self[kind].map { (kind.rawValue, "\($0.hitCount)", "\($0.toldCount)", "\($0.endedCount)", "\($0.untoldCount)") }
            }
        func column(_ text: String, _ width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - text.count)) + text }
        return rows.map { row in row.0 + column(row.1, 32 - row.0.count) + column(row.2, 12) + column(row.3, 14) + column(row.4, 12) }
    }
}

extension Liar {
    private static let saidKinds: Set<LieKind> = [.dropSaid, .tamperSaid, .swapSaid, .refuse]

    func tally() -> [LieKind: LieTally] {
        var tallies: [LieKind: LieTally] = [:]
        for hit in hits {
            let after = notices.filter { $0.at >= hit.at && (hit.session == nil || $0.session == nil || $0.session == hit.session) }
            // What somebody says and a relay changes costs those who hear it the session.
            let isEnded = after.contains { $0.what == .over && ($0.participant == hit.participant || Self.saidKinds.contains(hit.kind)) }
            let isTold = after.contains { $0.what == .diverged || $0.what == .badBody && $0.participant == hit.participant }
            tallies[hit.kind, default: LieTally()].hitCount += 1
            if isTold { tallies[hit.kind]?.toldCount += 1 }
            if isEnded { tallies[hit.kind]?.endedCount += 1 }
            if !isTold, !isEnded { tallies[hit.kind]?.untoldCount += 1 }
        }
        return tallies
    }
}

extension Liar {
    /// A participant has lost a session: for nothing, if nothing was done in it.
    func over(_ reason: SessionEnd, for participation: Participation, _ session: SessionID) {
        if reason != .left, reason != .ended { note(.over, participation.id, session) }
        guard reason == .gap || reason == .tampered, !hasLied(in: session) else { return }
        if reason == .gap, world.wasAwayTooLong(participation.id) || world.log.hasEnded(session) { return }
        world.fail(.nobodyLosesSession, "\(participation.name) lost \(world.name(of: session)) (\(reason)), in which nobody was lied to", isSeenByPerson: true)
    }
}
