// One participant's view of the group, as a value: takes events, answers with actions, knows no player, no network and no clock.

import CoreMedia
import Foundation

package enum PlaybackCommand: Equatable, Sendable {
    case play(rate: Double, itemTime: CMTime, instantNanoseconds: Int64)
    case pause(buffers: Bool, rate: Double)
    case seek(itemTime: CMTime, buffers: Bool, rate: Double, dueNanoseconds: Int64?)
    case buffer(rate: Double, dueNanoseconds: Int64?)
}

package struct PlaybackGroup: Sendable {
    package enum Event: Sendable {
        case connected(as: UUID, participants: Set<UUID>)
        case disconnected
        case participantsChanged(Set<UUID>)
        case received(PlaybackMessage, from: UUID)
        /// The local player is on another item; its state is proposed where the group has none.
        case transition(item: String?, itemTime: CMTime, rate: Double)
        case rateChange(Double, isImmediate: Bool)
        case seek(CMTime, resumesImmediately: Bool)
        case suspensionBegan(id: UUID, reason: String)
        case suspensionEnded(id: UUID, proposedTime: CMTime?)
        /// The local player has done what the command of this number asked for.
        case completed(Int)
        case reapply
        case wake
    }

    package enum Action: Equatable, Sendable {
        case issue(PlaybackCommand, number: Int, item: String, originator: UUID?)
        /// To one participant, or to all others.
        case send(PlaybackMessage, to: UUID?, isReliable: Bool)
        case participantsDidChange
        case suspensionsDidChange
    }

    /// What is shown of another participant.
    package struct Participant: Equatable, Sendable {
        package var id: UUID
        package var suspensions: [String]
        package var isReady: Bool
    }

    struct Policy: Sendable {
        var waitingReasons: Set<String> = []
        var participantLimits: [String: Int] = [:]
        var pauseSnaps = false
    }

    struct Peer: Sendable {
        var status: PlaybackStatus
        var lastHeard: Int64
        var lastResent: Int64?
        var isSilent = false
    }

    /// A timeline on the local clock, with who told it and how well that clock was known then.
    struct Entry: Sendable {
        var timeline: GroupTimeline
        var told: GroupTimeline
        var teller: UUID
        var roundTrip: Int64
    }

    enum Completion: Sendable {
        case ready(TimelineVersion)
        case play(TimelineVersion)
    }

    enum Request: Sendable {
        case rate(Double, isImmediate: Bool)
        case seek(CMTime, resumesImmediately: Bool)
    }

    var local: UUID
    var policy = Policy()
    var isConnected = false
    var isSynchronized = true
    var connectedAt: Int64 = 0
    var present: Set<UUID> = []
    var peers: [UUID: Peer] = [:]
    var clocks = PeerClocks()
    var entries: [String: Entry] = [:]
    package internal(set) var item: String?
    var suspensions: [(id: UUID, reason: String)] = []
    /// Where the local player is by itself while suspended.
    var solo: GroupTimeline?
    var proposal: GroupTimeline?
    var requests: [Request] = []
    var ready: TimelineVersion?
    var outstanding: (number: Int, then: Completion)?
    var commandCount = 0
    var lastHeartbeat: Int64?
    var out: [Action] = []

    package init(local: UUID) { self.local = local }

    package var suspensionReasons: [String] { suspensions.map(\.reason) }
    var isSuspended: Bool { !suspensions.isEmpty }
    var entry: Entry? { item.flatMap { entries[$0] } }

    package var participants: [Participant] {
        peers.map { id, peer in
            let waits = peer.status.item.flatMap { entries[$0] }.map { $0.timeline.phase == .waiting && peer.status.ready != $0.timeline.version } ?? false
            let reasons = peer.isSilent && peer.status.suspensions.isEmpty ? [AVCoordinatedPlaybackSuspension.Reason.stallRecovery.rawValue] : peer.status.suspensions
            return Participant(id: id, suspensions: reasons, isReady: !waits && reasons.isEmpty)
        }.sorted { $0.id.precedes($1.id) }
    }

    /// Where the group is at an instant of the local clock; invalid where there is no item.
    package func expectedItemTime(at instant: Int64) -> CMTime { entry?.timeline.itemTime(at: instant) ?? .invalid }

    /// Takes one event at an instant of the local clock.
    package mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        let before = participants
        switch event {
        case .connected(let local, let participants): connect(as: local, participants, at: now)
        case .disconnected: disconnect()
        case .participantsChanged(let participants): change(to: participants, at: now)
        case .received(let message, let sender): receive(message, from: sender, at: now)
        case .transition(let item, let itemTime, let rate): transition(to: item, itemTime: itemTime, rate: rate, at: now)
        case .rateChange(let rate, let isImmediate): request(.rate(rate, isImmediate: isImmediate), at: now)
        case .seek(let time, let resumesImmediately): request(.seek(time, resumesImmediately: resumesImmediately), at: now)
        case .suspensionBegan(let id, let reason): beginSuspension(id, reason: reason, at: now)
        case .suspensionEnded(let id, let time): endSuspension(id, proposing: time, at: now)
        case .completed(let number): complete(number, at: now)
        case .reapply: if let entry, !isSuspended { catchUp(entry.timeline) }
        case .wake: break
        }
        keepTime(at: now)
        if participants != before { out.append(.participantsDidChange) }
        defer { out = [] }
        return out
    }

    /// When `wake` is wanted next, on the local clock.
    package func nextWake(after now: Int64) -> Int64? {
        guard isConnected else { return entry.flatMap { $0.timeline.phase == .waiting ? $0.timeline.dueNanoseconds : nil } }
        var wakes = [(lastHeartbeat ?? now) &+ heartbeatInterval]
        if !isSynchronized { wakes.append(connectedAt &+ PlaybackLimits.welcomePatienceNanoseconds) }
        if let entry, entry.timeline.phase == .waiting, let due = entry.timeline.dueNanoseconds, due > now { wakes.append(due) }
        if isActive { wakes += peers.values.filter { !$0.isSilent }.map { $0.lastHeard &+ PlaybackLimits.silenceNanoseconds } }
        return wakes.min().map { max($0, now &+ 1) }
    }

    var isActive: Bool { entries.values.contains { $0.timeline.phase != .paused } }

    private var heartbeatInterval: Int64 {
        if peers.keys.contains(where: { clocks.sampleCount(of: $0) < 4 }) { return PlaybackLimits.firstHeartbeatNanoseconds }
        return isActive ? PlaybackLimits.heartbeatNanoseconds : PlaybackLimits.idleHeartbeatNanoseconds
    }

    private mutating func keepTime(at now: Int64) {
        let isActive = isActive
        for (id, peer) in peers { peers[id]?.isSilent = isActive && now &- peer.lastHeard >= PlaybackLimits.silenceNanoseconds }
        if isConnected, !isSynchronized, now &- connectedAt >= PlaybackLimits.welcomePatienceNanoseconds { synchronize(at: now) }
        startIfAllAreReady(at: now)
        if isConnected, now &- (lastHeartbeat ?? now) >= heartbeatInterval { tellStatus(to: nil, isReliable: false, at: now) }
    }
}
