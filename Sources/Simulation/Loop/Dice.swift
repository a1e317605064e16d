// Chance that comes out the same each time.

/// SplitMix64.
struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter purpose: dice of one seed for different purposes do not disturb each other.
    init(seed: UInt64, purpose: UInt64 = 0) {
        state = seed &* 0x2545_f491_4f6c_dd1d &+ purpose &* 0x9e37_79b9_7f4a_7c15
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { limit <= 1 ? 0 : Int(next() % UInt64(limit)) }
    mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
    /// From 0 to 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
    mutating func happens(_ likelihood: Double) -> Bool { likelihood > 0 && fraction() < likelihood }
    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(number(range)) }

    mutating func pick<Value>(_ weighted: [(weight: Int, value: Value)]) -> Value {
        var drawn = below(weighted.reduce(0) { $0 + $1.weight })
        for (weight, value) in weighted {
            if drawn < weight { return value }
            drawn -= weight
        }
        return weighted[weighted.count - 1].value
    }
}
