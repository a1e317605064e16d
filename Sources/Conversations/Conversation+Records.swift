// Records that wait for their turn, and what waits until they have gone out: leaving a session, ending it, leaving the conversation.

import Wire

enum Parting { case exit, end }

extension Conversation {
    private static let partingLimit: Duration = .seconds(2)

    func part(from session: SessionID, _ parting: Parting) {
        guard window.isWaiting(in: session) else { return perform(effects(of: parting, session)) }
        // An end is more than an exit, whichever was asked for first.
        if partings[session] != .end { partings[session] = parting }
    }

    private func effects(of parting: Parting, _ session: SessionID) -> [ConversationEffect] {
        parting == .end ? state.end(session) : state.exit(session)
    }

    /// Gives the rules as many of the records that wait as may go.
    func handOver() {
        while let record = window.next() {
            var effects = state.record(record.frame, to: record.recipients, in: record.session, token: record.token)
            if !window.isWaiting(in: record.session), let parting = partings.removeValue(forKey: record.session) { effects += self.effects(of: parting, record.session) }
            for effect in effects { perform(effect) }
        }
        if !window.isWaiting { resumeLeaveWaiters() }
    }

    /// Returns when no record waits, or after 2 s.
    func waitingGone() async {
        let clock = environment.clock
        let limit = Task { [weak self, now] in
            try? await clock.sleep(until: now + Self.partingLimit)
            await self?.resumeLeaveWaiters()
        }
        await withCheckedContinuation { leaveWaiters.append($0) }
        limit.cancel()
    }

    func resumeLeaveWaiters() {
        for waiter in leaveWaiters { waiter.resume() }
        leaveWaiters = []
    }
}
