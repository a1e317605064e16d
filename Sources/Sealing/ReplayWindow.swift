// Which samples of one sender have been seen: they may be lost or overtake one another, but none counts twice.

/// A sliding window over the last 256 counters. Ask only after the sample has opened, or a forged counter would move it.
public struct ReplayWindow: Equatable, Sendable {
    public static let sizeCounters: UInt64 = 256
    /// The counter after the highest that was seen; 0: none.
    private var end: UInt64 = 0
    private var seen: [UInt64] = [0, 0, 0, 0]

    public init() {}

    /// True the first time, unless the counter has fallen out of the window.
    public mutating func accept(_ counter: UInt64) -> Bool {
        guard counter < .max, counter + Self.sizeCounters >= end || end < Self.sizeCounters else { return false }
        if counter >= end {
            if counter - end >= Self.sizeCounters {
                seen = [0, 0, 0, 0]
            } else {
                for skipped in end..<counter { mark(skipped, false) }
            }
            end = counter + 1
        } else if isMarked(counter) {
            return false
        }
        mark(counter, true)
        return true
    }

    private func isMarked(_ counter: UInt64) -> Bool { seen[Int(counter >> 6 & 3)] >> (counter & 63) & 1 == 1 }

    private mutating func mark(_ counter: UInt64, _ value: Bool) {
        let bit: UInt64 = 1 << (counter & 63)
        if value { seen[Int(counter >> 6 & 3)] |= bit } else { seen[Int(counter >> 6 & 3)] &= ~bit }
    }
}
