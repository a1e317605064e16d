// How many parts go over a line at once, decided by how long they took: a value that knows only times it is told.

import Wire

/// On a slow line one part at a time fills it; several fill its queues too, and every message then waits behind them or is lost with what does not fit
/// (docs/protocol/attachments.md, "Beside messages").
struct LinePace: Equatable, Sendable {
    static let parallelPartLimit = 3
    /// Below 2 MiB/s three parts at a time take longer than the first of these, each, and above it one alone takes less than the second.
    private static let slowPart: Duration = .milliseconds(1500)
    private static let quickPart: Duration = .milliseconds(500)
    /// What is smaller says more of the way than of the line.
    private static let tellingPartSizeBytes = Limits.partSizeBytes / 4

    /// Parts that may travel at once, of all transfers together.
    private(set) var partLimit = 1
    private var isLineKnown = false

    /// - Parameter duration: from the beginning of the request to its answer.
    mutating func partTravelled(sizeBytes: Int, in duration: Duration) {
        let isTelling = sizeBytes >= Self.tellingPartSizeBytes
        guard isTelling || !isLineKnown else { return }
        isLineKnown = isLineKnown || isTelling
        let whole = isTelling ? duration * Limits.partSizeBytes / sizeBytes : duration
        if whole > Self.slowPart { partLimit = 1 } else if whole < Self.quickPart { partLimit = Self.parallelPartLimit }
    }
}
