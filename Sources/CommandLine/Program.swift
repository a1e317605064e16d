// Commands by name, and how the program ends.

import Glibc

enum Program {
    static let version = "0.1.0"

    /// How the program ends: by the numbers of sysexits.h where they fit. docs/command-line.md lists them.
    enum Exit: Int32, Sendable {
        case fine = 0
        case usage = 64
        /// A link that is damaged or cut.
        case badLink = 65
        case cannotRead = 66
        /// No such photo or activity.
        case notFound = 67
        case unknownConversation = 68
        case unavailable = 69
        case failed = 70
        case cannotWrite = 73
        /// It may work later: the place was given up, the relay's disk is full.
        case tryAgain = 75
        /// What came is not what was sealed, or is of another version.
        case tampered = 76
        case notInvited = 77
        case configuration = 78
        case quota = 80
        /// No picture, empty, damaged or too large.
        case refusedFile = 81
        case conversationFull = 82
        /// Somebody has ended it.
        case ended = 83
        /// The members let nobody else in, or not this one, or the invitation has ended.
        case notLetIn = 84
        case interrupted = 130
    }

    /// Said on standard error before the program ends with `exit`: what is wrong, and what to do.
    struct Complaint: Error, Equatable {
        let exit: Exit
        let text: String
    }

    static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
        do throws(Complaint) {
            switch try Command(arguments, environment: environment) {
            case .help(let words): say(try HelpText.of(words))
            case .version: say("hearth \(version), protocol 1")
            case .serve(let rest): try Serve.run(ServeOptions(rest, environment: environment))
            case .completion(let shell): say(Completion.script(shell))
            case let command: try Errand.run(command, environment: environment)
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
    static func complain(_ text: String, isLine: Bool = true) { write(isLine ? text + "\n" : text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
