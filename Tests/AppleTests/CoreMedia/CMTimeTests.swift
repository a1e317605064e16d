// Media times: exact where they fit, honest where they do not, never a trap.

import CoreMedia
import Foundation
import Testing

@Suite struct CMTimeTests {
    @Test func `times of different scales add up exactly`() {
        let sum = CMTime(value: 1, timescale: 3) + CMTime(value: 1, timescale: 4)
        #expect(sum.value == 7 && sum.timescale == 12)
        #expect(!sum.hasBeenRounded)
        #expect(CMTime(value: 1, timescale: 2) - CMTime(value: 1, timescale: 3) == CMTime(value: 1, timescale: 6))
        var total = CMTime.zero
        for _ in 0..<30_000 { total += CMTime(value: 1001, timescale: 30_000) }
        #expect(total == CMTime(value: 1001, timescale: 1))
    }

    @Test func `equal times are equal whatever their scale, and hash alike`() {
        let (a, b) = (CMTime(value: 3, timescale: 2), CMTime(value: 900, timescale: 600))
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
        #expect(a < CMTime(value: 1501, timescale: 1000))
    }

    @Test(arguments: [
        (CMTimeRoundingMethod.roundHalfAwayFromZero, 3, -3), (.roundTowardZero, 2, -2), (.roundAwayFromZero, 3, -3), (.roundTowardPositiveInfinity, 3, -2),
        (.roundTowardNegativeInfinity, 2, -3), (.quickTime, 2, -2),
    ])
    func `each rounding method rounds as its name says`(method: CMTimeRoundingMethod, up: Int64, down: Int64) {
        let converted = CMTime(value: 5, timescale: 2).convertScale(1, method: method)
        #expect(converted.value == up)
        #expect(converted.hasBeenRounded)
        #expect(CMTime(value: -5, timescale: 2).convertScale(1, method: method).value == down)
        #expect(!CMTime(value: 4, timescale: 2).convertScale(1, method: method).hasBeenRounded)
    }

    @Test func `what does not fit gets a coarser scale or becomes infinite`() {
        let large = CMTime(value: .max, timescale: 1_000)
        let sum = large + large
        #expect(sum.isNumeric && sum.hasBeenRounded && sum.timescale < 1_000)
        #expect(abs(sum.seconds / (2 * large.seconds) - 1) < 1e-9)
        #expect((CMTime(value: .max, timescale: 1) + CMTime(value: .max, timescale: 1)).isPositiveInfinity)
        #expect((-CMTime(value: .min, timescale: 1)).isPositiveInfinity)
        #expect(CMTime(seconds: 1e300, preferredTimescale: 600).isPositiveInfinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTimeMultiply(CMTime(value: .max, timescale: .max), multiplier: .max).isNumeric)
    }

    @Test func `times that are no numbers keep to their rules`() {
        #expect(!(CMTime.positiveInfinity - .positiveInfinity).isValid)
        #expect((CMTime.positiveInfinity + CMTime(value: 1, timescale: 1)).isPositiveInfinity)
        #expect((CMTime.indefinite + .zero).isIndefinite)
        #expect(!(CMTime.invalid + .zero).isValid)
        #expect(CMTime.negativeInfinity < .zero)
        #expect(CMTime.zero < .indefinite)
        #expect(CMTime.indefinite < .positiveInfinity)
        #expect(CMTime.invalid.seconds.isNaN)
        #expect(!CMTime(value: 1, timescale: 0).isValid)
        #expect(CMTime.invalid == .invalid)
    }

    @Test func `seconds survive the way there and back`() {
        for seconds in [0, 1.5, -2.25, 754.0, 0.04] { #expect(CMTime(seconds: seconds, preferredTimescale: 600).seconds == seconds) }
        #expect(CMTimeMultiplyByFloat64(CMTime(value: 10, timescale: 1), multiplier: 1.5).seconds == 15)
        #expect(CMTimeMultiplyByRatio(CMTime(value: 10, timescale: 1), multiplier: 1, divisor: 2) == CMTime(value: 5, timescale: 1))
    }

    @Test func `ranges hold their start and not their end`() {
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), end: CMTime(value: 3, timescale: 1))
        #expect(range.containsTime(range.start) && !range.containsTime(range.end))
        #expect(range.intersection(CMTimeRange(start: CMTime(value: 2, timescale: 1), duration: CMTime(value: 9, timescale: 1))).duration == CMTime(value: 1, timescale: 1))
        #expect(range.union(CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 2))).start == .zero)
        #expect(!CMTimeRange(start: .zero, duration: CMTime(value: -1, timescale: 1)).isValid)
        #expect(CMTimeRange.zero.isEmpty)
    }

    @Test func `a timebase runs along its clock at its rate`() throws {
        nonisolated(unsafe) var now = CMTime.zero
        let timebase = try CMTimebase(sourceClock: CMClock { now })
        now = CMTime(value: 5, timescale: 1)
        #expect(timebase.time == .zero)
        try timebase.setRate(2)
        now = CMTime(value: 8, timescale: 1)
        #expect(timebase.time == CMTime(value: 6, timescale: 1))
        try timebase.setRate(0)
        try timebase.setTime(CMTime(value: 1, timescale: 1))
        now = CMTime(value: 9, timescale: 1)
        #expect(timebase.time == CMTime(value: 1, timescale: 1))
        try timebase.setRate(1, anchorTime: CMTime(value: 100, timescale: 1), immediateSourceTime: CMTime(value: 8, timescale: 1))
        #expect(CMTimebaseGetTime(timebase) == CMTime(value: 101, timescale: 1))
    }

    @Test func `the host clock goes forward`() {
        let first = CMClockGetTime(CMClockGetHostTimeClock())
        #expect(first.isNumeric)
        #expect(CMClockGetTime(CMClockGetHostTimeClock()) >= first)
    }

    @Test func `a timebase is made and set by the C names`() {
        var timebase: CMTimebase?
        let clock = CMClock { CMTime(value: 7, timescale: 1) }
        #expect(CMTimebaseCreateWithSourceClock(allocator: kCFAllocatorDefault, sourceClock: clock, timebaseOut: &timebase) == noErr)
        guard let timebase else { return #expect(Bool(false), "no timebase") }
        #expect(CMTimebaseSetTime(timebase, time: CMTime(value: 3, timescale: 1)) == noErr && CMTimebaseSetRate(timebase, rate: 2) == noErr)
        #expect(CMTimebaseGetTime(timebase) == CMTime(value: 3, timescale: 1) && CMTimebaseGetRate(timebase) == 2)
    }
}
