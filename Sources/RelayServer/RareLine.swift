// A line of the log about what strangers or a disk can make happen a thousand times a second.

/// Said at once, then at most once a minute, with how often it has happened since.
struct RareLine {
    static let pauseNanoseconds: UInt64 = 60_000_000_000

    private var saidAtNanoseconds: UInt64?
    private var unsaidCount = 0

    /// `nil`: one was said less than a minute ago, and this one is counted.
    mutating func line(nowNanoseconds: UInt64, _ text: () -> String) -> String? {
        if let saidAtNanoseconds, nowNanoseconds < saidAtNanoseconds + Self.pauseNanoseconds {
            unsaidCount += 1
            return nil
        }
        defer { unsaidCount = 0 }
        saidAtNanoseconds = nowNanoseconds
        return text() + (unsaidCount > 0 ? " (and \(unsaidCount) more since the last such line)" : "")
    }
}
