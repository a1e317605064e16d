// The C names of the arithmetic, which older code uses. Apple: CoreMedia, Time.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime { CMTime(seconds: seconds, preferredTimescale: preferredTimescale) }
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime { time.multiplied(by: Int128(multiplier), over: 1) }
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime { time.multiplied(by: multiplier) }
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime { time.multiplied(by: Int128(multiplier), over: Int128(divisor)) }
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime { time.convertScale(timescale, method: method) }
public func CMTimeCompare(_ lhs: CMTime, _ rhs: CMTime) -> Int32 { lhs < rhs ? -1 : rhs < lhs ? 1 : 0 }
public func CMTimeMinimum(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { min(lhs, rhs) }
public func CMTimeMaximum(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { max(lhs, rhs) }
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time.isNegativeInfinity || (time.isNumeric && time.value < 0) ? -time : time }
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange { CMTimeRange(start: start, duration: duration) }
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange { CMTimeRange(start: start, end: end) }
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double { timebase.rate }

/// What those functions answer: `noErr`, or something else.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0

/// Who would give memory. There is one value: nobody in particular.
public final class CFAllocator: Sendable {
    private init() {}
}
public let kCFAllocatorDefault: CFAllocator? = nil

@discardableResult public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus { (try? timebase.setTime(time)) == nil ? -1 : noErr }
@discardableResult public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Double) -> OSStatus { (try? timebase.setRate(rate)) == nil ? -1 : noErr }
@discardableResult public func CMTimebaseCreateWithSourceClock(allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: inout CMTimebase?) -> OSStatus {
    timebaseOut = try? CMTimebase(sourceClock: sourceClock)
    return timebaseOut == nil ? -1 : noErr
}
