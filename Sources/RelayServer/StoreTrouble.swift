// What an operator reads of a disk that does not take what it is given: at once, and then as often as it helps.

import Relay

/// A disk that fails is asked again every second for each conversation that waits for it; one line a minute says so.
struct StoreTrouble {
    private var said = RareLine()

    /// `nil`: it was said less than a minute ago, and is counted.
    mutating func line(for error: StoreError, nowNanoseconds: UInt64) -> String? {
        said.line(nowNanoseconds: nowNanoseconds) {
            let reason =
                switch error {
                case .full: "it is full"
                case .failed(let reason): Self.withoutNames(reason)
                }
            return "the disk did not take what was to be kept or erased: \(reason)"
        }
    }

    /// A path may hold names of conversations, sessions and attachments, of 22 characters each.
    private static func withoutNames(_ reason: String) -> String { reason.replacing(/[A-Za-z0-9_\-]{22}/, with: "…") }
}
