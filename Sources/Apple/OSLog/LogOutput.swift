// Where log lines go, which of them, and what of them may be shown.

import Foundation

enum LogOutput {
    /// What the environment asks for.
    struct Policy: Sendable {
        /// Levels that are left out.
        var silenced: Set<OSLogType>
        /// Values that were not marked public are shown: to a person at a terminal, as Xcode shows them to a developer.
        var showsPrivate: Bool
        var write: @Sendable (String) -> Void

        static let environment: Policy = {
            let variables = ProcessInfo.processInfo.environment
            let silenced: Set<OSLogType> =
                switch variables["OS_ACTIVITY_MODE"] {
                case "disable": [.default, .info, .debug, .error, .fault]
                case "debug": []
                case "info": [.debug]
                default: [.debug, .info]
                }
            return Policy(silenced: silenced, showsPrivate: isatty(STDERR_FILENO) == 1 || variables["OS_ACTIVITY_DT_MODE"] != nil) { line in
                // One call for each line, so that lines of several threads do not mix.
                line.utf8.withContiguousStorageIfAvailable { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            }
        }()
    }

    @TaskLocal static var policy = Policy.environment

    static func isWritten(_ level: OSLogType) -> Bool { !policy.silenced.contains(level) }

    static func write(_ message: OSLogMessage, level: OSLogType, subsystem: String, category: String) {
        let policy = policy
        guard !policy.silenced.contains(level) else { return }
        let origin = subsystem.isEmpty && category.isEmpty ? "" : "[\(subsystem):\(category)] "
        var line = "\(timestamp()) \(origin)\(level.name): \(message.text(showsPrivate: policy.showsPrivate))\n"
        line.makeContiguousUTF8()
        policy.write(line)
    }

    private static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        let milliseconds = padded(now.tv_nsec / 1_000_000, 3)
        return "\(Int(parts.tm_year) + 1900)-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2)) "
            + "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):\(padded(Int(parts.tm_sec), 2)).\(milliseconds)"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
