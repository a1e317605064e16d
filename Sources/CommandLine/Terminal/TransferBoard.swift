// How far all transfers of a command are together, as one line with a bar.

import Conversations
import Synchronization

/// May be used from any thread.
final class TransferBoard: Sendable {
    private struct State {
        var transfers: [String: (bytes: Int, totalBytes: Int)] = [:]
        var doneCount = 0
        var isInterrupted = false
        var shownAt = ContinuousClock.Instant.now - .seconds(1)
    }

    private static let pause: Duration = .milliseconds(100)
    private let verb: String
    private let report: Report
    private let state = Mutex(State())

    init(_ verb: String, _ report: Report) {
        self.verb = verb
        self.report = report
    }

    func expect(_ key: String, totalBytes: Int) { state.withLock { $0.transfers[key] = (0, totalBytes) } }

    func handler(for key: String) -> ProgressHandler {
        { [self] progress in
            let line = state.withLock { state -> String? in
                state.transfers[key] = (progress.bytes, progress.totalBytes)
                state.isInterrupted = progress.phase == .interrupted
                guard ContinuousClock.now - state.shownAt > Self.pause else { return nil }
                state.shownAt = .now
                return Self.line(verb, done: state.doneCount, of: state.transfers.count, Self.sum(state, \.bytes), Self.sum(state, \.totalBytes), isInterrupted: state.isInterrupted)
            }
            if let line { report.show(line) }
        }
    }

    func done(_ key: String) {
        state.withLock { state in
            state.doneCount += 1
            if let transfer = state.transfers[key] { state.transfers[key] = (transfer.totalBytes, transfer.totalBytes) }
        }
    }

    /// It will not come.
    func forget(_ key: String) { state.withLock { $0.transfers[key] = nil } }

    func close() { report.show("") }

    private static func sum(_ state: State, _ field: (((bytes: Int, totalBytes: Int)) -> Int)) -> Int { state.transfers.values.reduce(0) { $0 + field($1) } }

    static func line(_ verb: String, done: Int, of count: Int, _ bytes: Int, _ totalBytes: Int, isInterrupted: Bool) -> String {
        let width = 24
        let filled = totalBytes == 0 ? width : min(width, width * bytes / totalBytes)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = totalBytes == 0 ? 100 : 100 * bytes / totalBytes
        return "\(verb) \(done) of \(count) \(bar) \(percent) %  \(Amounts.bytes(bytes)) of \(Amounts.bytes(totalBytes))\(isInterrupted ? ", interrupted: trying again" : "")"
    }
}
