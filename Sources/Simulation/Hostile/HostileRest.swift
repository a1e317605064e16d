// What end-to-end encryption and the comparison of logs promise against a relay that lies, looked at once it has stopped, at the participants only.

import Conversations
import Sealing
import Wire

extension World {
    /// Lets people talk, looks whether who was lied to knows, and whether everybody can go.
    func comeToHostileRest(_ liar: Liar) {
        liar.stop()
        loop.run(until: loop.now + .seconds(story.resumeWindowSeconds + 40)) { violation != nil }
        talk()
        if pairs(liar).contains(where: { $0.comparison == .incomparable && !$0.isTold }) {
            // For so long it may be that what cannot be compared comes from before.
            loop.run(until: loop.now + .seconds(640 + story.resumeWindowSeconds)) { violation != nil }
            talk()
        }
        guard violation == nil else { return }
        for pair in pairs(liar) where pair.comparison != .same && !pair.isTold {
            return fail(
                .liesAreTold,
                "\(pair.one.name) and \(pair.other.name) were shown \(pair.comparison == .different ? "different logs" : "logs that cannot be compared") of \(name(of: pair.session)), and \(pair.untold?.name ?? "") was not told",
                isSeenByPerson: true)
        }
        checkWhatIsKnown()
        loadEverything()
        goodbye()
    }

    /// Everybody says something in each session, and again when they have heard it.
    private func talk() {
        for _ in 0..<3 where violation == nil {
            for participation in openParticipations() {
                for session in participation.stays.keys.sorted(by: { $0.bytes.high < $1.bytes.high }) { participation.say(40, to: [], in: session, isReliable: true) }
            }
            loop.run(until: loop.now + .seconds(21)) { violation != nil }
        }
    }

    // MARK: Told

    private struct Pair {
        let session: SessionID
        let one: Participation
        let other: Participation
        let comparison: ShownLog.Comparison

        var untold: Participation? { [one, other].first { $0.stays[session]?.isToldOfAnotherLog != true } }
        var isTold: Bool { untold == nil }
    }

    /// Everybody who is in a session with everybody else of whom it is known what they were shown.
    private func pairs(_ liar: Liar) -> [Pair] {
        var members: [SessionID: [(Participation, ShownLog)]] = [:]
        for participation in openParticipations() where !liar.unjudged.contains(participation.id) {
            for session in participation.stays.keys {
                if let log = liar.logs[participation.id]?[session]?.last { members[session, default: []].append((participation, log)) }
            }
        }
        var pairs: [Pair] = []
        for (session, members) in members.sorted(by: { $0.key.bytes.high < $1.key.bytes.high }) {
            for (index, (one, log)) in members.enumerated() {
                for (other, others) in members[(index + 1)...] { pairs.append(Pair(session: session, one: one, other: other, comparison: log.compared(with: others))) }
            }
        }
        return pairs
    }

    // MARK: Nobody and nothing is invented

    private func checkWhatIsKnown() {
        for participation in openParticipations() {
            let conversation = participation.conversation
            nonisolated(unsafe) var people: [Participant] = []
            nonisolated(unsafe) var activities: [RunningActivity] = []
            nonisolated(unsafe) var entries: [LedgerEntry] = []
            let sessions = Array(participation.stays.keys)
            Task {
                people = await conversation.participants
                activities = await conversation.activities
                for session in sessions {
                    let snapshot = await conversation.session(session)
                    people += snapshot?.participants ?? []
                    entries += snapshot?.entries ?? []
                }
            }
            loop.workOff()
            for person in people where !isReal(person) { return fail(.nobodyInvented, "\(participation.name) sees \(person.name), who never came", isSeenByPerson: true) }
            for activity in activities where !participations.contains(where: { $0.id == activity.initiator }) {
                return fail(.nobodyInvented, "\(participation.name) knows an activity that nobody has announced", isSeenByPerson: true)
            }
            for entry in entries where !isReal(entry) { return fail(.nobodyInvented, "\(participation.name) sees an attachment that nobody has shared so", isSeenByPerson: true) }
        }
    }

    private func isReal(_ person: Participant) -> Bool { participations.contains { $0.id == person.id && person.name == "\($0.device.name) \($0.number)" } }

    private func isReal(_ entry: LedgerEntry) -> Bool {
        guard case .attachment(let manifest) = entry.body, participations.contains(where: { $0.id == entry.maker }) else { return false }
        // Of what its maker was never told to be announced nothing more is known here.
        guard let item = items.first(where: { $0.entry == entry.entry }) else { return true }
        return item.maker.id == entry.maker && item.content.count == manifest.plainSizeBytes
    }

    private func loadEverything() {
        for participation in openParticipations() {
            for item in items.filter({ participation.stays[$0.session] != nil }).prefix(3) { participation.load(item) }
        }
        loop.run(until: loop.now + .seconds(15)) { violation != nil }
    }

    // MARK: Going

    private func goodbye() {
        guard violation == nil else { return }
        tell("everybody leaves")
        for participation in openParticipations() { participation.leave() }
        loop.run(until: loop.now + .seconds(5)) { violation != nil }
        guard violation == nil else { return }
        if let open = participations.first(where: { $0.end == nil }) { return fail(.canLeave, "\(open.name) has left and its conversation is not over", isSeenByPerson: true) }
        loop.run(until: loop.now + .seconds(60)) { violation != nil }
        if let (person, waiting) = participations.lazy.compactMap({ person in person.pending.min { $0.key < $1.key }.map { (person, $0.value) } }).first {
            fail(.canLeave, "\(person.name) has left and still waits for an answer to \(waiting)", isSeenByPerson: true)
        }
    }
}
