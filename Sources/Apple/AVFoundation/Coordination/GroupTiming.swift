// The group's timelines: wishes made here, wishes told by others, and the start when all are ready.

import CoreMedia
import Foundation

extension PlaybackGroup {
    mutating func transition(to item: String?, itemTime: CMTime, rate: Double, at now: Int64) {
        let item = item.flatMap { $0.utf8.count <= PlaybackLimits.itemIdentifierSizeBytes ? $0 : String($0.prefix(PlaybackLimits.itemIdentifierSizeBytes / 4)) }
        self.item = item
        ready = nil
        outstanding = nil
        solo = nil
        requests = []
        guard let item else {
            proposal = nil
            tellStatus(to: nil, isReliable: true, at: now)
            return forgetAbandonedItems()
        }
        let rate = rate.isFinite && abs(rate) <= PlaybackLimits.rate ? rate : 0
        let found = GroupTimeline(
            item: item, phase: rate == 0 ? .paused : .playing, cause: .begin, rate: rate, itemTime: itemTime, at: now, originator: local, version: .init(counter: 0, author: local))
        if isSuspended { solo = found }
        if !isSynchronized {
            proposal = found
        } else if let entry {
            if !isSuspended { catchUp(entry.timeline) }
        } else {
            publish(phase: found.phase, cause: .begin, rate: rate, itemTime: found.itemTime, at: now, isFollowed: false)
        }
        tellStatus(to: nil, isReliable: true, at: now)
        forgetAbandonedItems()
    }

    /// A wish of the local participant's.
    mutating func request(_ request: Request, at now: Int64) {
        guard item != nil else { return }
        if isSuspended { return change(alone: request, at: now) }
        guard isSynchronized else {
            // The newest wish of each kind is enough.
            requests = requests.filter { old in
                switch (old, request) {
                case (.rate, .rate), (.seek, .seek): false
                default: true
                }
            }
            return requests.append(request)
        }
        guard let current = entry?.timeline else { return }
        let position = current.itemTime(at: now)
        switch request {
        case .rate(let rate, let isImmediate):
            guard rate.isFinite, abs(rate) <= PlaybackLimits.rate else { return }
            if rate == 0 {
                publish(phase: .paused, cause: .pause, rate: 0, itemTime: position, at: now)
            } else if current.phase == .playing || isImmediate || !isAnyoneWaitedFor(current) {
                publish(phase: .playing, cause: .play, rate: rate, itemTime: position, at: now)
            } else {
                publish(phase: .waiting, cause: .play, rate: rate, itemTime: position, at: now, due: now &+ PlaybackLimits.readinessPatienceNanoseconds)
            }
        case .seek(let time, let resumesImmediately):
            guard time.isNumeric else { return }
            if current.rate == 0 {
                publish(phase: .paused, cause: .seek, rate: 0, itemTime: time, at: now)
            } else if resumesImmediately {
                publish(phase: .playing, cause: .seek, rate: current.rate, itemTime: time, at: now)
            } else {
                publish(phase: .waiting, cause: .seek, rate: current.rate, itemTime: time, at: now, due: now &+ PlaybackLimits.readinessPatienceNanoseconds)
            }
        }
    }

    /// Says where the group is from now on.
    mutating func publish(
        phase: GroupTimeline.Phase, cause: GroupTimeline.Cause, rate: Double, itemTime: CMTime, at instant: Int64, due: Int64? = nil, originator: UUID? = nil, isFollowed: Bool = true,
        toldAt now: Int64? = nil
    ) {
        guard let item else { return }
        let counter = min((entries[item]?.timeline.version.counter ?? 0) + 1, PlaybackLimits.versionCounter)
        let timeline = GroupTimeline(
            item: item, phase: phase, cause: cause, rate: rate, itemTime: itemTime, at: instant, due: due, originator: originator ?? local, version: .init(counter: counter, author: local))
        entries[item] = Entry(timeline: timeline, told: timeline, teller: local, roundTrip: 0)
        tell([timeline], to: nil, isWelcome: false, at: now ?? instant)
        if isFollowed, !isSuspended { follow(timeline) }
    }

    mutating func tell(_ timelines: [GroupTimeline], to recipient: UUID?, isWelcome: Bool, at now: Int64) {
        guard isConnected else { return }
        out.append(.send(.timelines(.init(timelines: Array(timelines.prefix(PlaybackLimits.itemCount)), isWelcome: isWelcome, sentAt: now)), to: recipient, isReliable: true))
    }

