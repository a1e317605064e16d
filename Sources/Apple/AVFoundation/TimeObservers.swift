// Blocks that are called as a player's time goes by.

import CoreMedia
import Dispatch
import Foundation

/// The periodic observers of one player. Each has its own next call, which moves whenever the player's timeline does.
final class TimeObservers: @unchecked Sendable {
    /// Where the player is and how fast it goes, from `startDelayNanoseconds` on.
    struct Timeline {
        var time: CMTime
        var rate: Float
        var startDelayNanoseconds: Int64
    }

    /// What `addPeriodicTimeObserver` gives back.
    private final class Token {}

    private final class Observer {
        let intervalSeconds: Double
        let queue: DispatchQueue
        let block: @Sendable (CMTime) -> Void
        let token = Token()
        var cancel: (@Sendable () -> Void)?
        /// Calls that were scheduled before count no longer.
        var turn = 0

        init(_ interval: CMTime, _ queue: DispatchQueue, _ block: @escaping @Sendable (CMTime) -> Void) {
            // Nobody needs more than a thousand calls a second, and none can be had at an interval of nothing.
            intervalSeconds = interval.isNumeric && interval > .zero ? max(0.001, interval.seconds) : .infinity
            (self.queue, self.block) = (queue, block)
        }
    }

    private let time: PlaybackTime
    private let lock = NSLock()
    private var observers: [Observer] = []

    init(time: PlaybackTime) { self.time = time }

    deinit { for observer in observers { observer.cancel?() } }

    func add(interval: CMTime, queue: DispatchQueue?, block: @escaping @Sendable (CMTime) -> Void, now: @escaping @Sendable () -> Timeline?) -> Any {
        let observer = Observer(interval, queue ?? .main, block)
        lock.withLock { observers.append(observer) }
        schedule(observer, now)
        return observer.token
    }

    func remove(_ token: Any) {
        lock.withLock {
            for observer in observers where observer.token === token as AnyObject { cancel(observer) }
            observers.removeAll { $0.token === token as AnyObject }
        }
    }

    /// Playback has begun or stopped, or has jumped.
    func timelineChanged(_ now: @escaping @Sendable () -> Timeline?) {
        guard let timeline = now() else { return }
        for observer in lock.withLock({ observers }) {
            call(observer, timeline.time)
            schedule(observer, now)
        }
    }

    private func call(_ observer: Observer, _ time: CMTime) {
        let block = observer.block
        observer.queue.async { block(time) }
    }

    /// Called under the lock.
    private func cancel(_ observer: Observer) {
        observer.turn += 1
        observer.cancel?()
        observer.cancel = nil
    }

    private func schedule(_ observer: Observer, _ now: @escaping @Sendable () -> Timeline?) {
        guard let timeline = now(), timeline.rate != 0, observer.intervalSeconds.isFinite, timeline.time.isNumeric else { return lock.withLock { cancel(observer) } }
        let position = timeline.time.seconds / observer.intervalSeconds
        // Just short of a multiple is that multiple: the next one is meant.
        let next = timeline.rate > 0 ? (position + 0.001).rounded(.down) + 1 : (position - 0.001).rounded(.up) - 1
        let seconds = (next - position) * observer.intervalSeconds / Double(timeline.rate)
        let delay = Int64(min(max(0.0005, seconds), 86_400) * 1e9) &+ max(0, timeline.startDelayNanoseconds)
        lock.withLock {
            cancel(observer)
            guard observers.contains(where: { $0 === observer }) else { return }
            let turn = observer.turn
            let carried = Carried(observer: observer)
            observer.cancel = time.schedule(delay) { [weak self] in self?.fire(carried.observer, turn, now) }
        }
    }

    private struct Carried: @unchecked Sendable { let observer: Observer }

    private func fire(_ observer: Observer, _ turn: Int, _ now: @escaping @Sendable () -> Timeline?) {
        guard lock.withLock({ observer.turn == turn }), let timeline = now() else { return }
        call(observer, timeline.time)
        schedule(observer, now)
    }
}
