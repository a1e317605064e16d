// How many knocks the members of one conversation hear of: who knocks costs each of them two frames and a look.

import Wire

struct KnockAllowance {
    private var knocks = Limits.knockBurstLimit
    /// Up to when time has been turned into knocks.
    private var filledAt: UInt64 = 0

    /// False: members have heard of enough for now. Time that goes back earns nothing.
    mutating func spend(nowNanoseconds now: UInt64) -> Bool {
        let interval = 1_000_000_000 / UInt64(Limits.knocksPerSecondLimit)
        let earned = (max(now, filledAt) - filledAt) / interval
        filledAt += earned * interval
        knocks = min(Limits.knockBurstLimit, knocks + Int(clamping: min(earned, UInt64(Limits.knockBurstLimit))))
        guard knocks > 0 else { return false }
        knocks -= 1
        return true
    }
}
