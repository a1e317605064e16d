// A player of one's own, as an app with its own video engine has it: it keeps time and shows nothing.

import AVFoundation
import Foundation

/// Does what a coordinator asks of it. Its timebase is its whole picture.
final class PretendPlayer: NSObject, AVPlaybackCoordinatorPlaybackControlDelegate, @unchecked Sendable {
    private let timebase: CMTimebase
    private let lock = NSLock()
    private var item: String?
    private let onChange: @Sendable (String) -> Void

    init(clock: CMClock = .hostTimeClock, onChange: @escaping @Sendable (String) -> Void = { _ in }) throws {
        timebase = try CMTimebase(sourceClock: clock)
        self.onChange = onChange
    }

    var time: CMTime { timebase.time }
    var rate: Double { timebase.rate }

    func load(_ item: String) {
        lock.withLock { self.item = item }
        set(rate: 0, time: .zero)
        onChange("loads \(item)")
    }

    private func isCurrent(_ command: AVDelegatingPlaybackCoordinatorPlaybackControlCommand) -> Bool { lock.withLock { item } == command.expectedCurrentItemIdentifier }

    private func set(rate: Double, time: CMTime?) {
        if let time { try? timebase.setTime(time) }
        try? timebase.setRate(rate)
    }

    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        defer { completionHandler() }
        guard isCurrent(playCommand) else { return }
        // At that time of the host's clock, and not as soon as possible, or the players drift apart.
        try? timebase.setRate(Double(playCommand.rate), anchorTime: playCommand.itemTime, immediateSourceTime: playCommand.hostClockTime)
        onChange("plays")
    }

    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue pauseCommand: AVDelegatingPlaybackCoordinatorPauseCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        defer { completionHandler() }
        guard isCurrent(pauseCommand) else { return }
        set(rate: 0, time: nil)
        onChange("pauses")
    }

    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue seekCommand: AVDelegatingPlaybackCoordinatorSeekCommand, completionHandler: @escaping @Sendable () -> Void
    ) {
        defer { completionHandler() }
        guard isCurrent(seekCommand) else { return }
        set(rate: 0, time: seekCommand.itemTime)
        onChange("seeks to \(Int(seekCommand.itemTime.seconds)) s")
    }

    func playbackCoordinator(
        _ coordinator: AVDelegatingPlaybackCoordinator, didIssue bufferingCommand: AVDelegatingPlaybackCoordinatorBufferingCommand,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        // There is nothing to load, so it is ready.
        completionHandler()
    }

    /// What a new item begins with.
    var snapshot: CMTimebase { timebase }
}
