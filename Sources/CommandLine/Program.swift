// Commands by name, and how the program ends.

import Glibc

enum Program {
    static let version = "0.1.0"

    /// How the program ends, by the numbers of sysexits.h.
    enum Exit: Int32 {
        case fine = 0
        case usage = 64
        case unavailable = 69
        case failed = 70
        case cannotWrite = 73
        case configuration = 78
    }

    /// Said on standard error before the program ends with `exit`: what is wrong, and what to do.
    struct Complaint: Error {
        let exit: Exit
        let text: String
    }

    static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
        do throws(Complaint) {
            switch arguments.first {
            case nil, "help", "--help", "-h": say(HelpText.program)
            case "--version", "version": say("hearth \(version), protocol 1")
            case "serve":
                let rest = Array(arguments.dropFirst())
                if rest.contains("--help") || rest.contains("-h") { say(HelpText.serve) } else { try Serve.run(ServeOptions(rest, environment: environment)) }
            case .some(let other): throw Complaint(exit: .usage, text: "There is no command \"\(other)\". `hearth --help` lists them.")
            }
            return Exit.fine.rawValue
        } catch {
            complain("hearth: \(error.text)")
            return error.exit.rawValue
        }
    }

    static func environment() -> [String: String] {
        var found: [String: String] = [:]
        var next = environ
        while let item = next.pointee {
            let text = String(cString: item)
            if let equals = text.firstIndex(of: "=") { found[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
            next += 1
        }
        return found
    }

    static func say(_ text: String) { write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO) }
    static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
