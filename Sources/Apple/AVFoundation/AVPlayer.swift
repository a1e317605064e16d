// A player without picture or sound: it keeps the time that a real one would keep, so that what coordinates players can be used and tested.

import CoreMedia
import Foundation

/// Plays by the clock. Rate changes and seeks go through its coordinator, to the others of a group. Apple: AVFoundation/AVPlayer.
public final class AVPlayer: NSObject, @unchecked Sendable {
    /// Apple: AVFoundation/AVPlayer/Status-swift.enum.
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }
    /// Apple: AVFoundation/AVPlayer/TimeControlStatus-swift.enum.
    public enum TimeControlStatus: Int, Sendable { case paused, waitingToPlayAtSpecifiedRate, playing }
    /// Apple: AVFoundation/AVPlayer/ActionAtItemEnd-swift.enum.
    public enum ActionAtItemEnd: Int, Sendable { case advance, pause, none }

    private struct State {
        var item: AVPlayerItem?
        var rate: Float = 0
        var anchor = CMTime.zero
        var anchorHost = CMTime.zero
        var isWaiting = false
        var end: (@Sendable () -> Void)?
        var endCount = 0
    }

    private let time: PlaybackTime
    private let lock = NSLock()
    private var state = State()
    private var settings = (defaultRate: Float(1), volume: Float(1), isMuted: false, actionAtItemEnd: ActionAtItemEnd.pause, waits: true, prevents: true)
    public let playbackCoordinator: AVPlayerPlaybackCoordinator

    public override convenience init() { self.init(playerItem: nil) }
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    public init(playerItem item: AVPlayerItem?) {
        time = PlaybackTime.current ?? .host
        playbackCoordinator = AVPlayerPlaybackCoordinator(time: time)
        super.init()
        playbackCoordinator.attach(self)
        if item != nil { replaceCurrentItem(with: item) }
    }

    deinit { state.end?() }

    public class var rateDidChangeNotification: NSNotification.Name { .init("AVPlayerRateDidChangeNotification") }
    /// In a rate change's user info: the `AVCoordinatedPlaybackParticipant` who caused it, if another did.
    public class var rateDidChangeOriginatingParticipantKey: String { "AVPlayerRateDidChangeOriginatingParticipantKey" }

    public var status: Status { .readyToPlay }
    public var error: (any Error)? { nil }
    public var currentItem: AVPlayerItem? { lock.withLock { state.item } }
    public var timeControlStatus: TimeControlStatus { lock.withLock { state.isWaiting ? .waitingToPlayAtSpecifiedRate : state.rate == 0 ? .paused : .playing } }
    public var defaultRate: Float {
        get { lock.withLock { settings.defaultRate } }
        set { lock.withLock { settings.defaultRate = newValue } }
    }
    public var volume: Float {
        get { lock.withLock { settings.volume } }
        set { lock.withLock { settings.volume = newValue } }
    }
    public var isMuted: Bool {
        get { lock.withLock { settings.isMuted } }
        set { lock.withLock { settings.isMuted = newValue } }
    }
    public var actionAtItemEnd: ActionAtItemEnd {
        get { lock.withLock { settings.actionAtItemEnd } }
        set { lock.withLock { settings.actionAtItemEnd = newValue } }
    }
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { lock.withLock { settings.waits } }
        set { lock.withLock { settings.waits = newValue } }
    }
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { lock.withLock { settings.prevents } }
        set { lock.withLock { settings.prevents = newValue } }
    }

    /// Changes the item, paused at its start unless the group is elsewhere in it.
    public func replaceCurrentItem(with item: AVPlayerItem?) {
        let old = lock.withLock {
            defer {
                state.end?()
                state = State(item: item, endCount: state.endCount + 1)
            }
            return state.item
        }
        old?.player = nil
        item?.player = self
        playbackCoordinator.itemDidChange(to: item)
    }

    public func play() { rate = defaultRate }
    public func pause() { rate = 0 }
    public func playImmediately(atRate rate: Float) { playbackCoordinator.wish(.rateChange(Double(rate), isImmediate: true)) }

    /// Setting it asks the group; it changes when the group does.
    public var rate: Float {
        get { lock.withLock { state.rate } }
        set { playbackCoordinator.wish(.rateChange(Double(newValue), isImmediate: false)) }
    }

    public func currentTime() -> CMTime { lock.withLock { position(at: time.clock.time) } }

    public func seek(to time: CMTime) { playbackCoordinator.wish(.seek(time, resumesImmediately: false)) }
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) { seek(to: time) }
    public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        seek(to: time)
        completionHandler(time.isNumeric)
    }
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        seek(to: time, completionHandler: completionHandler)
    }
    @discardableResult public func seek(to time: CMTime) async -> Bool {
        playbackCoordinator.wish(.seek(time, resumesImmediately: false))
        return time.isNumeric
    }
    @discardableResult public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool { await seek(to: time) }

    /// Called under the lock.
    private func position(at host: CMTime) -> CMTime {
        guard state.rate != 0, host > state.anchorHost else { return state.anchor }
        let position = state.anchor + CMTimeMultiplyByFloat64(host - state.anchorHost, multiplier: Double(state.rate))
        guard let duration = state.item?.duration, duration.isNumeric else { return max(.zero, position) }
        return min(max(.zero, position), duration)
    }

    /// Takes a command of the group's.
    func apply(rate: Float, itemTime: CMTime?, host: CMTime?, isWaiting: Bool, originator: AVCoordinatedPlaybackParticipant?) {
        let now = time.clock.time
        let (changed, jumped, item) = lock.withLock {
            let old = state.rate
            let before = position(at: now)
            state.anchor = itemTime ?? before
            state.anchorHost = host ?? now
            state.rate = rate
            state.isWaiting = isWaiting
            let jump = CMTimeAbsoluteValue(position(at: now) - before).seconds
            watchEnd(from: now)
            return (old != rate, itemTime != nil && jump > 0.05, state.item)
        }
        let info = { (key: String) in originator.map { [key: $0] as [AnyHashable: Any] } }
        if changed { NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self, userInfo: info(Self.rateDidChangeOriginatingParticipantKey)) }
        if jumped, let item { NotificationCenter.default.post(name: .AVPlayerItemTimeJumped, object: item, userInfo: info(AVPlayerItem.timeJumpedOriginatingParticipantKey)) }
    }

    /// Called under the lock.
    private func watchEnd(from now: CMTime) {
        state.end?()
        state.end = nil
        state.endCount += 1
        guard state.rate > 0, let duration = state.item?.duration, duration.isNumeric else { return }
        let left = CMTimeMultiplyByFloat64(duration - position(at: now), multiplier: 1 / Double(state.rate)) + max(.zero, state.anchorHost - now)
        let count = state.endCount
        state.end = time.schedule(max(0, left.nanoseconds)) { [weak self] in self?.reachedEnd(count) }
    }

    private func reachedEnd(_ count: Int) {
        let (item, action): (AVPlayerItem?, ActionAtItemEnd) = lock.withLock { (state.endCount == count ? state.item : nil, settings.actionAtItemEnd) }
        guard let item else { return }
        // Every player of the group comes to its end by itself: this is no wish to stop the others.
        if action != .none { apply(rate: 0, itemTime: item.duration, host: nil, isWaiting: false, originator: nil) }
        NotificationCenter.default.post(name: .AVPlayerItemDidPlayToEndTime, object: item)
    }
}
