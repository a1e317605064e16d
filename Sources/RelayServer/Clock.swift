// The two clocks of the network side.

import Glibc

/// Seconds since 1970, as the machine's clock is set: by it invitations end.
func wallClockSeconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(clamping: now.tv_sec)
}

/// Nanoseconds of a clock that only runs forward.
func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
