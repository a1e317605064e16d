// Several coordinators joined in memory: they agree, and nobody who lags, joins or stalls disturbs the others.

import Foundation
import Testing

@testable import AVFoundation

@Suite struct CoordinationTests {
    private func open(_ seats: [Seat], at position: Double = 0, _ cinema: Cinema) {
        cinema.run(1)
        for seat in seats { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(1)
        if position > 0 {
            seats[0].coordinator.coordinateSeek(to: seconds(position))
            cinema.run(1)
        }
        seats[0].coordinator.coordinateRateChange(to: 1)
        cinema.run(1)
    }

    @Test func `one press starts all at the same moment and position`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        open(seats, cinema)
        #expect(seats.allSatisfy { $0.isPlaying })
        for seat in seats { #expect(abs(seat.position - seats[0].position) < 0.005) }
        #expect(seats[1].commands == ["buffer", "play"])
        #expect(seats[1].originators == [seats[0].localParticipant, seats[0].localParticipant])
        #expect(seats[0].originators == [nil, nil])
        #expect(seats[0].coordinator.otherParticipants.allSatisfy { $0.isReadyToPlay })
    }

    @Test func `a pause stops all, and snaps to the place of the one who paused where asked to`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        seats[2].coordinator.pauseSnapsToMediaTimeOfOriginator = true
        open(seats, cinema)
        for seat in seats { seat.clearCommands() }
        seats[1].coordinator.coordinateRateChange(to: 0)
        cinema.run(1)
        #expect(!seats.contains { $0.isPlaying })
        #expect(seats[0].commands == ["pause"])
        #expect(seats[2].commands == ["pause", "seek"])
        #expect(abs(seats[2].position - seats[1].position) < 0.001)
    }

