// When nothing is broken any more: everything that was asked for is answered, and everybody has the same.

import Conversations
import Relay
import Wire

/// How one participation stands.
private struct Standing {
    let participation: Participation
    let isConnected: Bool
    let people: Set<ParticipantID>
    let activities: [RunningActivity]
    let own: SessionSnapshot?
    let sessions: [SessionID: SessionSnapshot]
}

extension World {
    /// Waits as long as the rules of the protocol let somebody take, and then compares.
    func comeToRest() {
        let limit = loop.now + .seconds(story.resumeWindowSeconds + 100)
        var standings: [Standing] = []
        var unrest: String?
        repeat {
            loop.run(until: loop.now + .seconds(1)) { violation != nil }
            if violation != nil { return }
            (standings, unrest) = inspect()
        } while unrest != nil && loop.now < limit
        if let unrest { return fail(.comesToRest, unrest) }
        // What the relay has just begun may be on the disk already and still be on its way to somebody.
        for _ in 0..<6 where difference(standings) != nil {
            loop.run(until: loop.now + .seconds(2)) { violation != nil }
            standings = inspect().0
        }
        tell("everything has come to rest")
        if let (claim, detail) = difference(standings) { fail(claim, detail) }
        if violation == nil { checkHearing() }
        if violation == nil { checkRemovals("at rest") }
        if violation == nil { checkKept(standings) }
    }

    private func inspect() -> ([Standing], String?) {
        nonisolated(unsafe) var standings: [Standing] = []
        nonisolated(unsafe) var figures: RelayFigures?
        guard let hub = life?.hub else { return ([], "the relay is not there") }
        Task { [self] in
            for participation in openParticipations() {
                let conversation = participation.conversation
                var sessions: [SessionID: SessionSnapshot] = [:]
                for session in participation.stays.keys { sessions[session] = await conversation.session(session) }
                standings.append(
                    Standing(
                        participation: participation, isConnected: await conversation.isConnected, people: Set(await conversation.participants.map(\.id)),
                        activities: await conversation.activities, own: await conversation.session(.own), sessions: sessions))
            }
            figures = await hub.figures
        }
        loop.workOff()
        guard let figures else { return (standings, "somebody does not answer when asked how it stands") }
        return (standings, unrest(standings, figures))
    }

    private func unrest(_ standings: [Standing], _ figures: RelayFigures) -> String? {
        for standing in standings {
            let participation = standing.participation
            if !standing.isConnected { return "\(participation.name) is not connected" }
            // A line may be dead for as long as silence is allowed before either end finds out, and until then somebody misses what is said.
            if lines[participation.device.index]?.isUsable == false { return "\(participation.name) has not found out that the connection is dead" }
            if let waiting = participation.firstPending { return "\(participation.name) waits for an answer to \(waiting)" }
            if !participation.entering.isEmpty { return "\(participation.name) is still entering a session" }
            if standing.own?.isInSync != true { return "\(participation.name) is not in sync with the conversation" }
            for (session, snapshot) in standing.sessions where !snapshot.isInSync { return "\(participation.name) is not in sync with \(name(of: session))" }
        }
        if requestCount > 0 { return "a part is still on its way" }
        if figures.participants != standings.count { return "the relay counts \(figures.participants) participants, and \(standings.count) are there" }
        if figures.connections != standings.count { return "the relay counts \(figures.connections) connections, and \(standings.count) people are there" }
        if figures.logBytes > 0, !standings.isEmpty { return "\(figures.logBytes) bytes of logs wait to be acknowledged" }
        return nil
    }

    // MARK: The same for everybody

    private func difference(_ standings: [Standing]) -> (Claim, String)? {
        let people = Set(standings.map(\.participation.id))
        for standing in standings {
            if standing.people != people { return (.samePeople, "\(standing.participation.name) sees \(standing.people.count) people in the conversation, and \(people.count) are there") }
            if standing.activities.map(\.session) != standings[0].activities.map(\.session) || standing.activities.map(\.version) != standings[0].activities.map(\.version) {
                return (.equalLedgers, "\(standing.participation.name) knows other activities than \(standings[0].participation.name)")
            }
        }
        var members: [SessionID: [(standing: Standing, snapshot: SessionSnapshot)]] = [:]
        for standing in standings {
            if let own = standing.own { members[.own, default: []].append((standing, own)) }
            for (session, snapshot) in standing.sessions { members[session, default: []].append((standing, snapshot)) }
        }
        for (session, members) in members {
            let present = Set(members.map(\.standing.participation.id))
            let kept = disk.entries(of: session, in: invitation.conversation)
            for (standing, snapshot) in members {
                let seen = snapshot.participants.map(\.id)
                if Set(seen) != present || seen.count != present.count {
                    return (.samePeople, "\(standing.participation.name) sees \(seen.count) people in \(name(of: session)), and \(present.count) are in it")
                }
                if snapshot.entries != members[0].snapshot.entries {
                    return (.equalLedgers, "\(standing.participation.name) and \(members[0].standing.participation.name) have different ledgers of \(name(of: session))")
                }
                if snapshot.entries.map(\.entry) != kept.map(\.entry) || snapshot.entries.map(\.version) != kept.map(\.version) {
                    return (.equalLedgers, "\(standing.participation.name) has versions \(snapshot.entries.map(\.version)) of \(name(of: session)), and the relay keeps \(kept.map(\.version))")
                }
            }
        }
        return nil
    }

