// What a hostile participant can say: nothing traps, nothing grows without a limit.

import Foundation
import Testing

@testable import AVFoundation

@Suite struct HostileTests {
    private let me = UUID()
    private let other = UUID()

    private func group() -> PlaybackGroup {
        var group = PlaybackGroup(local: me)
        _ = group.handle(.connected(as: me, participants: [other]), at: 0)
        _ = group.handle(.received(.timelines(.init(timelines: [], isWelcome: true, sentAt: 0)), from: other), at: 1)
        _ = group.handle(.transition(item: "film", itemTime: .zero, rate: 0), at: 2)
        return group
    }

    private func timeline(item: String = "film", rate: Double = 1, time: CMTime = .zero, at instant: Int64 = 0, due: Int64? = nil, counter: UInt64 = 9) -> GroupTimeline {
        GroupTimeline(
            item: item, phase: rate == 0 ? .paused : .playing, cause: .play, rate: rate, itemTime: time, at: instant, due: due, originator: other, version: .init(counter: counter, author: other))
    }

    @Test func `numbers beyond all limits are ignored and do not trap`() {
        var group = group()
        let bad = [
            timeline(rate: .infinity), timeline(rate: .nan), timeline(rate: 1e9), timeline(at: .max), timeline(at: .min), timeline(due: .max), timeline(counter: .max),
            timeline(item: String(repeating: "x", count: 5_000)),
        ]
        for told in bad {
            let actions = group.handle(.received(.timelines(.init(timelines: [told], isWelcome: false, sentAt: 0)), from: other), at: 100)
            #expect(!actions.contains { if case .issue = $0 { true } else { false } })
        }
        #expect(group.expectedItemTime(at: 100) == .zero)
        let extreme = timeline(time: CMTime(value: .max, timescale: .max), at: PlaybackLimits.instants.lowerBound, counter: PlaybackLimits.versionCounter)
        _ = group.handle(.received(.timelines(.init(timelines: [extreme], isWelcome: false, sentAt: PlaybackLimits.instants.upperBound)), from: other), at: 100)
        _ = group.expectedItemTime(at: .max)
        _ = group.handle(.rateChange(1, isImmediate: true), at: 200)
        _ = group.handle(.seek(seconds(1), resumesImmediately: false), at: .max / 4)
    }

    @Test func `statuses with wild clocks do not trap`() {
        var group = group()
        var random = Seeded(state: 5)
        let edges: [Int64] = [PlaybackLimits.instants.lowerBound, -1, 0, 1, PlaybackLimits.instants.upperBound]
        for now in 0..<500 {
            let status = PlaybackStatus(
                item: "film", suspensions: ["x"], ready: nil, held: nil, isSynchronized: false, asks: Bool.random(using: &random), sentAt: edges.randomElement(using: &random) ?? 0,
                echoes: [me: .init(sentAt: edges.randomElement(using: &random) ?? 0, age: edges.randomElement(using: &random) ?? 0)])
            _ = group.handle(.received(.status(status), from: other), at: Int64(now) * 1_000_000)
            _ = group.nextWake(after: Int64(now) * 1_000_000)
        }
        #expect(group.participants.count == 1)
    }

    @Test func `items do not pile up`() {
        var group = group()
        for number in 0..<1_000 {
            _ = group.handle(.received(.timelines(.init(timelines: [timeline(item: "\(number)")], isWelcome: false, sentAt: 0)), from: other), at: Int64(number))
        }
        #expect(group.entries.count <= PlaybackLimits.itemCount)
    }

    @Test func `strangers and oneself are not heard`() {
        var group = group()
        for sender in [UUID(), me] {
            #expect(group.handle(.received(.timelines(.init(timelines: [timeline()], isWelcome: false, sentAt: 0)), from: sender), at: 50).isEmpty)
        }
        #expect(group.expectedItemTime(at: 50) == .zero)
    }

    @Test func `an old version that comes late changes nothing`() {
        var group = group()
        let newer = timeline(rate: 0, time: seconds(60), counter: 12)
        for told in [newer, timeline(time: seconds(10), counter: 11), newer] {
            _ = group.handle(.received(.timelines(.init(timelines: [told], isWelcome: false, sentAt: 0)), from: other), at: 10)
        }
        #expect(group.expectedItemTime(at: 1_000) == seconds(60))
    }
}
