// What somebody types, read as a value.

import Testing

@testable import CommandLine

@Suite struct CommandTests {
    func read(_ line: String, _ environment: [String: String] = [:]) throws(Program.Complaint) -> Command {
        try Command(line.split(separator: " ").map(String.init), environment: environment)
    }

    func setting(_ change: (inout Setting) -> Void = { _ in }) -> Setting {
        var setting = Setting()
        change(&setting)
        return setting
    }

    @Test func `no words, help and --help show what there is`() throws {
        for line in ["", "--help", "-h", "help"] { #expect(try read(line) == .help([])) }
        #expect(try read("photos add --help") == .help(["photos", "add"]))
        #expect(try read("help send") == .help(["send"]))
        #expect(try read("photos") == .help(["photos"]))
        #expect(try read("serve --help") == .help(["serve"]))
        #expect(try read("--version") == .version)
    }

    @Test func `serve keeps its own options`() throws { #expect(try read("serve --port 0 --quiet") == .serve(["--port", "0", "--quiet"])) }

    @Test func `an option's value stands behind it or behind an equals sign, before or after the operands`() throws {
        let expected = Command.save(setting { $0.name = "Ana" }, into: "there", wanted: ["a.jpg"], follows: false)
        #expect(try read("photos save --into there a.jpg --name Ana") == expected)
        #expect(try read("photos save a.jpg --name=Ana --into=there") == expected)
    }

    @Test func `behind two hyphens everything is an operand`() throws {
        #expect(try read("photos remove -- --name.jpg -x") == .remove(setting(), ["--name.jpg", "-x"]))
    }

    @Test func `the link is the argument's, else the environment's, else the current conversation's`() throws {
        #expect(try read("join LINK", ["HEARTH_INVITATION": "OTHER"]) == .join(setting { ($0.link, $0.giveUpAfterSeconds) = ("LINK", nil) }, inBackground: false))
        #expect(try read("photos list --link LINK", ["HEARTH_INVITATION": "OTHER"]) == .list(setting { $0.link = "LINK" }))
        #expect(try read("photos list", ["HEARTH_INVITATION": "OTHER"]) == .list(setting { $0.link = "OTHER" }))
        #expect(try read("photos list", ["HEARTH_INVITATION": ""]) == .list(setting()))
    }

    @Test func `the name is the argument's, else HEARTH_NAME, else the user's`() throws {
        let environment = ["HEARTH_NAME": "Ben", "USER": "cleo"]
        #expect(try read("photos list --name Ana", environment) == .list(setting { $0.name = "Ana" }))
        #expect(try read("photos list", environment) == .list(setting { $0.name = "Ben" }))
        #expect(try read("photos list", ["USER": "cleo"]) == .list(setting { $0.name = "cleo" }))
    }

    @Test func `a name of more than 64 bytes is refused with limit and value`() {
        let complaint = #expect(throws: Program.Complaint.self) { try Command(["photos", "list", "--name", String(repeating: "é", count: 33)], environment: [:]) }
        #expect(complaint?.exit == .usage)
        #expect(complaint?.text.contains("66 bytes") ?? false)
        #expect(complaint?.text.contains("64") ?? false)
    }

    @Test func `whoever stays or follows never gives up by default`() throws {
        #expect(try read("photos add . --follow") == .add(setting { $0.giveUpAfterSeconds = nil }, AddOrder(paths: ["."], follows: true)))
        #expect(try read("photos add . --stay --give-up-seconds 5") == .add(setting { $0.giveUpAfterSeconds = 5 }, AddOrder(paths: ["."], stays: true)))
        #expect(try read("photos list --give-up-seconds 0") == .list(setting { $0.giveUpAfterSeconds = nil }))
    }

    @Test func `the relay of an invitation is the argument's, else the environment's, else this machine's`() throws {
        let stays = setting { $0.giveUpAfterSeconds = nil }
        #expect(try read("invite --relay https://a.example", ["HEARTH_RELAY": "https://b.example"]) == .invite(stays, relay: "https://a.example", inBackground: false))
        #expect(try read("invite --background", ["HEARTH_RELAY": "https://b.example"]) == .invite(stays, relay: "https://b.example", inBackground: true))
        #expect(try read("invite") == .invite(stays, relay: "http://localhost:8080", inBackground: false))
    }

    @Test func `messages have an activity, a kind and a form`() throws {
        #expect(try read("send Hello") == .send(setting(), SendOrder(text: "Hello", kind: MessageKind())))
        #expect(
            try read("send - --lines --raw --identifier Stroke --activity org.example.draw")
                == .send(setting(), SendOrder(text: "-", kind: MessageKind(activity: "org.example.draw", identifier: "Stroke"), form: .json, isByLine: true)))
        #expect(try read("receive --count 2") == .receive(setting { $0.giveUpAfterSeconds = nil }, MessageKind(), count: 2))
    }

    @Test(arguments: [
        "fly", "photos fly", "photos add", "photos list more", "join a b", "send", "invite --relay", "photos list --colour", "photos list --json=yes", "receive --count 0", "receive --count many",
        "send --raw --data x", "send x --lines", "end --all --activity a", "completion tcsh", "photos list -x",
    ])
    func `what cannot be meant ends with 64 and says where help is`(_ line: String) {
        let complaint = #expect(throws: Program.Complaint.self) { try read(line) }
        #expect(complaint?.exit == .usage)
        #expect(complaint?.text.contains("help") ?? false)
    }

    @Test func `every command has help that names its options and an exit code`() throws {
        for verb in Verb.all {
            let help = try HelpText.of(verb.words)
            for flag in verb.allFlags { #expect(help.contains("--\(flag.name)")) }
            #expect(help.contains("Usage: hearth \(verb.name)"))
            #expect(!verb.takesPart || help.contains("69 relay"))
        }
        let program = try HelpText.of([])
        for verb in Verb.all { #expect(program.contains("hearth \(verb.name) ")) }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completion knows every command and option`(_ shell: String) {
        let script = Completion.script(shell)
        for verb in Verb.all {
            #expect(script.contains(verb.words.last ?? ""))
            for flag in verb.allFlags { #expect(script.contains(shell == "fish" ? "-l \(flag.name) " : "--\(flag.name)")) }
        }
    }
}
