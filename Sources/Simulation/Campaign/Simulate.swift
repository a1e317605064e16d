// What the program does with its arguments: one story in this process, many in several.

import Glibc

enum Simulate {
    static func run(_ arguments: [String]) -> Int32 {
        let options: SimulationOptions
        do throws(SimulationOptions.Misuse) { options = try SimulationOptions(arguments) } catch {
            Output.complain(error.text)
            return 64
        }
        if let share = options.share { return work(options, share) }
        if options.conversationCount == 1, options.keep != nil || options.showsStory { return tellOne(options) }
        return Campaign(options).run()
    }

    /// One story, told for a reader.
    private static func tellOne(_ options: SimulationOptions) -> Int32 {
        let outcome = tell(options.story(options.seed), sabotage: options.sabotage, keepsLines: options.showsStory, keepsFrames: options.showsFrames)
        for line in outcome.lines { Output.write(line) }
        if options.showsStory { Output.write("the story's sum is \(String(outcome.fingerprint, radix: 16))") }
        guard let violation = outcome.violation else { return 0 }
        Output.write(WorkerLine.broken(options.seed, violation.claim, violation.detail).text)
        return 1
    }

    /// A share of a campaign, told line by line to the process that began this one.
    private static func work(_ options: SimulationOptions, _ share: (index: Int, of: Int)) -> Int32 {
        var isBroken = false
        var tally = Tally()
        for offset in stride(from: share.index, to: options.conversationCount, by: share.of) {
            let seed = options.seed &+ UInt64(offset)
            Output.write(WorkerLine.begins(seed).text)
            let outcome = tell(options.story(seed), sabotage: options.sabotage)
            tally.add(outcome.tally)
            if let violation = outcome.violation {
                isBroken = true
                Output.write(WorkerLine.broken(seed, violation.claim, violation.detail).text)
            }
            for (kind, tally) in outcome.lies { Output.write(WorkerLine.lied(seed, kind, tally).text) }
            Output.write(WorkerLine.ends(seed, people: outcome.participationCount, records: outcome.recordCount).text)
        }
        for (what, count) in tally.inOrder { Output.write(WorkerLine.happened(count, what).text) }
        return isBroken ? 1 : 0
    }
}

/// What one process says to the other.
enum WorkerLine {
    case begins(UInt64)
    case broken(UInt64, Claim, String)
    case lied(UInt64, LieKind, LieTally)
    case ends(UInt64, people: Int, records: Int)
    /// In all of its conversations.
    case happened(Int, String)

    var text: String {
        switch self {
        case .begins(let seed): "begins \(seed)"
        case .broken(let seed, let claim, let detail): "broken \(seed) \(claim.rawValue) \(detail)"
        case .lied(let seed, let kind, let tally): "lied \(seed) \(kind.rawValue) \(tally.text)"
        case .ends(let seed, let people, let records): "ends \(seed) \(people) \(records)"
        case .happened(let count, let what): "happened \(count) \(what)"
        }
    }

    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " " as Character, maxSplits: 3).map { String($0) }
        guard words.count >= 2, let seed = UInt64(words[1]) else { return nil }
        switch words[0] {
        case "begins": self = .begins(seed)
        case "broken":
            guard words.count == 4, let claim = Claim(rawValue: words[2]) else { return nil }
            self = .broken(seed, claim, words[3])
        case "lied":
            guard words.count == 4, let kind = LieKind(rawValue: words[2]), let tally = LieTally(words[3]) else { return nil }
            self = .lied(seed, kind, tally)
        case "ends":
            guard words.count == 4, let people = Int(words[2]), let records = Int(words[3]) else { return nil }
            self = .ends(seed, people: people, records: records)
        case "happened": self = .happened(Int(clamping: seed), words[2...].joined(separator: " "))
        default: return nil
        }
    }
}

enum Output {
    static func write(_ line: String) {
        print(line)
        fflush(nil)
    }

    static func complain(_ text: String) { put("\(text)\n") }

    /// While the work goes on.
    static func tellNow(_ text: String) { put("\(isatty(2) == 1 ? "\r\u{1b}[K" : "")\(text)\n") }

    /// On the terminal's last line, over what stood there.
    static func progress(_ text: String) {
        guard isatty(2) == 1 else { return }
        put("\r\u{1b}[K\(text)")
    }

    private static func put(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) } }
}
