// What somebody asked the program to do, as a value.

/// How a command takes part: as whom, in which conversation, and how it speaks.
struct Setting: Equatable, Sendable {
    /// The link that was given; `nil`: the current conversation's.
    var link: String?
    var name = "Somebody"
    var trustedCertificatePath: String?
    /// `nil`: never.
    var giveUpAfterSeconds: Int? = 60
    var isJSON = false
    var isQuiet = false
}

struct MessageKind: Equatable, Sendable {
    var activity = "org.hearth.messages"
    /// `nil`: any.
    var identifier: String?
}

struct AddOrder: Equatable, Sendable {
    var paths: [String]
    var follows = false
    var stays = false
    var isRecursive = false
    var isTwiceWanted = false
    var keepsMetadata = false
    var caption = ""
}

struct SendOrder: Equatable, Sendable {
    enum Form: Equatable, Sendable { case string, json, data }
    var text: String
    var kind: MessageKind
    var form = Form.string
    var waits = false
    var isByLine = false
}

enum Command: Equatable, Sendable {
    case help([String])
    case version
    case serve([String])
    case invite(Setting, relay: String, inBackground: Bool)
    case join(Setting, inBackground: Bool)
    case add(Setting, AddOrder)
    case list(Setting)
    case save(Setting, into: String, wanted: [String], follows: Bool)
    case remove(Setting, [String])
    case send(Setting, SendOrder)
    case receive(Setting, MessageKind, count: Int?)
    case status(Setting, showsLink: Bool)
    case leave(Setting)
    /// `nil`: every activity.
    case end(Setting, activity: String?)
    case check(Setting, subject: String?)
    case completion(String)

    static let galleryIdentifier = "org.hearth.photo-gallery"
    static let defaultRelay = "http://localhost:8080"
    private static let captionLimit = 300

    init(_ words: [String], environment: [String: String]) throws(Program.Complaint) {
        switch words.first {
        case nil, "--help", "-h":
            self = .help([])
            return
        case "help":
            self = .help(Array(words.dropFirst()))
            return
        case "--version", "version":
            self = .version
            return
        case "serve":
            let rest = Array(words.dropFirst())
            self = rest.contains("--help") || rest.contains("-h") ? .help(["serve"]) : .serve(rest)
            return
        default: break
        }
        guard let (verb, rest) = Verb.find(words) else {
            let group = words.prefix(2).joined(separator: " ")
            let isGroup = words[0] == "photos"
            if isGroup, words.count == 1 || words[1] == "--help" || words[1] == "-h" {
                self = .help(["photos"])
                return
            }
            throw Program.Complaint(exit: .usage, text: "There is no command \"\(ShownText.line(isGroup ? group : words[0]))\". `hearth --help` lists them.")
        }
        let arguments = try Arguments(rest, of: verb)
        if arguments.wantsHelp { self = .help(verb.words) } else { self = try Self.read(verb, arguments, environment) }
    }

    private static func read(_ verb: Verb, _ arguments: Arguments, _ environment: [String: String]) throws(Program.Complaint) -> Command {
        var setting = try Setting(verb, arguments, environment)
        let first = arguments.operands.first
        switch verb.name {
        case "invite":
            setting.giveUpAfterSeconds = try arguments.number("give-up-seconds", 0...86_400, of: verb).flatMap { $0 == 0 ? nil : $0 }
            return .invite(setting, relay: arguments.flags["relay"] ?? given("HEARTH_RELAY", environment) ?? defaultRelay, inBackground: arguments.has("background"))
        case "join":
            setting.giveUpAfterSeconds = try arguments.number("give-up-seconds", 0...86_400, of: verb).flatMap { $0 == 0 ? nil : $0 }
            if let first { setting.link = first }
            return .join(setting, inBackground: arguments.has("background"))
        case "photos add":
            let caption = arguments.flags["caption"] ?? ""
            guard caption.utf16.count <= captionLimit else { throw Arguments.usage("The caption has \(caption.utf16.count) characters; \(captionLimit) is the limit.", verb) }
            return .add(
                setting,
                AddOrder(
                    paths: arguments.operands, follows: arguments.has("follow"), stays: arguments.has("stay"), isRecursive: arguments.has("recursive"),
                    isTwiceWanted: arguments.has("again"), keepsMetadata: arguments.has("keep-metadata"), caption: caption))
        case "photos list": return .list(setting)
        case "photos save": return .save(setting, into: arguments.flags["into"] ?? ".", wanted: arguments.operands, follows: arguments.has("follow"))
        case "photos remove": return .remove(setting, arguments.operands)
        case "send":
            let forms = [("raw", SendOrder.Form.json), ("data", .data)].filter { arguments.has($0.0) }
            guard forms.count < 2 else { throw Arguments.usage("Either --raw or --data.", verb) }
            guard first == "-" || !arguments.has("lines") else { throw Arguments.usage("--lines is for messages from standard input: give - in place of the text.", verb) }
            return .send(
                setting,
                SendOrder(text: first ?? "", kind: kind(arguments), form: forms.first?.1 ?? .string, waits: arguments.has("wait"), isByLine: arguments.has("lines")))
        case "receive": return .receive(setting, kind(arguments), count: try arguments.number("count", 1...1_000_000_000, of: verb))
        case "status": return .status(setting, showsLink: arguments.has("show-link"))
        case "leave": return .leave(setting)
        case "end":
            guard !(arguments.has("all") && arguments.has("activity")) else { throw Arguments.usage("Either --all or --activity.", verb) }
            return .end(setting, activity: arguments.has("all") ? nil : arguments.flags["activity"] ?? galleryIdentifier)
        case "check": return .check(setting, subject: first)
        default:
            guard let first, case .words(let shells) = verb.completes, shells.contains(first) else {
                throw Arguments.usage("There is no completion for \"\(ShownText.line(first ?? ""))\", only for bash, zsh and fish.", verb)
            }
            return .completion(first)
        }
    }

    private static func kind(_ arguments: Arguments) -> MessageKind {
        MessageKind(activity: arguments.flags["activity"] ?? MessageKind().activity, identifier: arguments.flags["identifier"])
    }

    fileprivate static func given(_ variable: String, _ environment: [String: String]) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
}

extension Setting {
    private static let nameLimitBytes = 64

    init(_ verb: Verb, _ arguments: Arguments, _ environment: [String: String]) throws(Program.Complaint) {
        link = arguments.flags["link"] ?? Command.given("HEARTH_INVITATION", environment)
        let user = ["HEARTH_NAME", "USER", "LOGNAME"].lazy.compactMap { Command.given($0, environment) }.first
        let name = arguments.flags["name"] ?? user ?? self.name
        guard (1...Self.nameLimitBytes).contains(name.utf8.count) else {
            throw Arguments.usage("The name has \(name.utf8.count) bytes and must have 1 to \(Self.nameLimitBytes).", verb)
        }
        self.name = name
        trustedCertificatePath = arguments.flags["trust"] ?? Command.given("HEARTH_TRUST", environment)
        if let seconds = try arguments.number("give-up-seconds", 0...86_400, of: verb) {
            giveUpAfterSeconds = seconds == 0 ? nil : seconds
        } else if arguments.has("follow") || arguments.has("stay") || verb.name == "receive" {
            giveUpAfterSeconds = nil
        }
        isJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
    }
}
