// Media time as a fraction, so that frames and samples add up exactly.

@_exported import Foundation

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

/// What kind of time it is. Apple: CoreMedia/CMTimeFlags.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let valid = CMTimeFlags(rawValue: 1)
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    public static let indefinite = CMTimeFlags(rawValue: 16)
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// `value / timescale` seconds, or no number at all. No operation traps: what does not fit loses precision, and says so. Apple: CoreMedia/CMTime.
public struct CMTime: Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    public var flags: CMTimeFlags
    public var epoch: CMTimeEpoch

    public init() { self = .invalid }
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
    }
    /// Invalid where the timescale is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) { self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0) }

    /// The nearest time of a scale; a coarser scale where the seconds do not fit, infinity where none does.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard !seconds.isNaN, preferredTimescale > 0 else {
            self = .invalid
            return
        }
        var scale = preferredTimescale
        while scale > 1, abs(seconds) * Double(scale) >= 0x1p62 { scale /= 2 }
        let exact = seconds * Double(scale)
        guard abs(exact) < 0x1p62 else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        let value = exact.rounded(.toNearestOrAwayFromZero)
        self.init(value: CMTimeValue(value), timescale: scale, flags: value == exact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
    }

    public static let invalid = CMTime(value: 0, timescale: 0, flags: [], epoch: 0)
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    public static let zero = CMTime(value: 0, timescale: 1)

    public var isValid: Bool { flags.contains(.valid) }
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// True for a number: valid, finite, definite.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0 }
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// Not a number for an invalid or indefinite time.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        return isPositiveInfinity ? .infinity : isNegativeInfinity ? -.infinity : .nan
    }
}

/// How a time is fitted into a coarser scale. Apple: CoreMedia/CMTimeRoundingMethod.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    case roundHalfAwayFromZero = 1
    case roundTowardZero, roundAwayFromZero, quickTime, roundTowardPositiveInfinity, roundTowardNegativeInfinity
    public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero

    /// `numerator / denominator` as a whole number; the denominator is positive.
    func divide(_ numerator: Int128, by denominator: Int128) -> (quotient: Int128, isExact: Bool) {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        if remainder == 0 { return (quotient, true) }
        let away: Int128 = numerator < 0 ? -1 : 1
        let moves =
            switch self {
            case .roundHalfAwayFromZero: remainder.magnitude * 2 >= denominator.magnitude
            case .roundTowardZero, .quickTime: false
            case .roundAwayFromZero: true
            case .roundTowardPositiveInfinity: numerator > 0
            case .roundTowardNegativeInfinity: numerator < 0
            }
        return (moves ? quotient + away : quotient, false)
    }
}

extension CMTime {
    /// A numeric time from a fraction of any size: a coarser scale where it does not fit, infinity where none does.
    static func fitted(_ numerator: Int128, over denominator: Int128, timescale: CMTimeScale, method: CMTimeRoundingMethod = .default, rounded: Bool, epoch: CMTimeEpoch) -> CMTime {
        var scale = timescale
        while true {
            let (product, overflow) = numerator.multipliedReportingOverflow(by: Int128(scale))
            if !overflow {
                let (value, isExact) = method.divide(product, by: denominator)
                if let value = CMTimeValue(exactly: value) {
                    return CMTime(value: value, timescale: scale, flags: isExact && !rounded && scale == timescale ? .valid : [.valid, .hasBeenRounded], epoch: epoch)
                }
            }
            if scale == 1 { return numerator > 0 ? .positiveInfinity : .negativeInfinity }
            scale /= 2
        }
    }

