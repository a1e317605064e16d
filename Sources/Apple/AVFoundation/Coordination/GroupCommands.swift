// What the local player is told to do, and what it does by itself while suspended.

import CoreMedia
import Foundation

extension PlaybackGroup {
    /// Moves the local player along with a change of the group's.
    mutating func follow(_ timeline: GroupTimeline) {
        let originator = timeline.originator == local ? nil : timeline.originator
        switch (timeline.phase, timeline.cause) {
        case (.playing, .seek):
            issue(.seek(itemTime: timeline.itemTime, buffers: true, rate: timeline.rate, dueNanoseconds: timeline.instantNanoseconds), originator: originator, then: .play(timeline.version))
        case (.playing, _):
            play(timeline, originator: originator)
        case (.waiting, .seek):
            issue(.seek(itemTime: timeline.itemTime, buffers: true, rate: timeline.rate, dueNanoseconds: timeline.dueNanoseconds), originator: originator, then: .ready(timeline.version))
        case (.waiting, .hold):
            issue(.pause(buffers: true, rate: timeline.rate), originator: originator, then: .ready(timeline.version))
        case (.waiting, _):
            issue(.buffer(rate: timeline.rate, dueNanoseconds: timeline.dueNanoseconds), originator: originator, then: .ready(timeline.version))
        case (.paused, .seek):
            issue(.seek(itemTime: timeline.itemTime, buffers: false, rate: 0, dueNanoseconds: nil), originator: originator)
        case (.paused, _):
            issue(.pause(buffers: false, rate: 0), originator: originator)
            if policy.pauseSnaps, originator != nil { issue(.seek(itemTime: timeline.itemTime, buffers: false, rate: 0, dueNanoseconds: nil), originator: originator) }
        }
    }

    /// Brings a local player that is anywhere to where the group is. Nobody caused this, so no originator is named.
    mutating func catchUp(_ timeline: GroupTimeline) {
        switch timeline.phase {
        case .playing:
            play(timeline, originator: nil)
        case .waiting:
            issue(.pause(buffers: true, rate: timeline.rate), originator: nil)
            issue(.seek(itemTime: timeline.itemTime, buffers: true, rate: timeline.rate, dueNanoseconds: timeline.dueNanoseconds), originator: nil, then: .ready(timeline.version))
        case .paused:
            issue(.pause(buffers: false, rate: 0), originator: nil)
            issue(.seek(itemTime: timeline.itemTime, buffers: false, rate: 0, dueNanoseconds: nil), originator: nil)
        }
    }

    mutating func play(_ timeline: GroupTimeline, originator: UUID?) {
        issue(.play(rate: timeline.rate, itemTime: timeline.itemTime, instantNanoseconds: timeline.instantNanoseconds), originator: originator)
    }

    private mutating func issue(_ command: PlaybackCommand, originator: UUID?, then completion: Completion? = nil) {
        guard let item else { return }
        commandCount += 1
        outstanding = completion.map { (commandCount, $0) }
        out.append(.issue(command, number: commandCount, item: item, originator: originator))
    }

    /// Only the newest command's completion means anything; those that came before are stale.
    mutating func complete(_ number: Int, at now: Int64) {
        guard let outstanding, outstanding.number == number, let timeline = entry?.timeline else { return }
        self.outstanding = nil
        switch outstanding.then {
        case .ready(let version) where version == timeline.version:
            ready = version
            tellStatus(to: nil, isReliable: true, at: now)
        case .play(let version) where version == timeline.version && !isSuspended:
            play(timeline, originator: timeline.originator == local ? nil : timeline.originator)
        default: break
        }
    }

    mutating func beginSuspension(_ id: UUID, reason: String, at now: Int64) {
        let isFirst = suspensions.isEmpty
        if isFirst, isSynchronized, holdsBack(reason), let timeline = entry?.timeline, timeline.phase == .playing, peers.values.contains(where: { isOnItem(timeline.item, $0) }) {
            // The others are stopped where they are and wait without a limit, since the app asked for just that.
            publish(phase: .waiting, cause: .hold, rate: timeline.rate, itemTime: timeline.itemTime(at: now), at: now, isFollowed: false)
        }
        if isFirst { solo = entry?.timeline }
        outstanding = nil
        ready = nil
        suspensions.append((id, reason))
        out.append(.suspensionsDidChange)
        tellStatus(to: nil, isReliable: true, at: now)
    }

    mutating func endSuspension(_ id: UUID, proposing time: CMTime?, at now: Int64) {
        guard let place = suspensions.firstIndex(where: { $0.id == id }) else { return }
        suspensions.remove(at: place)
        out.append(.suspensionsDidChange)
        defer { tellStatus(to: nil, isReliable: true, at: now) }
        guard suspensions.isEmpty else { return }
        solo = nil
        guard isSynchronized else { return }
        if let time, time.isNumeric {
            request(.seek(time, resumesImmediately: false), at: now)
        } else if let entry {
            catchUp(entry.timeline)
        }
    }

    /// While suspended a wish moves the local player and nobody else.
    mutating func change(alone request: Request, at now: Int64) {
        guard let item else { return }
        let position = solo?.itemTime(at: now) ?? .zero
        let (rate, time): (Double, CMTime) =
            switch request {
            case .rate(let rate, _): (rate, position)
            case .seek(let time, _): (solo?.phase == .playing ? solo?.rate ?? 0 : 0, time)
            }
        guard rate.isFinite, abs(rate) <= PlaybackLimits.rate, time.isNumeric else { return }
        solo = GroupTimeline(
            item: item, phase: rate == 0 ? .paused : .playing, cause: .play, rate: rate, itemTime: time, at: now, originator: local, version: .init(counter: 0, author: local))
        if case .seek = request { issue(.seek(itemTime: time, buffers: rate != 0, rate: rate, dueNanoseconds: nil), originator: nil) }
        if rate != 0 {
            issue(.play(rate: rate, itemTime: time, instantNanoseconds: now), originator: nil)
        } else if case .rate = request {
            issue(.pause(buffers: false, rate: 0), originator: nil)
        }
    }
}
