// What `--help` prints.

enum HelpText {
    /// - Parameter words: of a command, or of a group of them; none for the program.
    static func of(_ words: [String]) throws(Program.Complaint) -> String {
        if words.isEmpty { return program }
        if words == ["serve"] { return serve }
        if words == ["photos"] { return "Photos of a conversation.\n\n" + list(Verb.all.filter { $0.words[0] == "photos" }) }
        guard let (verb, rest) = Verb.find(words), rest.isEmpty else {
            throw Program.Complaint(exit: .usage, text: "There is no command \"\(ShownText.line(words.joined(separator: " ")))\". `hearth --help` lists them.")
        }
        return of(verb)
    }

    private static var program: String {
        """
        Hearth: share live, end-to-end encrypted, through a relay of your own.

        hearth serve              run the relay and the web client

        """ + list(Verb.all) + """

            `hearth COMMAND --help` tells more. A conversation is named by --link, else by HEARTH_INVITATION, else it is the current one,
            which `invite` and `join` set. Start with `hearth invite`, or at home with `hearth serve` and the address that it prints.

            """
    }

    private static func list(_ verbs: [Verb]) -> String {
        verbs.map { verb in
            let head = "hearth \(verb.name)"
            return head + String(repeating: " ", count: max(2, 26 - head.count)) + verb.summary + "\n"
        }.joined()
    }

    private static func of(_ verb: Verb) -> String {
        let flags = verb.allFlags
        var text = "Usage: hearth \(verb.name)\(flags.isEmpty ? "" : " [OPTION…]")\(verb.operands.isEmpty ? "" : " " + verb.operands)\n\n\(verb.details)\n"
        for flag in flags { text += "\n  --\(flag.name)\(flag.placeholder.map { " " + $0 } ?? "")\n      \(flag.help)" }
        if !flags.isEmpty { text += "\n" }
        if !verb.examples.isEmpty { text += "\nExamples:\n" + verb.examples.map { "  \($0)\n" }.joined() }
        guard verb.takesPart else { return text }
        return text + """

            Ends with: 0 done, 64 wrong options, 65 damaged link, 66 unreadable file, 67 no such photo or activity, 68 unknown conversation,
            69 relay not reachable, 70 anything else, 73 cannot write, 75 try again later, 76 not what was sealed, 77 not invited, 78 no
            conversation or wrong setting, 80 quota, 81 refused file, 82 conversation full, 83 ended by somebody, 130 interrupted.

            """
    }

    static var serve: String {
        var text = """
            Usage: hearth serve [OPTION…]

            Runs the relay until it gets SIGTERM or SIGINT; then everybody is told to come back, parts under way are finished, and it
            ends with 0. The first line on standard output is the address. Browsers encrypt only on localhost or over https: for other
            devices give --tls-self-signed, or a certificate, or put a proxy that speaks https in front.

            """
        for option in ServeOptions.all {
            let head = "  --\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
            text += "\n" + head + "\n      " + option.help
        }
        return text + """


            Each option can also stand in the environment: --max-connections is HEARTH_MAX_CONNECTIONS. The command line counts first.

            Ends with: 0 stopped, 64 wrong options, 69 the port or address cannot be had, 73 the data directory cannot be used,
            78 the certificate, key or web client is not right, 70 anything else.

            """
    }
}