    @Test func `zero cancels a start that is awaited`() {
        let cinema = Cinema()
        let seats = [cinema.enter(), cinema.enter(readySeconds: 2)]
        cinema.run(1)
        for seat in seats { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(1)
        seats[0].coordinator.coordinateRateChange(to: 1)
        cinema.run(0.5)
        #expect(!seats[1].coordinator.otherParticipants.isEmpty)
        #expect(!seats[0].coordinator.otherParticipants[0].isReadyToPlay)
        seats[1].coordinator.coordinateRateChange(to: 0)
        cinema.run(10)
        #expect(!seats.contains { $0.isPlaying })
    }

    @Test func `a start waits for the slowest, up to the patience that the commands name`() {
        let cinema = Cinema()
        let seats = [cinema.enter(), cinema.enter(readySeconds: 2), cinema.enter()]
        cinema.run(1)
        for seat in seats { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(1)
        seats[0].coordinator.coordinateRateChange(to: 1)
        cinema.run(1.9)
        #expect(seats[2].lastDue != nil)
        #expect(!seats.contains { $0.isPlaying })
        cinema.run(0.5)
        #expect(seats.allSatisfy { $0.isPlaying })
        #expect(seats[0].position < 0.5)
        seats[0].coordinator.coordinateRateChange(to: 0)
        cinema.run(1)
        seats[1].readySeconds = 60
        seats[0].coordinator.coordinateRateChange(to: 1)
        cinema.run(2.9)
        #expect(!seats[0].isPlaying)
        cinema.run(0.5)
        #expect(seats[0].isPlaying)
    }

    @Test func `a newcomer does not throw back even a group that nobody has commanded yet`() throws {
        for _ in 0..<8 {
            let cinema = Cinema()
            let first = cinema.enter()
            cinema.run(1)
            let timebase = try CMTimebase(sourceClock: first.time.clock)
            try timebase.setRate(1, anchorTime: seconds(30), immediateSourceTime: first.hostTime)
            first.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: timebase)
            cinema.run(1)
            let newcomer = cinema.enter()
            newcomer.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
            cinema.run(2)
            #expect(first.commands.isEmpty)
            #expect(abs(newcomer.position - 33) < 0.05)
        }
    }

    @Test func `playing immediately waits for nobody`() {
        let cinema = Cinema()
        let seats = [cinema.enter(), cinema.enter(readySeconds: 60)]
        cinema.run(1)
        for seat in seats { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(1)
        seats[0].coordinator.coordinateRateChange(to: 1.5, options: .playImmediately)
        #expect(seats[0].isPlaying)
        cinema.run(1)
        #expect(abs(seats[0].position - 1.5) < 0.005)
        #expect(abs(seats[1].position - seats[0].position) < 0.05)
    }

    @Test func `P38: a jump forward is not undone by one who answers late`() {
        let cinema = Cinema()
        let (a, b, c) = (cinema.enter(), cinema.enter(), cinema.enter())
        open([a, b, c], cinema)
        c.readySeconds = 4
        var lowest = [Double.infinity, .infinity]
        a.coordinator.coordinateSeek(to: seconds(600))
        cinema.run(0.2)
        cinema.run(20) { lowest = [min(lowest[0], a.position), min(lowest[1], b.position)] }
        #expect(lowest.allSatisfy { $0 >= 600 })
        #expect([a, b, c].allSatisfy { $0.isPlaying })
        #expect(a.position > 614)
        #expect(abs(b.position - a.position) < 0.01)
        #expect(abs(c.position - a.position) < 0.01)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `P39: a bad line is its owner's trouble alone`(seed: UInt64) {
        let cinema = Cinema(seed: seed)
        let (a, b) = (cinema.enter(), cinema.enter())
        let c = cinema.enter(link: .init(delaySeconds: 0.02, jitterSeconds: 2, loss: 0.1))
        cinema.run(5)
        open([a, b, c], cinema)
        cinema.run(10)
        var last = [a.position, b.position]
        var worst = 0.0
        cinema.run(600) {
            let now = [a.position, b.position]
            worst = max(worst, last[0] - now[0], last[1] - now[1])
            last = now
        }
        #expect(worst < 0.5)
        #expect(abs(a.position - b.position) < 0.05)
        #expect(a.position > 600)
    }

    @Test func `P40: who enters is taken along, and nobody else's item or position changes`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        open(seats, at: 754, cinema)
        for seat in seats { seat.clearCommands() }
        let newcomer = cinema.enter(readySeconds: 8)
        newcomer.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        cinema.run(12)
        for seat in seats {
            #expect(seat.commands.isEmpty)
            #expect(seat.coordinator.currentItemIdentifier == "film")
        }
        #expect(newcomer.isPlaying)
        #expect(abs(newcomer.position - seats[0].position) < 0.1)
        #expect(newcomer.commands == ["play"])
        #expect(newcomer.originators == [nil])
    }

    @Test func `a newcomer who plays at once before it knows the group does not throw it back`() {
        let cinema = Cinema()
        let seats = (0..<2).map { _ in cinema.enter() }
        open(seats, at: 100, cinema)
        let newcomer = cinema.enter()
        newcomer.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        newcomer.coordinator.coordinateRateChange(to: 1)
        cinema.run(3)
        #expect(seats[0].position > 100)
        #expect(abs(newcomer.position - seats[0].position) < 0.05)
    }

    @Test func `P41: a cut is seen within two seconds, the others go on, and afterwards all are together`() {
        let cinema = Cinema()
        let (a, b, c) = (cinema.enter(), cinema.enter(), cinema.enter())
        open([a, b, c], cinema)
        cinema.run(5)
        c.link.isCut = true
        let stall = c.coordinator.beginSuspension(for: .stallRecovery)
        cinema.run(2)
        let seen = a.coordinator.otherParticipants.first { $0.identifier == c.localParticipant }
        #expect(seen?.suspensionReasons == [.stallRecovery])
        #expect(seen?.isReadyToPlay == false)
        #expect(a.isPlaying && b.isPlaying)
        cinema.run(6)
        c.link.isCut = false
        cinema.run(1)
        stall.end()
        cinema.run(2)
        #expect(abs(c.position - a.position) < 0.1)
        #expect(a.coordinator.otherParticipants.allSatisfy { $0.suspensionReasons.isEmpty && $0.isReadyToPlay })
    }

    @Test func `P41: where it is set so, all wait for one who stalls, and go on together`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        for seat in seats { seat.coordinator.suspensionReasonsThatTriggerWaiting = [.stallRecovery] }
        open(seats, cinema)
        cinema.run(5)
        let stall = seats[2].coordinator.beginSuspension(for: .stallRecovery)
        cinema.run(20)
        #expect(!seats[0].isPlaying && !seats[1].isPlaying)
        let stopped = seats[0].position
        stall.end()
        cinema.run(2)
        #expect(seats.allSatisfy { $0.isPlaying })
        #expect(abs(seats[0].position - seats[2].position) < 0.005)
        #expect(seats[0].position < stopped + 2.1)
    }

