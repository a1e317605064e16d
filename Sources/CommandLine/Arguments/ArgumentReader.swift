// Splits the words behind a command into flags and operands by the command's own table.

struct Arguments: Equatable {
    /// The last value given of each flag; "" for a switch.
    private(set) var flags: [String: String] = [:]
    private(set) var operands: [String] = []
    private(set) var wantsHelp = false

    init(_ words: [String], of verb: Verb) throws(Program.Complaint) {
        var rest = words[...]
        var areOperandsOnly = false
        while let word = rest.popFirst() {
            if areOperandsOnly || word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else if word == "--" {
                areOperandsOnly = true
            } else if word == "--help" || word == "-h" {
                wantsHelp = true
                return
            } else {
                try take(word, &rest, verb)
            }
        }
        guard verb.operandCounts.contains(operands.count) else {
            let what = operands.count < verb.operandCounts.lowerBound ? "needs" : "takes no more than"
            throw Self.usage(verb.operands.isEmpty ? "`hearth \(verb.name)` takes no \"\(ShownText.line(operands[0]))\"." : "`hearth \(verb.name)` \(what) \(verb.operands).", verb)
        }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ verb: Verb) throws(Program.Complaint) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts[0].hasPrefix("--"), let flag = verb.allFlags.first(where: { $0.name == parts[0].dropFirst(2) }) else {
            throw Self.usage("`hearth \(verb.name)` has no option \"\(ShownText.line(parts[0]))\".", verb)
        }
        guard let placeholder = flag.placeholder else {
            guard parts.count == 1 else { throw Self.usage("--\(flag.name) takes no value.", verb) }
            flags[flag.name] = ""
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw Self.usage("--\(flag.name) needs a value: \(placeholder).", verb) }
        flags[flag.name] = value
    }

    func has(_ name: String) -> Bool { flags[name] != nil }

    func number(_ name: String, _ range: ClosedRange<Int>, of verb: Verb) throws(Program.Complaint) -> Int? {
        guard let text = flags[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.usage("--\(name) is \"\(ShownText.line(text))\" and must be a number from \(range.lowerBound) to \(range.upperBound).", verb)
        }
        return number
    }

    static func usage(_ text: String, _ verb: Verb) -> Program.Complaint { Program.Complaint(exit: .usage, text: "\(text) `hearth \(verb.name) --help` explains.") }
}
