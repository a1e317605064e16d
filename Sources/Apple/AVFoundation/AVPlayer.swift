// A player without picture or sound: it keeps the time that a real one would keep, so that what coordinates players can be used and tested.

import CoreMedia
import Foundation

/// Plays by the clock. Rate changes and seeks go through its coordinator, to the others of a group. Apple: AVFoundation/AVPlayer.
open class AVPlayer: NSObject, PropertiesObservable, @unchecked Sendable {
    /// Apple: AVFoundation/AVPlayer/Status-swift.enum.
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }
    /// Apple: AVFoundation/AVPlayer/TimeControlStatus-swift.enum.
    public enum TimeControlStatus: Int, Sendable { case paused, waitingToPlayAtSpecifiedRate, playing }
    /// Apple: AVFoundation/AVPlayer/ActionAtItemEnd-swift.enum.
    public enum ActionAtItemEnd: Int, Sendable { case advance, pause, none }

    /// Why it waits. Apple: AVFoundation/AVPlayer/WaitingReason.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// For the others of the group. The one reason there is here: nothing has to be loaded.
        public static let waitingForCoordinatedPlayback = WaitingReason(rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        public static let evaluatingBufferingRate = WaitingReason(rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }

    private struct State {
        var item: AVPlayerItem?
        var rate: Float = 0
        var anchor = CMTime.zero
        var anchorHost = CMTime.zero
        var isWaiting = false
        var end: (@Sendable () -> Void)?
        var endCount = 0
    }

    private typealias Settings = (defaultRate: Float, volume: Float, isMuted: Bool, actionAtItemEnd: ActionAtItemEnd, waits: Bool, prevents: Bool, external: Bool)

    private let time: PlaybackTime
    private let lock = NSLock()
    private var state = State()
    private var settings: Settings = (defaultRate: Float(1), volume: Float(1), isMuted: false, actionAtItemEnd: ActionAtItemEnd.pause, waits: true, prevents: true, external: true)
    private let timeObservers: TimeObservers
    public let propertyObservers = PropertyObservers()
    public let playbackCoordinator: AVPlayerPlaybackCoordinator

    public override convenience init() { self.init(playerItem: nil) }
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    public init(playerItem item: AVPlayerItem?) {
        time = PlaybackTime.current ?? .host
        timeObservers = TimeObservers(time: time)
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
    public var reasonForWaitingToPlay: WaitingReason? { lock.withLock { state.isWaiting ? .waitingForCoordinatedPlayback : nil } }
    public var isExternalPlaybackActive: Bool { false }
    public var defaultRate: Float {
        get { lock.withLock { settings.defaultRate } }
        set { set { $0.defaultRate = newValue } }
    }
    public var volume: Float {
        get { lock.withLock { settings.volume } }
        set { set { $0.volume = newValue } }
    }
    public var isMuted: Bool {
        get { lock.withLock { settings.isMuted } }
        set { set { $0.isMuted = newValue } }
    }
    public var actionAtItemEnd: ActionAtItemEnd {
        get { lock.withLock { settings.actionAtItemEnd } }
        set { set { $0.actionAtItemEnd = newValue } }
    }
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { lock.withLock { settings.waits } }
        set { set { $0.waits = newValue } }
    }
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { lock.withLock { settings.prevents } }
        set { set { $0.prevents = newValue } }
    }
    /// Carried along: there is nothing to play on but this player.
    public var allowsExternalPlayback: Bool {
        get { lock.withLock { settings.external } }
        set { set { $0.external = newValue } }
    }

    private func set(_ change: (inout Settings) -> Void) { propertyObservers.during { lock.withLock { change(&settings) } } }

    /// Changes the item, paused at its start unless the group is elsewhere in it.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        propertyObservers.during {
            let old = lock.withLock {
                defer {
                    state.end?()
                    state = State(item: item, endCount: state.endCount + 1)
                }
                return state.item
            }
            old?.player = nil
            item?.player = self
        }
        timelineChanged()
        playbackCoordinator.itemDidChange(to: item)
        // Not at once: whoever gives an item to a player looks at its status afterwards.
        if let item, item.status == .unknown { _ = time.schedule(0) { [weak item] in item?.becomeReady() } }
    }

    public func play() { rate = defaultRate }
    public func pause() { rate = 0 }
    public func playImmediately(atRate rate: Float) { playbackCoordinator.wish(.rateChange(Double(rate), isImmediate: true)) }

    /// Setting it asks the group; it changes when the group does.
    public var rate: Float {
        get { lock.withLock { state.rate } }
        set { playbackCoordinator.wish(.rateChange(Double(newValue), isImmediate: false)) }
    }

    /// Goes at a rate as if it had been at a time of the item at an instant of the host clock; invalid means here and now. The group is not asked.
    public func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        apply(rate: rate, itemTime: itemTime.isNumeric ? itemTime : nil, host: hostClockTime.isNumeric ? hostClockTime : nil, isWaiting: false, originator: nil)
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

    /// Calls back on the queue (without one, the main queue) each time so much of the item has gone by, and when playback begins, stops or
    /// jumps; until `removeTimeObserver`.
    @discardableResult public func addPeriodicTimeObserver(forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void) -> Any {
        timeObservers.add(interval: interval, queue: queue, block: block) { [weak self] in self?.timeline }
    }

    public func removeTimeObserver(_ observer: Any) { timeObservers.remove(observer) }

    private func timelineChanged() { timeObservers.timelineChanged { [weak self] in self?.timeline } }

    private var timeline: TimeObservers.Timeline {
        lock.withLock {
            let now = time.clock.time
            return .init(time: position(at: now), rate: state.rate, startDelayNanoseconds: (state.anchorHost - now).nanoseconds)
        }
    }

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
        let (changed, jumped, item) = propertyObservers.during {
            lock.withLock {
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
        }
        if changed || itemTime != nil { timelineChanged() }
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
        let (item, action, rate): (AVPlayerItem?, ActionAtItemEnd, Float) = lock.withLock { (state.endCount == count ? state.item : nil, settings.actionAtItemEnd, state.rate) }
        guard let item else { return }
        // Every player of the group comes to its end by itself: this is no wish to stop the others.
        if action != .none { apply(rate: 0, itemTime: item.duration, host: nil, isWaiting: false, originator: nil) }
        NotificationCenter.default.post(name: .AVPlayerItemDidPlayToEndTime, object: item)
        itemDidEnd(at: rate)
    }

    /// After the end has been told: a player of one item stops there.
    func itemDidEnd(at rate: Float) {}
}