    @Test func `above its limit nobody is held up`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        for seat in seats {
            seat.coordinator.suspensionReasonsThatTriggerWaiting = [.stallRecovery]
            seat.coordinator.setParticipantLimit(2, forWaitingOutSuspensionsWithReason: .stallRecovery)
        }
        open(seats, cinema)
        _ = seats[2].coordinator.beginSuspension(for: .stallRecovery)
        cinema.run(3)
        #expect(seats[0].isPlaying && seats[1].isPlaying)
        #expect(seats[0].coordinator.participantLimitForWaitingOutSuspensions(withReason: .stallRecovery) == 2)
        #expect(seats[0].coordinator.participantLimitForWaitingOutSuspensions(withReason: .playingInterstitial) == .max)
    }

    @Test func `P42: clocks that are minutes apart do not part the players`() {
        let cinema = Cinema()
        let (a, b, c) = (cinema.enter(), cinema.enter(clockSeconds: 90), cinema.enter(clockSeconds: -30, link: .init(delaySeconds: 0.15)))
        open([a, b, c], cinema)
        cinema.run(10)
        for seat in [b, c] { #expect(abs(seat.position - a.position) < 0.1) }
        c.coordinator.coordinateSeek(to: seconds(300))
        cinema.run(5)
        for seat in [a, b] { #expect(abs(seat.position - c.position) < 0.1) }
        #expect(abs(b.coordinator.expectedItemTime(atHostTime: b.hostTime).seconds - b.position) < 0.001)
    }

    @Test func `while suspended commands neither come nor go, and the end brings the player back`() {
        let cinema = Cinema()
        let (a, b) = (cinema.enter(), cinema.enter())
        open([a, b], cinema)
        let first = b.coordinator.beginSuspension(for: .userIsChangingCurrentTime)
        let second = b.coordinator.beginSuspension(for: .init("my own"))
        #expect(b.coordinator.suspensionReasons == [.userIsChangingCurrentTime, .init("my own")])
        a.clearCommands()
        b.clearCommands()
        b.coordinator.coordinateSeek(to: seconds(50))
        cinema.run(1)
        #expect(a.commands.isEmpty)
        #expect(abs(b.position - 51) < 0.05)
        a.coordinator.coordinateSeek(to: seconds(200), options: .resumeImmediately)
        cinema.run(1)
        #expect(b.position < 60)
        first.end()
        cinema.run(1)
        #expect(b.position < 60)
        second.end()
        cinema.run(1)
        #expect(abs(a.position - b.position) < 0.05)
    }

    @Test func `a suspension that ends with a proposal moves the group, unless it is not the last`() {
        let cinema = Cinema()
        let (a, b) = (cinema.enter(), cinema.enter())
        open([a, b], cinema)
        let first = b.coordinator.beginSuspension(for: .userIsChangingCurrentTime)
        let second = b.coordinator.beginSuspension(for: .playingInterstitial)
        first.end(proposingNewTime: seconds(500))
        cinema.run(1)
        #expect(a.position < 100)
        second.end(proposingNewTime: seconds(900))
        cinema.run(2)
        #expect(a.isPlaying && b.isPlaying)
        #expect(a.position > 900)
        #expect(abs(a.position - b.position) < 0.01)
    }

    @Test func `players on different items leave each other alone, and a late switcher catches up`() {
        let cinema = Cinema()
        let (a, b) = (cinema.enter(), cinema.enter())
        open([a, b], cinema)
        b.coordinator.transitionToItem(withIdentifier: "other", proposingInitialTimingBasedOn: nil)
        cinema.run(1)
        b.clearCommands()
        a.coordinator.coordinateSeek(to: seconds(40), options: .resumeImmediately)
        cinema.run(1)
        #expect(b.commands.isEmpty)
        b.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        cinema.run(1)
        #expect(abs(a.position - b.position) < 0.05)
        b.coordinator.transitionToItem(withIdentifier: nil, proposingInitialTimingBasedOn: nil)
        #expect(b.coordinator.currentItemIdentifier == nil)
        #expect(!b.coordinator.expectedItemTime(atHostTime: b.hostTime).isValid)
    }

    @Test func `a timebase that runs is the proposal of the first`() throws {
        let cinema = Cinema()
        let (a, b) = (cinema.enter(), cinema.enter())
        cinema.run(1)
        let timebase = try CMTimebase(sourceClock: a.time.clock)
        try timebase.setRate(1, anchorTime: seconds(30), immediateSourceTime: a.hostTime)
        a.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: timebase)
        #expect(a.commands.isEmpty)
        cinema.run(1)
        b.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        cinema.run(1)
        #expect(abs(b.position - 32) < 0.05)
    }

    @Test func `the one who pressed may leave before the start`() {
        let cinema = Cinema()
        let (a, b, c) = (cinema.enter(), cinema.enter(), cinema.enter(readySeconds: 1))
        cinema.run(1)
        for seat in [a, b, c] { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(1)
        a.coordinator.coordinateRateChange(to: 1)
        cinema.run(0.3)
        cinema.leave(a)
        cinema.run(3)
        #expect(b.isPlaying && c.isPlaying)
        #expect(abs(b.position - c.position) < 0.01)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func `whatever is pressed at once, in the end all are together`(seed: UInt64) {
        let cinema = Cinema(seed: seed)
        var random = Seeded(state: seed &* 77)
        let seats = (0..<4).map { _ in
            cinema.enter(readySeconds: .random(in: 0..<1, using: &random), clockSeconds: .random(in: -50..<50, using: &random), link: .init(delaySeconds: 0.05, jitterSeconds: 0.1, loss: 0.1))
        }
        open(seats, cinema)
        for _ in 0..<30 {
            guard let seat = seats.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: seat.coordinator.coordinateRateChange(to: Float.random(in: 0..<2, using: &random) < 1 ? 0 : 1)
            case 1: seat.coordinator.coordinateSeek(to: seconds(.random(in: 0..<3_000, using: &random)))
            default: break
            }
            cinema.run(.random(in: 0..<0.3, using: &random))
        }
        cinema.run(15)
        for seat in seats {
            #expect(seat.isPlaying == seats[0].isPlaying, "seed \(seed)")
            #expect(abs(seat.coordinator.expectedItemTime(atHostTime: seat.hostTime).seconds - seats[0].coordinator.expectedItemTime(atHostTime: seats[0].hostTime).seconds) < 0.2, "seed \(seed)")
        }
        seats[0].coordinator.coordinateRateChange(to: 1)
        cinema.run(15)
        for seat in seats {
            #expect(seat.isPlaying, "seed \(seed)")
            #expect(abs(seat.position - seats[0].position) < 0.2, "seed \(seed)")
        }
    }

    @Test func `alone and unconnected, wishes are commands at once, and a seek is followed by play`() {
        let cinema = Cinema()
        let seat = cinema.enter()
        cinema.leave(seat)
        seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        seat.coordinator.coordinateRateChange(to: 1)
        #expect(seat.isPlaying)
        cinema.run(1)
        seat.coordinator.coordinateSeek(to: seconds(20))
        cinema.run(1)
        #expect(seat.commands == ["play", "seek and buffer", "play"])
        #expect(abs(seat.position - 20.95) < 0.01)
        seat.coordinator.reapplyCurrentItemStateToPlaybackControlDelegate()
        #expect(seat.commands.last == "play")
    }

    @Test func `a paused group is quiet`() {
        let cinema = Cinema()
        let seats = (0..<3).map { _ in cinema.enter() }
        cinema.run(1)
        for seat in seats { seat.coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil) }
        cinema.run(10)
        let before = cinema.sentCount
        cinema.run(100)
        #expect(cinema.sentCount - before <= 3 * 21)
    }
}