    /// Each stay that lasts has been told everything that was ordered since it began.
    private func checkHearing() {
        guard let incarnation = life?.incarnation else { return }
        for participation in openParticipations() where !wasAwayTooLong(participation.id) {
            for stay in participation.stays.values { checkHearing(participation, stay, incarnation) }
        }
    }

    private func checkHearing(_ participation: Participation, _ stay: Stay, _ incarnation: UInt64) {
        guard let start = stay.start else { return }
        for (name, places) in log.places {
            guard let saying = sayings[name], saying.session == stay.session, saying.isFor(participation.id), !participation.heardEver.contains(name) else { continue }
            guard let place = places.first, start.precedes(place) else { continue }
            // A session that ended and was announced again under its name is another one.
            if log.hasEnded(stay.session), place.incarnation != incarnation || place.life != log.life(of: stay.session, incarnation) { continue }
            // What a restarted relay has forgotten is said again by who said it, if that one is still there.
            let mayBeLost = !places.contains { $0.incarnation == incarnation } && !isStillThere(saying)
            if !mayBeLost { fail(.everybodyHears, "\(participation.name) never heard \(name), which stood at \(place.sequence) of \(self.name(of: stay.session)) in life \(place.incarnation)") }
        }
    }

    private func isStillThere(_ saying: Saying) -> Bool {
        participations.contains { $0.number == saying.name.speaker && $0.isOpen && $0.stays[saying.session] != nil && !$0.pastStays.contains { $0.session == saying.session } }
    }

    // MARK: Kept and removed

    func checkRemoval(of item: Item, _ when: String, looksForBody: Bool = false) {
        let name = AttachmentName(conversation: invitation.conversation, session: item.session, entry: item.entry)
        if disk.entries(of: item.session, in: invitation.conversation).contains(where: { $0.entry == item.entry }) {
            return fail(.removedIsGone, "an entry that was called removed is kept \(when)")
        }
        // The body goes a moment after the entry, and so does a part that was on its way meanwhile.
        guard looksForBody, !item.isUploading, requestCount == 0 else { return }
        if disk.parts[name] != nil { fail(.removedIsGone, "the body of what was called removed is on the disk \(when)") }
    }

    func checkRemovals(_ when: String) { for item in items where item.isRemoved { checkRemoval(of: item, when, looksForBody: true) } }

    private func checkKept(_ standings: [Standing]) {
        var loads = 0
        for item in items where item.isKept && !item.isRemovalAsked && !log.hasEnded(item.session) {
            guard let standing = standings.first(where: { $0.sessions[item.session] != nil }) else { continue }
            guard disk.entries(of: item.session, in: invitation.conversation).contains(where: { $0.entry == item.entry && $0.isBodyComplete }) else {
                return fail(.keptIsKept, "an attachment that was called kept is not in the ledger of \(name(of: item.session))")
            }
            guard loads < 3 else { continue }
            loads += 1
            standing.participation.load(item)
        }
        let limit = loop.now + .seconds(30)
        while violation == nil, standings.contains(where: { $0.participation.firstPending != nil }), loop.now < limit { loop.run(until: loop.now + .milliseconds(500)) { violation != nil } }
        if violation == nil, let waiting = standings.first(where: { $0.participation.firstPending != nil }) {
            fail(.keptIsKept, "\(waiting.participation.name) waits for \(waiting.participation.firstPending ?? "")")
        }
    }

    // MARK: The end

    func farewell() {
        tell("everybody leaves")
        for participation in openParticipations() { participation.leave() }
        loop.run(until: loop.now + .seconds(5)) { violation != nil }
        guard violation == nil else { return }
        if let open = participations.first(where: { $0.end == nil }) { return fail(.comesToRest, "\(open.name) has left and its conversation is not over") }
        loop.run(until: loop.now + .seconds(story.graceSeconds + story.resumeWindowSeconds + 45)) { violation != nil }
        guard violation == nil, let life else { return }
        nonisolated(unsafe) var figures: RelayFigures?
        Task { figures = await life.hub.figures }
        loop.workOff()
        guard let figures else { return fail(.comesToRest, "the relay does not answer") }
        let rest = [
            ("conversations", figures.conversations), ("sessions", figures.sessions), ("participants", figures.participants), ("connections", figures.connections),
            ("reserved bytes", figures.reservedBytes), ("bytes of logs", figures.logBytes),
        ].filter { $0.1 != 0 }
        if !rest.isEmpty { return fail(.nothingRemains, "the relay still counts \(rest.map { "\($0.1) \($0.0)" }.joined(separator: ", "))") }
        if !disk.isEmpty { fail(.nothingRemains, "something of the conversation is still on the disk") }
    }
}