    /// A timeline told by another: the newest version wins, in whatever order they come.
    mutating func merge(_ told: GroupTimeline, toldBy teller: UUID, sentAt: Int64, at now: Int64) {
        if let known = entries[told.item], known.timeline.version >= told.version { return }
        guard entries[told.item] != nil || entries.count < PlaybackLimits.itemCount else { return }
        var sample = clocks.best(of: teller)
        // Before the first round trip the message itself is the best hint: it cannot have come before it was sent.
        if sample.roundTrip == .max { sample.offset = sentAt &- now }
        let timeline = told.shifted(by: 0 &- sample.offset)
        let old = entries[told.item]?.timeline
        entries[told.item] = Entry(timeline: timeline, told: told, teller: teller, roundTrip: sample.roundTrip)
        guard told.item == item, isSynchronized, !isSuspended else { return }
        if old == nil {
            catchUp(timeline)
        } else if timeline.cause != .begin || timeline.phase != .paused || old?.phase != .paused || old?.itemTime != timeline.itemTime {
            // Two who opened an item at once and alike have nothing to do about it.
            follow(timeline)
        }
        tellStatus(to: nil, isReliable: false, at: now)
    }

    /// A better knowledge of the teller's clock moves its timelines, but never a worse one.
    mutating func refine(from teller: UUID, at now: Int64) {
        let sample = clocks.best(of: teller)
        for (item, old) in entries where old.teller == teller && sample.roundTrip < old.roundTrip {
            var entry = old
            entry.roundTrip = sample.roundTrip
            let timeline = old.told.shifted(by: 0 &- sample.offset)
            let shift = (timeline.instantNanoseconds &- old.timeline.instantNanoseconds).magnitude
            if shift > UInt64(PlaybackLimits.correctionNanoseconds) || timeline.phase != .playing {
                entry.timeline = timeline
                if item == self.item, timeline.phase == .playing, isSynchronized, !isSuspended { play(timeline, originator: nil) }
            }
            entries[item] = entry
        }
    }

    /// The participants that a start would wait for.
    private func waitedFor(_ timeline: GroupTimeline) -> [UUID] {
        peers.filter { _, peer in
            guard isOnItem(timeline.item, peer), !peer.isSilent else { return false }
            return peer.status.suspensions.isEmpty || peer.status.suspensions.contains(where: holdsBack)
        }.map(\.key)
    }

    private func isAnyoneWaitedFor(_ timeline: GroupTimeline) -> Bool { !waitedFor(timeline).isEmpty }

    func holdsBack(_ reason: String) -> Bool { policy.waitingReasons.contains(reason) && peers.count + 1 <= policy.participantLimits[reason] ?? .max }

    /// Who starts: the one who wished it, or the first that can.
    private func isStarter(of timeline: GroupTimeline) -> Bool {
        let able = peers.filter { isOnItem(timeline.item, $0.value) && !$0.value.isSilent }.map(\.key) + [local]
        if able.contains(timeline.originator) { return timeline.originator == local }
        return able.allSatisfy { $0 == local || local.precedes($0) }
    }

    mutating func startIfAllAreReady(at now: Int64) {
        guard isSynchronized, let timeline = entry?.timeline, timeline.phase == .waiting, isStarter(of: timeline) else { return }
        let isDue = timeline.dueNanoseconds.map { now >= $0 } ?? false
        if suspensions.contains(where: { holdsBack($0.reason) }) { return }
        if !isSuspended, ready != timeline.version, !isDue { return }
        for id in waitedFor(timeline) {
            guard let status = peers[id]?.status else { continue }
            if !status.suspensions.isEmpty { return }
            if status.ready != timeline.version, !isDue { return }
        }
        let others = peers.filter { isOnItem(timeline.item, $0.value) }.keys
        let lead = others.isEmpty ? 0 : min(PlaybackLimits.leadNanoseconds &+ clocks.farthest(of: others), PlaybackLimits.leadLimitNanoseconds)
        publish(phase: .playing, cause: .start, rate: timeline.rate, itemTime: timeline.itemTime, at: now &+ lead, originator: timeline.originator, toldAt: now)
    }
}
