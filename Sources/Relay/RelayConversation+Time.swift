// What happens because time passes: places are given up, sessions and the conversation itself end.

import Wire

extension RelayConversation {
    /// `nowNanoseconds` is monotonic.
    public mutating func tick(nowNanoseconds: UInt64) {
        now = max(now, nowNanoseconds)
        guard case .open = phase else { return askAgain() }
        let late = participants.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys
        for participant in late.sorted(by: { precedes(SessionID($0.bytes), SessionID($1.bytes)) }) { depart(participant, reason: .away) }
        for (putter, deadline) in awaited where deadline <= now {
            awaited[putter] = nil
            removeWhatGoes(with: putter)
        }
        if let deadline = returnsUntil, deadline <= now { settleAfterReturns() }
        for session in sessions.keys.sorted(by: precedes) where session != .own && isOver(sessions[session]?.emptySince) {
            finish(session, by: .relay, reason: .nobody)
        }
        askAgain()
        guard participants.isEmpty, isOver(emptySince) else { return }
        phase = .ending
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
    }

    private func isOver(_ emptySince: UInt64?) -> Bool {
        guard let emptySince else { return false }
        return emptySince &+ UInt64(settings.graceSeconds) * 1_000_000_000 <= now
    }
}
