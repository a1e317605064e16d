// Who takes part, what they tell of themselves, and how a newcomer learns where the group is without disturbing it.

import CoreMedia
import Foundation

extension PlaybackGroup {
    mutating func connect(as local: UUID, _ participants: Set<UUID>, at now: Int64) {
        self.local = local
        peers = [:]
        clocks = PeerClocks()
        // What was played alone is a proposal to the group, no more.
        proposal = entry?.timeline
        entries = [:]
        isConnected = true
        connectedAt = now
        present = participants.subtracting([local])
        isSynchronized = false
        if present.isEmpty { synchronize(at: now) } else { tellStatus(to: nil, isReliable: true, at: now) }
    }

    mutating func disconnect() {
        isConnected = false
        isSynchronized = true
        present = []
        peers = [:]
        clocks = PeerClocks()
        lastHeartbeat = nil
        // The local player goes on by itself from where the group was.
        if let kept = item.flatMap({ item in entries[item].map { (item, $0) } }) { entries = [kept.0: kept.1] } else { entries = [:] }
    }

    mutating func change(to participants: Set<UUID>, at now: Int64) {
        guard isConnected else { return }
        let others = participants.subtracting([local])
        let newcomers = others.subtracting(present)
        for gone in present.subtracting(others) {
            peers[gone] = nil
            clocks.forget(gone)
        }
        present = others
        for newcomer in newcomers { tellStatus(to: newcomer, isReliable: true, at: now) }
        if !isSynchronized, isFirstOfTheNew { synchronize(at: now) }
        forgetAbandonedItems()
    }

    mutating func receive(_ message: PlaybackMessage, from sender: UUID, at now: Int64) {
        guard isConnected, sender != local, present.contains(sender), message.isAcceptable else { return }
        switch message {
        case .status(let status): receive(status, from: sender, at: now)
        case .timelines(let told):
            peers[sender]?.lastHeard = now
            for timeline in told.timelines where timeline.isAcceptable { merge(timeline, toldBy: sender, sentAt: told.sentAt, at: now) }
            if told.isWelcome, !isSynchronized { synchronize(at: now) }
        }
    }

    private mutating func receive(_ status: PlaybackStatus, from sender: UUID, at now: Int64) {
        clocks.received(sentAt: status.sentAt, echo: status.echoes[local], from: sender, at: now)
        var peer = peers[sender] ?? Peer(status: status, lastHeard: now)
        let isNews = peer.status.sentAt <= status.sentAt
        peer.lastHeard = now
        if isNews { peer.status = status }
        let knowsLess = status.item.flatMap { entries[$0] }.map { (status.held ?? TimelineVersion(counter: 0, author: sender)) < $0.timeline.version } ?? false
        let mayResend = peer.lastResent.map { now &- $0 >= PlaybackLimits.resendNanoseconds } ?? true
        if status.asks, isSynchronized {
            tellStatus(to: sender, isReliable: true, at: now)
            tell(entries.values.map(\.timeline), to: sender, isWelcome: true, at: now)
            peer.lastResent = now
        } else if knowsLess, mayResend, let timeline = status.item.flatMap({ entries[$0] })?.timeline {
            // Something was lost on the way: whoever notices mends it.
            tell([timeline], to: sender, isWelcome: false, at: now)
            peer.lastResent = now
        } else if status.asks {
            tellStatus(to: sender, isReliable: true, at: now)
        }
        peers[sender] = peer
        if !isSynchronized, isFirstOfTheNew { synchronize(at: now) }
        refine(from: sender, at: now)
        forgetAbandonedItems()
    }

    /// When all who are there are new, the first by identity begins.
    private var isFirstOfTheNew: Bool {
        present.allSatisfy { id in peers[id].map { !$0.status.isSynchronized && local.precedes(id) } ?? false }
    }

    /// From here on the group's state is known.
    mutating func synchronize(at now: Int64) {
        isSynchronized = true
        let (proposed, queued) = (proposal, requests)
        (proposal, requests) = (nil, [])
        tellStatus(to: nil, isReliable: true, at: now)
        if let item {
            if let entry {
                if !isSuspended { catchUp(entry.timeline) }
            } else {
                let timeline = proposed?.item == item ? proposed : nil
                publish(
                    phase: timeline?.phase ?? .paused, cause: .begin, rate: timeline?.rate ?? 0, itemTime: timeline?.itemTime(at: now) ?? .zero, at: now,
                    due: timeline?.phase == .waiting ? now &+ PlaybackLimits.readinessPatienceNanoseconds : nil, isFollowed: timeline?.phase == .waiting)
            }
        }
        for request in queued { self.request(request, at: now) }
    }

    mutating func tellStatus(to recipient: UUID?, isReliable: Bool, at now: Int64) {
        guard isConnected else { return }
        let status = PlaybackStatus(
            item: item, suspensions: suspensions.prefix(PlaybackLimits.suspensionCount).map(\.reason), ready: ready, held: entry?.timeline.version, isSynchronized: isSynchronized,
            asks: !isSynchronized, sentAt: now, echoes: clocks.echoes(at: now))
        if recipient == nil { lastHeartbeat = now }
        out.append(.send(.status(status), to: recipient, isReliable: isReliable))
    }

    func isOnItem(_ item: String, _ peer: Peer) -> Bool { peer.status.item == item }

    /// The state of an item lives as long as somebody is on it.
    mutating func forgetAbandonedItems() {
        guard isSynchronized, entries.count > 1 || item == nil else { return }
        let used = Set(peers.values.compactMap(\.status.item) + [item].compactMap(\.self))
        entries = entries.filter { used.contains($0.key) }
    }
}
