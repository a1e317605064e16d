// What a command says: results on standard output, as text or JSON; remarks and progress on standard error, where somebody looks.

import Glibc
import Synchronization

/// May be used from any thread.
final class Report: Sendable {
    let isJSON: Bool
    private let isQuiet: Bool
    private let showsProgress: Bool
    private let progress = Mutex("")

    init(_ setting: Setting) {
        isJSON = setting.isJSON
        isQuiet = setting.isQuiet
        showsProgress = !setting.isJSON && !setting.isQuiet && isatty(STDERR_FILENO) == 1
    }

    var isOnTerminal: Bool { !isJSON && isatty(STDOUT_FILENO) == 1 }

    /// A result. The text is made of lines that are safe to show.
    func result(_ text: @autoclosure () -> String, _ event: String, _ fields: [(String, JSONLine)] = []) {
        let line = isJSON ? JSONLine.object([("event", .string(event))] + fields).text : text()
        progress.withLock { progress in
            clear(&progress)
            Program.say(line)
        }
    }

    /// What a person may want to know and a program does not.
    func remark(_ text: String) {
        guard !isQuiet, !isJSON else { return }
        complaint(text)
    }

    /// What went wrong and did not end the command.
    func complaint(_ text: String) {
        progress.withLock { progress in
            clear(&progress)
            Program.complain(text)
        }
    }

    /// One line that is written anew; "" takes it away.
    func show(_ line: String) {
        guard showsProgress else { return }
        progress.withLock { progress in
            guard line != progress else { return }
            progress = line
            Program.complain("\r\u{1b}[K" + line, isLine: false)
        }
    }

    private func clear(_ progress: inout String) {
        guard !progress.isEmpty else { return }
        progress = ""
        Program.complain("\r\u{1b}[K", isLine: false)
    }
}
