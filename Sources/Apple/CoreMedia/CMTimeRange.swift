// A stretch of media time.

/// From `start`, for `duration`; the end is not part of it. Apple: CoreMedia/CMTimeRange.
public struct CMTimeRange: Hashable, Sendable, CustomStringConvertible {
    public var start: CMTime
    public var duration: CMTime

    public init() { self = .invalid }
    public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    public var end: CMTime { start + duration }
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && !(duration.isNumeric && duration.value < 0) }
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    public var isEmpty: Bool { isValid && duration == .zero }

    public func containsTime(_ time: CMTime) -> Bool { isValid && time.isValid && time >= start && time < end }
    public func containsTimeRange(_ range: CMTimeRange) -> Bool { isValid && range.isValid && range.start >= start && range.end <= end }

    public func intersection(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        let (first, last) = (max(start, other.start), min(end, other.end))
        return first < last ? CMTimeRange(start: first, end: last) : .zero
    }

    public func union(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        if isEmpty { return other }
        return other.isEmpty ? self : CMTimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    public var description: String { "{\(start), \(duration)}" }
}
