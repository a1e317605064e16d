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

    /// Its time on a host clock that is off by so much. The cinema has its seats, and what goes by its time does not have the cinema.
    func time(clockNanoseconds offset: Int64 = 0) -> PlaybackTime {
        PlaybackTime(clock: CMClock { [weak self] in CMTime(value: (self?.nowNanoseconds ?? 0) + offset, timescale: 1_000_000_000) }) { [weak self] delay, action in
            let place = self?.schedule(after: delay, action)
            return { [weak self] in if let place { self?.unschedule(place) } }
        }
    }

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
        seat.coordinator.connect(to: SeatMedium(seat))
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
            if isReliable { _ = schedule(after: 500_000_000) { [unowned self] in transmit(data, from: sender, to: seat, isReliable: true) } }
            return
        }
        var delay = sender.link.delaySeconds + seat.link.delaySeconds
        for jitter in [sender.link.jitterSeconds, seat.link.jitterSeconds] where jitter > 0 { delay += Double.random(in: 0..<jitter, using: &random) }
        _ = schedule(after: Int64(delay * 1e9)) {
            if let message = try? JSONDecoder().decode(PlaybackMessage.self, from: data) { seat.coordinator.receive(message, from: sender.localParticipant) }
        }
    }
}

/// A seat's way to the others. A coordinator keeps its medium until it is disconnected, so the medium does not keep the seat.
final class SeatMedium: PlaybackMedium {
    private weak let seat: Seat?
    let localParticipant: UUID

    init(_ seat: Seat) {
        self.seat = seat
        localParticipant = seat.localParticipant
    }

    var otherParticipants: Set<UUID> { seat?.otherParticipants ?? [] }
    func send(_ message: PlaybackMessage, to recipient: UUID?, isReliable: Bool) {
        if let seat { seat.cinema.carry(message, from: seat, to: recipient, isReliable: isReliable) }
    }
}

/// One participant: a coordinator, and the player that it commands.
final class Seat: NSObject, AVPlaybackCoordinatorPlaybackControlDelegate, @unchecked Sendable {
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

    var time: PlaybackTime { cinema.time(clockNanoseconds: clockNanoseconds) }
    var hostTime: CMTime { CMTime(value: cinema.nowNanoseconds + clockNanoseconds, timescale: 1_000_000_000) }
    var otherParticipants: Set<UUID> { Set(cinema.seats.filter { $0 !== self }.map(\.localParticipant)) }

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
