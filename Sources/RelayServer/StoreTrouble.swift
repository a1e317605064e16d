// What an operator reads of a disk that does not take what it is given: at once, and then as often as it helps.

import Relay

/// A disk that fails is asked again every second for each conversation that waits for it; one line a minute says so.
struct StoreTrouble {
    static let pauseNanoseconds: UInt64 = 60_000_000_000

    private var saidAtNanoseconds: UInt64?
    private var unsaidCount = 0

    /// `nil`: it was said less than a minute ago, and is counted.
    mutating func line(for error: StoreError, nowNanoseconds: UInt64) -> String? {
        if let saidAtNanoseconds, nowNanoseconds < saidAtNanoseconds + Self.pauseNanoseconds {
            unsaidCount += 1
            return nil
        }
        defer { unsaidCount = 0 }
        saidAtNanoseconds = nowNanoseconds
        let reason =
            switch error {
            case .full: "it is full"
            case .failed(let reason): Self.withoutNames(reason)
            }
        let since = unsaidCount > 0 ? " (and \(unsaidCount) more failures since the last such line)" : ""
        return "the disk did not take what was to be kept or erased: \(reason)\(since)"
    }

    /// A path may hold names of conversations, sessions and attachments, of 22 characters each.
    private static func withoutNames(_ reason: String) -> String { reason.replacing(/[A-Za-z0-9_\-]{22}/, with: "…") }
}