    /// The time in another scale. Apple: CoreMedia/CMTime/convertScale(_:method:).
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        guard isNumeric else { return self }
        guard newTimescale > 0 else { return .invalid }
        if newTimescale == timescale { return self }
        // QuickTime's method rounds towards zero when the scale gets coarser, and away from it otherwise.
        let method = method == .quickTime ? (newTimescale < timescale ? .roundTowardZero : .roundAwayFromZero) : method
        return .fitted(Int128(value), over: Int128(timescale), timescale: newTimescale, method: method, rounded: flags.contains(.hasBeenRounded), epoch: epoch)
    }

    private static func sum(_ left: CMTime, _ right: CMTime, sign: Int128) -> CMTime {
        guard left.isValid, right.isValid else { return .invalid }
        guard left.isNumeric, right.isNumeric else {
            let other = sign > 0 ? right : -right
            let infinities = [left, other].filter { $0.isPositiveInfinity || $0.isNegativeInfinity }
            if infinities.count == 2, infinities[0].isPositiveInfinity != infinities[1].isPositiveInfinity { return .invalid }
            return infinities.first ?? .indefinite
        }
        guard left.epoch == right.epoch || right.epoch == 0 || sign < 0 else { return .invalid }
        let common = lowestCommonScale(left.timescale, right.timescale)
        let (a, b) = (Int128(left.value) * Int128(right.timescale), Int128(right.value) * Int128(left.timescale))
        return .fitted(
            a + sign * b, over: Int128(left.timescale) * Int128(right.timescale), timescale: common,
            rounded: left.flags.contains(.hasBeenRounded) || right.flags.contains(.hasBeenRounded), epoch: left.epoch == right.epoch && sign < 0 ? 0 : left.epoch)
    }

    private static func lowestCommonScale(_ a: CMTimeScale, _ b: CMTimeScale) -> CMTimeScale {
        var (x, y) = (Int64(a), Int64(b))
        while y != 0 { (x, y) = (y, x % y) }
        return CMTimeScale(clamping: Int64(a) / x * Int64(b))
    }

    public static func + (left: CMTime, right: CMTime) -> CMTime { sum(left, right, sign: 1) }
    public static func - (left: CMTime, right: CMTime) -> CMTime { sum(left, right, sign: -1) }
    public static func += (left: inout CMTime, right: CMTime) { left = left + right }
    public static func -= (left: inout CMTime, right: CMTime) { left = left - right }

    public static prefix func - (time: CMTime) -> CMTime {
        if time.isPositiveInfinity { return .negativeInfinity }
        if time.isNegativeInfinity { return .positiveInfinity }
        guard time.isNumeric else { return time }
        return .fitted(-Int128(time.value), over: Int128(time.timescale), timescale: time.timescale, rounded: time.flags.contains(.hasBeenRounded), epoch: time.epoch)
    }

    func multiplied(by numerator: Int128, over denominator: Int128) -> CMTime {
        guard isValid, denominator != 0 else { return .invalid }
        let sign: Int128 = denominator < 0 ? -1 : 1
        guard isNumeric else { return isIndefinite || numerator != 0 ? (numerator * sign < 0 ? -self : self) : .invalid }
        return .fitted(Int128(value) * numerator * sign, over: Int128(timescale) * denominator * sign, timescale: timescale, rounded: flags.contains(.hasBeenRounded), epoch: epoch)
    }

    func multiplied(by factor: Double) -> CMTime {
        guard isNumeric else { return factor < 0 ? -self : self }
        if let whole = Int32(exactly: factor) { return multiplied(by: Int128(whole), over: 1) }
        var result = CMTime(seconds: seconds * factor, preferredTimescale: max(timescale, 1_000_000_000))
        if result.isNumeric { result.epoch = epoch }
        return result
    }
}

extension CMTime: Comparable, Hashable {
    /// -∞ < numbers < indefinite < +∞ < invalid; a later epoch is greater.
    private var rank: Int { isNegativeInfinity ? 0 : isNumeric ? 1 : isIndefinite ? 2 : isPositiveInfinity ? 3 : 4 }

    public static func < (left: CMTime, right: CMTime) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        guard left.rank == 1 else { return false }
        if left.epoch != right.epoch { return left.epoch < right.epoch }
        return Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }

    public static func == (left: CMTime, right: CMTime) -> Bool { !(left < right) && !(right < left) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isNumeric else { return }
        hasher.combine(epoch)
        var (x, y) = (value.magnitude, UInt64(timescale))
        while y != 0 { (x, y) = (y, x % y) }
        hasher.combine(value / Int64(clamping: x))
        hasher.combine(Int64(timescale) / Int64(clamping: x))
    }
}

extension CMTime: CustomStringConvertible {
    public var description: String {
        guard isNumeric else { return isPositiveInfinity ? "{+INFINITY}" : isNegativeInfinity ? "{-INFINITY}" : isIndefinite ? "{INDEFINITE}" : "{INVALID}" }
        return "{\(value)/\(timescale) = \(seconds)}"
    }
}
