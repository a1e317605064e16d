// The coordinator of an AVPlayer: what is done to the player becomes a wish to the group, what the group decides is done to the player.

import Foundation

/// Got from an `AVPlayer`. Without a group it hands the player's own wishes back to it at once. Apple: AVFoundation/AVPlayerPlaybackCoordinator.
public final class AVPlayerPlaybackCoordinator: AVPlaybackCoordinator, @unchecked Sendable {
    private let lock = NSLock()
    private weak var attached: AVPlayer?
    private weak var identifying: (any AVPlayerPlaybackCoordinatorDelegate)?
    private weak var localMedium: AVPlaybackCoordinationMedium?

    func attach(_ player: AVPlayer) { lock.withLock { attached = player } }

    public var player: AVPlayer? { lock.withLock { attached } }

    /// Gives items their identities; held weakly. Set it before the player has its item, or the item is declared again.
    public var delegate: (any AVPlayerPlaybackCoordinatorDelegate)? {
        get { lock.withLock { identifying } }
        set {
            lock.withLock { identifying = newValue }
            if let item = player?.currentItem, identifier(of: item) != currentItem { itemDidChange(to: item) }
        }
    }

    func itemDidChange(to item: AVPlayerItem?) {
        handle(.transition(item: item.map(identifier), itemTime: item?.currentTime() ?? .zero, rate: Double(player?.rate ?? 0)))
    }

    private func identifier(of item: AVPlayerItem) -> String { delegate?.playbackCoordinator(self, identifierFor: item) ?? item.asset.source.absoluteString }

    func wish(_ event: PlaybackGroup.Event) { handle(event) }

    override func perform(_ issued: Issued) {
        guard let player else { return }
        switch issued.command {
        case .play(let rate, let itemTime, let instant):
            player.apply(rate: Float(rate), itemTime: itemTime, host: CMTime(nanoseconds: instant), isWaiting: false, originator: issued.originator)
        case .pause(let buffers, _):
            player.apply(rate: 0, itemTime: nil, host: nil, isWaiting: buffers, originator: issued.originator)
        case .seek(let itemTime, let buffers, _, _):
            player.apply(rate: 0, itemTime: itemTime, host: nil, isWaiting: buffers, originator: issued.originator)
        case .buffer:
            player.apply(rate: 0, itemTime: nil, host: nil, isWaiting: true, originator: issued.originator)
        }
        // There is nothing to load, so the player is ready as soon as it is told.
        completed(issued.number)
    }

    /// Joins players on this machine; nil lets go of them. Throws where a session is coordinated already. Apple: AVFoundation/AVPlayerPlaybackCoordinator/coordinate(using:).
    public func coordinate(using coordinationMedium: AVPlaybackCoordinationMedium?) throws {
        let current = lock.withLock { localMedium }
        if current == nil, isConnected { throw AVPlaybackCoordinationError.coordinatesSession }
        current?.remove(self)
        lock.withLock { localMedium = coordinationMedium }
        coordinationMedium?.add(self)
    }

    /// Nil where the coordinator is free for a session.
    public var playbackCoordinationMedium: AVPlaybackCoordinationMedium? { lock.withLock { localMedium } }
}

/// Why players cannot be joined.
public enum AVPlaybackCoordinationError: Error {
    /// The coordinator belongs to a group session.
    case coordinatesSession
}

/// Both methods may be left out. Apple: AVFoundation/AVPlayerPlaybackCoordinatorDelegate.
public protocol AVPlayerPlaybackCoordinatorDelegate: NSObjectProtocol, Sendable {
    /// An identity for an item; equal ones are the same to the group whatever their addresses.
    func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, identifierFor playerItem: AVPlayerItem) -> String
    /// Ranges that are not part of the content. Asked for by nobody here: a headless player has none.
    func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, interstitialTimeRangesFor playerItem: AVPlayerItem) -> [NSValue]
}

extension AVPlayerPlaybackCoordinatorDelegate {
    public func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, identifierFor playerItem: AVPlayerItem) -> String { playerItem.asset.source.absoluteString }
    public func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, interstitialTimeRangesFor playerItem: AVPlayerItem) -> [NSValue] { [] }
}

/// Joins the players of one machine, without a session. Apple: AVFoundation/AVPlaybackCoordinationMedium.
public final class AVPlaybackCoordinationMedium: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var seats: [Seat] = []

    private final class Seat: PlaybackMedium, @unchecked Sendable {
        let localParticipant = UUID()
        weak let coordinator: AVPlayerPlaybackCoordinator?
        weak let medium: AVPlaybackCoordinationMedium?

        init(_ coordinator: AVPlayerPlaybackCoordinator, _ medium: AVPlaybackCoordinationMedium) { (self.coordinator, self.medium) = (coordinator, medium) }

        var otherParticipants: Set<UUID> { Set(medium?.others(than: self).map(\.localParticipant) ?? []) }

        func send(_ message: PlaybackMessage, to recipient: UUID?, isReliable: Bool) {
            for seat in medium?.others(than: self) ?? [] where recipient == nil || seat.localParticipant == recipient { seat.coordinator?.receive(message, from: localParticipant) }
        }
    }

    public override init() { super.init() }

    public var connectedPlaybackCoordinators: [AVPlayerPlaybackCoordinator] { lock.withLock { seats }.compactMap(\.coordinator) }

    private func others(than seat: Seat) -> [Seat] { lock.withLock { seats.filter { $0 !== seat && $0.coordinator != nil } } }

    func add(_ coordinator: AVPlayerPlaybackCoordinator) {
        let seat = Seat(coordinator, self)
        lock.withLock { seats.append(seat) }
        for other in others(than: seat) { other.coordinator?.participantsDidChange(other.otherParticipants) }
        coordinator.connect(to: seat)
    }

    func remove(_ coordinator: AVPlayerPlaybackCoordinator) {
        lock.withLock { seats.removeAll { $0.coordinator === coordinator || $0.coordinator == nil } }
        coordinator.disconnect()
        for seat in lock.withLock({ seats }) { seat.coordinator?.participantsDidChange(seat.otherParticipants) }
    }
}
