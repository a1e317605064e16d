// Dispatch queues, run loops and operation queues as schedulers.

import Dispatch
import Foundation

extension DispatchQueue: Scheduler {
    /// Apple: Dispatch/DispatchQueue/SchedulerTimeType.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        public typealias Stride = SchedulerInterval
        public var dispatchTime: DispatchTime
        public init(_ time: DispatchTime) { dispatchTime = time }

        public func distance(to other: Self) -> Stride {
            .init(nanoseconds: Int(clamping: other.dispatchTime.uptimeNanoseconds)) - .init(nanoseconds: Int(clamping: dispatchTime.uptimeNanoseconds))
        }
        public func advanced(by n: Stride) -> Self { .init(dispatchTime + .nanoseconds(n.nanoseconds)) }
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
    }

    /// Apple: Dispatch/DispatchQueue/SchedulerOptions.
    public struct SchedulerOptions: @unchecked Sendable {
        public var qos: DispatchQoS
        public var flags: DispatchWorkItemFlags
        public var group: DispatchGroup?
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            (self.qos, self.flags, self.group) = (qos, flags, group)
        }
    }

    public var now: SchedulerTimeType { .init(.now()) }
    public var minimumTolerance: SchedulerInterval { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
    }

    public func schedule(after date: SchedulerTimeType, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerInterval, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = Carried(value: action)
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.setEventHandler { work.value() }
        timer.schedule(deadline: date.dispatchTime, repeating: .nanoseconds(max(1, interval.nanoseconds)), leeway: .nanoseconds(max(0, tolerance.nanoseconds)))
        timer.activate()
        return AnyCancellable { timer.cancel() }
    }
}

/// A moment of the calendar, for schedulers that go by dates.
public struct DateSchedulerTime: Strideable, Hashable, Codable, Sendable {
    public typealias Stride = SchedulerInterval
    public var date: Date
    public init(_ date: Date) { self.date = date }
    public func distance(to other: Self) -> Stride { .init(seconds: other.date.timeIntervalSince(date)) }
    public func advanced(by n: Stride) -> Self { .init(date.addingTimeInterval(n.timeInterval)) }
}

/// The main run loop's actions go to the main queue, which is served on Linux whether or not anybody runs the run loop.
extension RunLoop: Scheduler {
    public typealias SchedulerTimeType = DateSchedulerTime
    /// Apple: Foundation/RunLoop/SchedulerOptions.
    public struct SchedulerOptions: Sendable { public init() {} }

    public var now: DateSchedulerTime { .init(Date()) }
    public var minimumTolerance: SchedulerInterval { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        if self === RunLoop.main { DispatchQueue.main.async { work.value() } } else { perform { work.value() } }
    }

    public func schedule(after date: DateSchedulerTime, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        guard self !== RunLoop.main else { return DispatchQueue.main.asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) { work.value() } }
        add(Timer(fire: date.date, interval: 0, repeats: false) { _ in work.value() }, forMode: .default)
    }

    public func schedule(
        after date: DateSchedulerTime, interval: SchedulerInterval, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        guard self !== RunLoop.main else {
            let start = DispatchQueue.main.now.advanced(by: .init(seconds: max(0, date.date.timeIntervalSinceNow)))
            return DispatchQueue.main.schedule(after: start, interval: interval, tolerance: tolerance, options: nil, action)
        }
        let work = Carried(value: action)
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in work.value() }
        add(timer, forMode: .default)
        return AnyCancellable { timer.invalidate() }
    }
}

extension OperationQueue: Scheduler {
    public typealias SchedulerTimeType = DateSchedulerTime
    /// Apple: Foundation/OperationQueue/SchedulerOptions.
    public struct SchedulerOptions: Sendable { public init() {} }

    public var now: DateSchedulerTime { .init(Date()) }
    public var minimumTolerance: SchedulerInterval { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        addOperation { work.value() }
    }

    public func schedule(after date: DateSchedulerTime, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Carried(value: action)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) { self.addOperation { work.value() } }
    }

    public func schedule(
        after date: DateSchedulerTime, interval: SchedulerInterval, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = Carried(value: action)
        let start = DispatchQueue.global().now.advanced(by: .init(seconds: max(0, date.date.timeIntervalSinceNow)))
        return DispatchQueue.global().schedule(after: start, interval: interval, tolerance: tolerance, options: nil) { self.addOperation { work.value() } }
    }
}
