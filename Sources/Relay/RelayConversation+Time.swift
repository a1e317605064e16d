// What happens because time passes: places are given up, sessions and the conversation itself end.

import Wire

extension RelayConversation {
    /// `nowNanoseconds` is monotonic; `wallSeconds` is the time of day since 1970, and may go back when somebody sets the clock.
    public mutating func tick(nowNanoseconds: UInt64, wallSeconds: UInt64) {
        now = max(now, nowNanoseconds)
        self.wallSeconds = wallSeconds
        guard case .open = phase else { return askAgain() }
        tickDoor()
        let late = participants.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys
        for participant in late.sorted(by: { precedes(SessionID($0.bytes), SessionID($1.bytes)) }) { depart(participant, reason: .away) }
        for (putter, deadline) in awaited where deadline <= now {
            awaited[putter] = nil
            removeWhatGoes(with: putter)
        }
        if let deadline = returnsUntil, deadline <= now { settleAfterReturns() }
        for session in sessions.keys.sorted(by: precedes) where session != .own && isDeserted(session) { finish(session, by: .relay, reason: .nobody) }
        askAgain()
        guard participants.isEmpty, isOver(emptySince, mayReturn: returnsUntil != nil) else { return }
        phase = .ending
        for participant in knockersInOrder { turnAway(participant, .gone, .unknownConversation) }
        ask(.removeConversation, .removeConversation)
    }

    /// Whoever has not come back by now has lost its place.
    private mutating func settleAfterReturns() {
        returnsUntil = nil
        for session in sessions.keys.sorted(by: precedes) where sessions[session]?.awaitsReturns == true {
            sessions[session]?.awaitsReturns = false
            sessions[session]?.acknowledgementsChanged = true
            touch(session)
        }
        for session in sessions.keys.sorted(by: precedes) where session != .own {
            removeUnfinished(in: session) { [members = sessions[session]?.members] in members?[$0] == nil }
        }
    }

    private func isDeserted(_ session: SessionID) -> Bool {
        guard let session = sessions[session], !session.isEnding else { return false }
        return isOver(session.emptySince, mayReturn: session.awaitsReturns)
    }

    /// The grace time ends nothing to which somebody may still return whose place a relay that has not restarted would keep.
    private func isOver(_ emptySince: UInt64?, mayReturn: Bool) -> Bool {
        guard let emptySince, !mayReturn else { return false }
        return emptySince &+ UInt64(settings.graceSeconds) * 1_000_000_000 <= now
    }
}
