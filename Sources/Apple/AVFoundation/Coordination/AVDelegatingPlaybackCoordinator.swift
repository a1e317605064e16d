// The coordinator for players of one's own.

import Foundation

/// Coordinates a custom player through a delegate, which it holds weakly: without one nothing is commanded. Begins no suspensions by itself. Apple: AVFoundation/AVDelegatingPlaybackCoordinator.
public final class AVDelegatingPlaybackCoordinator: AVPlaybackCoordinator, @unchecked Sendable {
    private let delegate: WeakDelegate

    private final class WeakDelegate: Sendable {
        weak let value: (any AVPlaybackCoordinatorPlaybackControlDelegate)?
        init(_ value: any AVPlaybackCoordinatorPlaybackControlDelegate) { self.value = value }
    }

    public init(playbackControlDelegate: any AVPlaybackCoordinatorPlaybackControlDelegate) {
        delegate = WeakDelegate(playbackControlDelegate)
        super.init(time: nil)
    }

    public var playbackControlDelegate: (any AVPlaybackCoordinatorPlaybackControlDelegate)? { delegate.value }

    /// The item that the player is on, as declared last.
    public var currentItemIdentifier: String? { currentItem }

    /// Asks for a rate of the group's. From zero it may wait until all are ready; zero also cancels a start that is expected.
    public func coordinateRateChange(to rate: Float, options: AVDelegatingPlaybackCoordinatorRateChangeOptions = []) {
        handle(.rateChange(Double(rate), isImmediate: options.contains(.playImmediately)))
    }

    /// Asks the group to seek. Where it plays, it goes on when all are ready.
    public func coordinateSeek(to time: CMTime, options: AVDelegatingPlaybackCoordinatorSeekOptions = []) {
        handle(.seek(time, resumesImmediately: options.contains(.resumeImmediately)))
    }

    /// Declares the item that the player is on; nil that it is on none. Where the group has timing for the item, commands follow;
    /// where not, the timebase is proposed, or paused at zero. The timebase is read once.
    public func transitionToItem(withIdentifier itemIdentifier: String?, proposingInitialTimingBasedOn snapshotTimebase: CMTimebase?) {
        let found = snapshotTimebase?.snapshot
        handle(.transition(item: itemIdentifier, itemTime: found?.time ?? .zero, rate: found?.rate ?? 0))
    }

    /// Commands the player to where the group is, for one that has drifted.
    public func reapplyCurrentItemStateToPlaybackControlDelegate() { handle(.reapply) }

    override func perform(_ issued: Issued) {
        guard let delegate = delegate.value else { return }
        let number = issued.number
        let completion: @Sendable () -> Void = { [weak self] in self?.completed(number) }
        switch issued.command {
        case .play(let rate, let itemTime, let instant):
            let command = AVDelegatingPlaybackCoordinatorPlayCommand(issued, rate: rate, itemTime: itemTime, instantNanoseconds: instant)
            delegate.playbackCoordinator(self, didIssue: command, completionHandler: completion)
        case .pause(let buffers, let rate):
            delegate.playbackCoordinator(self, didIssue: AVDelegatingPlaybackCoordinatorPauseCommand(issued, buffers: buffers, rate: rate), completionHandler: completion)
        case .seek(let itemTime, let buffers, let rate, let due):
            let command = AVDelegatingPlaybackCoordinatorSeekCommand(issued, itemTime: itemTime, buffers: buffers, rate: rate, due: date(of: due))
            delegate.playbackCoordinator(self, didIssue: command, completionHandler: completion)
        case .buffer(let rate, let due):
            delegate.playbackCoordinator(self, didIssue: AVDelegatingPlaybackCoordinatorBufferingCommand(issued, rate: rate, due: date(of: due)), completionHandler: completion)
        }
    }
}

/// Apple: AVFoundation/AVDelegatingPlaybackCoordinatorRateChangeOptions.
public struct AVDelegatingPlaybackCoordinatorRateChangeOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Starts without waiting for the others.
    public static let playImmediately = Self(rawValue: 1)
}

/// Apple: AVFoundation/AVDelegatingPlaybackCoordinatorSeekOptions.
public struct AVDelegatingPlaybackCoordinatorSeekOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Goes on after the seek without waiting for the others.
    public static let resumeImmediately = Self(rawValue: 1)
}
