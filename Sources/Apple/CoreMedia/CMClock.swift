// Clocks, and timelines that run along them.

import Foundation

/// A source of time that only goes forward. Apple: CoreMedia/CMClock.
public final class CMClock: Sendable {
    private let read: @Sendable () -> CMTime

    /// A clock of one's own, such as one that a test moves. Not in Apple's framework.
    public init(reading read: @escaping @Sendable () -> CMTime) { self.read = read }

    public var time: CMTime { read() }

    private static let monotonic = CMClock {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return CMTime(value: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), timescale: 1_000_000_000)
    }

    /// The host clock for the tasks within: the monotonic clock, unless a virtual one has been put in its place.
    @TaskLocal package static var host = monotonic

    /// Apple: CoreMedia/CMClock/hostTimeClock.
    public static var hostTimeClock: CMClock { host }
}

/// A timeline with a rate, which can be set and moved. Apple: CoreMedia/CMTimebase.
public final class CMTimebase: @unchecked Sendable {
    public let sourceClock: CMClock
    private let lock = NSLock()
    private var anchor = (time: CMTime.zero, source: CMTime.zero, rate: 0.0)

    public init(sourceClock: CMClock) throws {
        self.sourceClock = sourceClock
        anchor.source = sourceClock.time
    }

    public var time: CMTime { lock.withLock { time(at: sourceClock.time) } }
    public var rate: Double { lock.withLock { anchor.rate } }

    /// Time and rate of one instant, with that instant on the source clock.
    package var snapshot: (time: CMTime, source: CMTime, rate: Double) {
        lock.withLock {
            let now = sourceClock.time
            return (time(at: now), now, anchor.rate)
        }
    }

    public func setTime(_ time: CMTime) throws { lock.withLock { anchor = (time, sourceClock.time, anchor.rate) } }

    public func setRate(_ rate: Double) throws {
        lock.withLock {
            let now = sourceClock.time
            anchor = (time(at: now), now, rate)
        }
    }

    /// Goes at `rate` as if the time had been `anchorTime` at an instant of the source clock.
    public func setRate(_ rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime) throws { lock.withLock { anchor = (anchorTime, immediateSourceTime, rate) } }

    private func time(at source: CMTime) -> CMTime { anchor.rate == 0 ? anchor.time : anchor.time + CMTimeMultiplyByFloat64(source - anchor.source, multiplier: anchor.rate) }
}
