// A group of players in memory: a virtual clock, links with delay, jitter, loss and cuts, and players that take their time.

import Foundation

@testable import AVFoundation

struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Everything runs on the test's own thread, so plain state suffices.
final class Cinema: @unchecked Sendable {
    struct Link {
        var delaySeconds = 0.02
        var jitterSeconds = 0.0
        var loss = 0.0
        var isCut = false
    }

    private(set) var nowNanoseconds: Int64 = 1_000_000_000_000
    private var queue: [(due: Int64, place: Int, action: () -> Void)] = []
    private var count = 0
    private var random: Seeded
    private(set) var seats: [Seat] = []
    private(set) var sentCount = 0

    init(seed: UInt64 = 1) { random = Seeded(state: seed) }

    func schedule(after nanoseconds: Int64, _ action: @escaping () -> Void) -> Int {
        count += 1
        queue.append((nowNanoseconds + max(0, nanoseconds), count, action))
        return count
    }

    func unschedule(_ place: Int) { queue.removeAll { $0.place == place } }

    func run(_ seconds: Double, each: (() -> Void)? = nil) {
        let end = nowNanoseconds + Int64(seconds * 1e9)
        while let index = queue.indices.filter({ queue[$0].due <= end }).min(by: { (queue[$0].due, queue[$0].place) < (queue[$1].due, queue[$1].place) }) {
            let next = queue.remove(at: index)
            nowNanoseconds = max(nowNanoseconds, next.due)
            next.action()
            each?()
        }
        nowNanoseconds = end
    }

    /// Somebody enters with a player that needs `readySeconds` to do what it is told, and a host clock that is off by `clockSeconds`.
    func enter(readySeconds: Double = 0.05, clockSeconds: Double = 0, link: Link = Link()) -> Seat {
        let seat = Seat(in: self, readySeconds: readySeconds, clockSeconds: clockSeconds, link: link)
        seats.append(seat)
        for other in seats where other !== seat { other.coordinator.participantsDidChange(other.otherParticipants) }
        seat.coordinator.connect(to: seat)
        return seat
    }

    func leave(_ seat: Seat) {
        seats.removeAll { $0 === seat }
        seat.coordinator.disconnect()
        for other in seats { other.coordinator.participantsDidChange(other.otherParticipants) }
    }

    func carry(_ message: PlaybackMessage, from sender: Seat, to recipient: UUID?, isReliable: Bool) {
        sentCount += 1
        // As on the wire: what cannot be coded would not arrive.
        guard let data = try? JSONEncoder().encode(message) else { return }
        for seat in seats where seat !== sender && (recipient == nil || seat.localParticipant == recipient) {
            transmit(data, from: sender, to: seat, isReliable: isReliable)
        }
    }

    private func transmit(_ data: Data, from sender: Seat, to seat: Seat, isReliable: Bool) {
        let isLost = Double.random(in: 0..<1, using: &random) < sender.link.loss + seat.link.loss || sender.link.isCut || seat.link.isCut
        if isLost {
            // A reliable message is sent again until it is there.
            if isReliable { _ = schedule(after: 500_000_000) { [self] in transmit(data, from: sender, to: seat, isReliable: true) } }
            return
        }
        var delay = sender.link.delaySeconds + seat.link.delaySeconds
        for jitter in [sender.link.jitterSeconds, seat.link.jitterSeconds] where jitter > 0 { delay += Double.random(in: 0..<jitter, using: &random) }
        _ = schedule(after: Int64(delay * 1e9)) {
            if let message = try? JSONDecoder().decode(PlaybackMessage.self, from: data) { seat.coordinator.receive(message, from: sender.localParticipant) }
        }
    }
}

/// One participant: a coordinator with its medium, and the player that it commands.
final class Seat: NSObject, PlaybackMedium, AVPlaybackCoordinatorPlaybackControlDelegate, @unchecked Sendable {
    unowned let cinema: Cinema
    let localParticipant = UUID()
    var link: Cinema.Link
    var readySeconds: Double
    let clockNanoseconds: Int64
    private(set) var coordinator: AVDelegatingPlaybackCoordinator!
    private(set) var commands: [String] = []
    private(set) var originators: [UUID?] = []
    private(set) var lastDue: Date?
    private var rate = 0.0
    private var anchor = CMTime.zero
    private var anchorNanoseconds: Int64 = 0

    init(in cinema: Cinema, readySeconds: Double, clockSeconds: Double, link: Cinema.Link) {
        self.cinema = cinema
        self.readySeconds = readySeconds
        self.link = link
        clockNanoseconds = Int64(clockSeconds * 1e9)
        super.init()
        coordinator = PlaybackTime.$current.withValue(time) { AVDelegatingPlaybackCoordinator(playbackControlDelegate: self) }
    }

    var time: PlaybackTime {
        let (cinema, offset) = (cinema, clockNanoseconds)
        return PlaybackTime(clock: CMClock { CMTime(value: cinema.nowNanoseconds + offset, timescale: 1_000_000_000) }) { delay, action in
            let place = cinema.schedule(after: delay, action)
            return { cinema.unschedule(place) }
        }
    }

    var hostTime: CMTime { CMTime(value: cinema.nowNanoseconds + clockNanoseconds, timescale: 1_000_000_000) }
    var otherParticipants: Set<UUID> { Set(cinema.seats.filter { $0 !== self }.map(\.localParticipant)) }
    func send(_ message: PlaybackMessage, to recipient: UUID?, isReliable: Bool) { cinema.carry(message, from: self, to: recipient, isReliable: isReliable) }

    /// Where the player is, in seconds.
    var position: Double {
        let elapsed = Double(cinema.nowNanoseconds - anchorNanoseconds) / 1e9
        return anchor.seconds + (rate == 0 ? 0 : max(0, elapsed) * rate)
    }
    var isPlaying: Bool { rate != 0 && cinema.nowNanoseconds >= anchorNanoseconds }

    func clearCommands() { (commands, originators) = ([], []) }

    private func done(_ command: AVDelegatingPlaybackCoordinatorPlaybackControlCommand, _ name: String, _ completion: @escaping @Sendable () -> Void) {
        commands.append(name)
        originators.append(command.originator?.identifier)
        _ = cinema.schedule(after: Int64(readySeconds * 1e9)) { completion() }
    }

    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue command: AVDelegatingPlaybackCoordinatorPlayCommand, completionHandler: @escaping @Sendable () -> Void) {
        (rate, anchor, anchorNanoseconds) = (Double(command.rate), command.itemTime, command.hostClockTime.nanoseconds - clockNanoseconds)
        done(command, "play", completionHandler)
    }

    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue command: AVDelegatingPlaybackCoordinatorPauseCommand, completionHandler: @escaping @Sendable () -> Void) {
        (anchor, rate) = (CMTime(seconds: position, preferredTimescale: 1_000_000), 0)
        done(command, command.shouldBufferInAnticipationOfPlayback ? "pause and buffer" : "pause", completionHandler)
    }

    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue command: AVDelegatingPlaybackCoordinatorSeekCommand, completionHandler: @escaping @Sendable () -> Void) {
        (anchor, rate) = (command.itemTime, 0)
        lastDue = command.completionDueDate
        done(command, command.shouldBufferInAnticipationOfPlayback ? "seek and buffer" : "seek", completionHandler)
    }

    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue command: AVDelegatingPlaybackCoordinatorBufferingCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        lastDue = command.completionDueDate
        done(command, "buffer", completionHandler)
    }
}

func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
