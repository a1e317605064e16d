// The four commands that a coordinator gives to a custom player.

import Foundation

/// What all commands have. One whose item is no longer the current one is stale: complete it and do nothing. Apple: AVFoundation/AVDelegatingPlaybackCoordinatorPlaybackControlCommand.
public class AVDelegatingPlaybackCoordinatorPlaybackControlCommand: NSObject, @unchecked Sendable {
    /// The participant who caused the command; nil for commands that the local participant caused or that bring the player back in step.
    public let originator: AVCoordinatedPlaybackParticipant?
    public let expectedCurrentItemIdentifier: String

    init(_ issued: AVPlaybackCoordinator.Issued) {
        originator = issued.originator
        expectedCurrentItemIdentifier = issued.item
    }
}

/// Play so that `itemTime` is reached at `hostClockTime`, which may have passed. Apple: AVFoundation/AVDelegatingPlaybackCoordinatorPlayCommand.
public final class AVDelegatingPlaybackCoordinatorPlayCommand: AVDelegatingPlaybackCoordinatorPlaybackControlCommand, @unchecked Sendable {
    /// Never zero.
    public let rate: Float
    public let itemTime: CMTime
    /// On the local host clock.
    public let hostClockTime: CMTime

    init(_ issued: AVPlaybackCoordinator.Issued, rate: Double, itemTime: CMTime, instantNanoseconds: Int64) {
        (self.rate, self.itemTime, hostClockTime) = (Float(rate), itemTime, CMTime(nanoseconds: instantNanoseconds))
        super.init(issued)
    }
}

/// A start is near: prepare, and complete when ready. Apple: AVFoundation/AVDelegatingPlaybackCoordinatorBufferingCommand.
public final class AVDelegatingPlaybackCoordinatorBufferingCommand: AVDelegatingPlaybackCoordinatorPlaybackControlCommand, @unchecked Sendable {
    public let anticipatedPlaybackRate: Float
    /// The others do not wait longer than this; who is later gets a later position.
    public let completionDueDate: Date?

    init(_ issued: AVPlaybackCoordinator.Issued, rate: Double, due: Date?) {
        (anticipatedPlaybackRate, completionDueDate) = (Float(rate), due)
        super.init(issued)
    }
}

/// Pause; where buffering is asked for, complete only when ready to play. Apple: AVFoundation/AVDelegatingPlaybackCoordinatorPauseCommand.
public final class AVDelegatingPlaybackCoordinatorPauseCommand: AVDelegatingPlaybackCoordinatorPlaybackControlCommand, @unchecked Sendable {
    public let shouldBufferInAnticipationOfPlayback: Bool
    public let anticipatedPlaybackRate: Float

    init(_ issued: AVPlaybackCoordinator.Issued, buffers: Bool, rate: Double) {
        (shouldBufferInAnticipationOfPlayback, anticipatedPlaybackRate) = (buffers, Float(rate))
        super.init(issued)
    }
}

/// Seek, and do not resume: a play command follows where the group plays. Apple: AVFoundation/AVDelegatingPlaybackCoordinatorSeekCommand.
public final class AVDelegatingPlaybackCoordinatorSeekCommand: AVDelegatingPlaybackCoordinatorPlaybackControlCommand, @unchecked Sendable {
    public let itemTime: CMTime
    public let shouldBufferInAnticipationOfPlayback: Bool
    public let anticipatedPlaybackRate: Float
    public let completionDueDate: Date?

    init(_ issued: AVPlaybackCoordinator.Issued, itemTime: CMTime, buffers: Bool, rate: Double, due: Date?) {
        (self.itemTime, shouldBufferInAnticipationOfPlayback, anticipatedPlaybackRate, completionDueDate) = (itemTime, buffers, Float(rate), due)
        super.init(issued)
    }
}

/// A custom player. Each command must be completed, stale ones too, once it is done or a suspension has begun; each method may be
/// written with a completion handler or with `async`. Apple: AVFoundation/AVPlaybackCoordinatorPlaybackControlDelegate.
public protocol AVPlaybackCoordinatorPlaybackControlDelegate: NSObjectProtocol, Sendable {
    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand, completionHandler: @escaping @Sendable () -> Void)
    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue pauseCommand: AVDelegatingPlaybackCoordinatorPauseCommand, completionHandler: @escaping @Sendable () -> Void)
    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue seekCommand: AVDelegatingPlaybackCoordinatorSeekCommand, completionHandler: @escaping @Sendable () -> Void)
    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue bufferingCommand: AVDelegatingPlaybackCoordinatorBufferingCommand, completionHandler: @escaping @Sendable () -> Void)

    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand) async
    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue pauseCommand: AVDelegatingPlaybackCoordinatorPauseCommand) async
    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue seekCommand: AVDelegatingPlaybackCoordinatorSeekCommand) async
    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue bufferingCommand: AVDelegatingPlaybackCoordinatorBufferingCommand) async
}

extension AVPlaybackCoordinatorPlaybackControlDelegate {
    public func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        Task {
            await self.playbackCoordinator(coordinator, didIssue: playCommand)
            completionHandler()
        }
    }
    public func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue pauseCommand: AVDelegatingPlaybackCoordinatorPauseCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        Task {
            await self.playbackCoordinator(coordinator, didIssue: pauseCommand)
            completionHandler()
        }
    }
    public func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue seekCommand: AVDelegatingPlaybackCoordinatorSeekCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        Task {
            await self.playbackCoordinator(coordinator, didIssue: seekCommand)
            completionHandler()
        }
    }
    public func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue bufferingCommand: AVDelegatingPlaybackCoordinatorBufferingCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        Task {
            await self.playbackCoordinator(coordinator, didIssue: bufferingCommand)
            completionHandler()
        }
    }

    public func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand) async {}
    public func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue pauseCommand: AVDelegatingPlaybackCoordinatorPauseCommand) async {}
    public func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue seekCommand: AVDelegatingPlaybackCoordinatorSeekCommand) async {}
    public func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue bufferingCommand: AVDelegatingPlaybackCoordinatorBufferingCommand) async {}
}
