// How much one participant may still say: two buckets, of frames and of bytes, that fill with time.

import Wire

struct Allowance: Equatable {
    private var frames = Limits.frameBurstLimit
    private var bytes = Limits.byteBurstLimit

    init() {}

    var isFull: Bool { self == Allowance() }

    /// False: more frames than one participant may send.
    mutating func spendFrame() -> Bool {
        frames -= 1
        return frames >= 0
    }

    /// False: more bytes than one participant may send.
    mutating func spend(bytes count: Int) -> Bool {
        bytes -= count
        return bytes >= 0
    }

    mutating func refill(elapsedNanoseconds: UInt64) {
        // A minute fills both; a longer time would only make the numbers large.
        let elapsed = min(elapsedNanoseconds, 60_000_000_000)
        func earned(_ perSecond: Int) -> Int { Int(elapsed * UInt64(perSecond) / 1_000_000_000) }
        frames = min(Limits.frameBurstLimit, max(frames, 0) + earned(Limits.framesPerSecondLimit))
        bytes = min(Limits.byteBurstLimit, max(bytes, 0) + earned(Limits.bytesPerSecondLimit))
    }
}
