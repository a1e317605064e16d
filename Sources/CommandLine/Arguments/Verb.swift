// What a command is called and takes: one table from which reading, help and shell completion all follow.

struct Flag: Sendable {
    let name: String
    /// What follows the name; `nil` for a switch.
    var placeholder: String?
    let help: String
    var completes = Completes.nothing
}

/// What a shell offers in a place.
enum Completes: Equatable, Sendable {
    case nothing
    case files
    case directories
    case words([String])
}

struct Verb: Sendable {
    /// `["photos", "add"]`
    let words: [String]
    var operands = ""
    /// How many operands may stand there.
    var operandCounts = 0...0
    let summary: String
    let details: String
    var flags: [Flag] = []
    /// Whether it takes part in a conversation, and so has the flags of those that do.
    var takesPart = true
    var examples: [String] = []
    var completes = Completes.nothing

    var name: String { words.joined(separator: " ") }

    var allFlags: [Flag] { flags + (takesPart ? Self.participantFlags : []) }

    private static let participantFlags = [
        Flag(name: "link", placeholder: "LINK", help: "The conversation, in place of HEARTH_INVITATION or the current one."),
        Flag(name: "name", placeholder: "NAME", help: "What the others see: 1 to 64 bytes. [HEARTH_NAME, or the user's name]"),
        Flag(name: "trust", placeholder: "FILE", help: "Trust this PEM certificate alone, for a relay with one of its own. [HEARTH_TRUST]", completes: .files),
        Flag(name: "give-up-seconds", placeholder: "NUMBER", help: "End with 69 when the relay has been away so long; 0 never. [60; those that stay: 0]"),
        Flag(name: "json", help: "One JSON object a line on standard output."),
        Flag(name: "quiet", help: "No progress and no remarks on standard error."),
    ]
}
