// Where and when values are delivered.

/// Runs actions now or later. Apple: Combine/Scheduler.
public protocol Scheduler<SchedulerTimeType> {
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    associatedtype SchedulerOptions

    var now: SchedulerTimeType { get }
    var minimumTolerance: SchedulerTimeType.Stride { get }
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
    func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void)
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) { schedule(after: date, tolerance: minimumTolerance, options: nil, action) }
    public func schedule(after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }
}

/// A length of time, made from units. Apple: Combine/SchedulerTimeIntervalConvertible.
public protocol SchedulerTimeIntervalConvertible {
    static func seconds(_ s: Int) -> Self
    static func seconds(_ s: Double) -> Self
    static func milliseconds(_ ms: Int) -> Self
    static func microseconds(_ us: Int) -> Self
    static func nanoseconds(_ ns: Int) -> Self
}

/// A length of time in nanoseconds: the stride of every scheduler here. Saturates instead of overflowing.
public struct SchedulerInterval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Hashable, Codable, Sendable {
    public var nanoseconds: Int

    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
    public init(seconds: Double) {
        let exact = (seconds * 1e9).rounded()
        nanoseconds = Int(exactly: exact) ?? (exact < 0 ? .min : .max)
    }
    public init(integerLiteral value: Int) { self.init(seconds: Double(value)) }
    public init(floatLiteral value: Double) { self.init(seconds: value) }
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        self.init(seconds: Double(seconds))
    }

    public var magnitude: SchedulerInterval { .init(nanoseconds: nanoseconds == .min ? .max : abs(nanoseconds)) }
    /// In seconds.
    public var timeInterval: Double { Double(nanoseconds) / 1e9 }

    public static func seconds(_ s: Int) -> Self { .init(nanoseconds: scaled(s, 1_000_000_000)) }
    public static func seconds(_ s: Double) -> Self { .init(seconds: s) }
    public static func milliseconds(_ ms: Int) -> Self { .init(nanoseconds: scaled(ms, 1_000_000)) }
    public static func microseconds(_ us: Int) -> Self { .init(nanoseconds: scaled(us, 1_000)) }
    public static func nanoseconds(_ ns: Int) -> Self { .init(nanoseconds: ns) }

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    public static func + (left: Self, right: Self) -> Self {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return .init(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : sum)
    }
    public static func - (left: Self, right: Self) -> Self {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .init(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : difference)
    }
    public static func * (left: Self, right: Self) -> Self { .init(seconds: left.timeInterval * right.timeInterval) }
    public static func *= (left: inout Self, right: Self) { left = left * right }

    private static func scaled(_ count: Int, _ unit: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? (count < 0 ? .min : .max) : product
    }
}

/// Runs actions where they are given, at once. Apple: Combine/ImmediateScheduler.
public struct ImmediateScheduler: Scheduler, Sendable {
    public typealias SchedulerOptions = Never
    public static let shared = ImmediateScheduler()

    /// A time that stands still.
    public struct SchedulerTimeType: Strideable, Sendable {
        public typealias Stride = SchedulerInterval
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by n: Stride) -> Self { self }
        public static func < (left: Self, right: Self) -> Bool { false }
        public static func == (left: Self, right: Self) -> Bool { true }
    }

    public var now: SchedulerTimeType { SchedulerTimeType() }
    public var minimumTolerance: SchedulerInterval { 0 }
    public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
    public func schedule(after date: SchedulerTimeType, tolerance: SchedulerInterval, options: Never?, _ action: @escaping () -> Void) { action() }
    public func schedule(after date: SchedulerTimeType, interval: SchedulerInterval, tolerance: SchedulerInterval, options: Never?, _ action: @escaping () -> Void) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}
