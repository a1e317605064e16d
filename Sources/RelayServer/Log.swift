// Lines to standard error, written on a thread of their own: a reader that does not read must not stop the relay.

import Dispatch
import Glibc
import Synchronization

/// Takes lines from any thread. Beyond a backlog of 1,000 lines it drops them and says how many.
public final class Log: Sendable {
    private struct Backlog {
        var lineCount = 0
        var droppedCount = 0
    }

    static let backlogLineLimit = 1_000

    private let queue = DispatchQueue(label: "hearth.log")
    private let backlog = Mutex(Backlog())
    private let sink: @Sendable (String) -> Void

    /// `sink` gets one line at a time, without its end.
    public init(_ sink: @escaping @Sendable (String) -> Void) { self.sink = sink }

    public static func standardError() -> Log {
        Log { line in
            var text = line + "\n"
            text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while !rest.isEmpty {
                    let count = Glibc.write(2, rest.baseAddress!, rest.count)
                    if count <= 0 { return }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                }
            }
        }
    }

    public static let silent = Log { _ in }

    public func callAsFunction(_ line: String) {
        let isTaken = backlog.withLock { backlog in
            if backlog.lineCount >= Self.backlogLineLimit {
                backlog.droppedCount += 1
                return false
            }
            backlog.lineCount += 1
            return true
        }
        guard isTaken else { return }
        queue.async {
            self.sink(line)
            let dropped = self.backlog.withLock { backlog in
                backlog.lineCount -= 1
                guard backlog.lineCount == 0 else { return 0 }
                defer { backlog.droppedCount = 0 }
                return backlog.droppedCount
            }
            if dropped > 0 { self.sink("\(dropped) log lines dropped: standard error was not read in time") }
        }
    }

    /// Returns when everything said so far is written.
    public func flush() { queue.sync {} }
}
