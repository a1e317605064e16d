// Completion scripts for shells, written from the table of commands.

enum Completion {
    static func script(_ shell: String) -> String {
        switch shell {
        case "bash": bash
        case "zsh": "autoload -U +X bashcompinit && bashcompinit\n" + bash
        default: fish
        }
    }

    private static let serveFlags = ServeOptions.all.map { Flag(name: $0.name, placeholder: $0.placeholder, help: $0.help) }

    private static var bash: String {
        var cases = ""
        for verb in Verb.all {
            var offered: [String] = []
            if case .words(let words) = verb.completes { offered = words }
            cases += "    \"\(verb.name)\") words=\"\((offered + verb.allFlags.map { "--\($0.name)" } + ["--help"]).joined(separator: " "))\" files=\(verb.completes == .files ? 1 : 0);;\n"
        }
        cases += "    serve) words=\"\((serveFlags.map { "--\($0.name)" } + ["--help"]).joined(separator: " "))\" files=0;;\n"
        let paths = Set(Verb.all.flatMap(\.allFlags).filter { $0.completes == .files || $0.completes == .directories }.map { "--\($0.name)" } + ["--data", "--web"]).sorted()
        let values = Set((Verb.all.flatMap(\.allFlags) + serveFlags).filter { $0.placeholder != nil }.map { "--\($0.name)" }).subtracting(paths).sorted()
        return """
            _hearth() {
              local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" words="" files=0
              COMPREPLY=()
              if [[ $COMP_CWORD == 1 ]]; then COMPREPLY=($(compgen -W "\(topWords.joined(separator: " "))" -- "$current")); return; fi
              if [[ $command == photos ]]; then
                if [[ $COMP_CWORD == 2 ]]; then COMPREPLY=($(compgen -W "add list save remove --help" -- "$current")); return; fi
                command="photos ${COMP_WORDS[2]}"
              fi
              case "$previous" in
                \(paths.joined(separator: "|"))) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return;;
                \(values.joined(separator: "|"))) return;;
              esac
              case "$command" in
            \(cases)    *) return;;
              esac
              if [[ $files == 1 && $current != -* ]]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return; fi
              COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -F _hearth hearth

            """
    }

    private static var topWords: [String] { (["serve"] + Verb.all.map { $0.words[0] } + ["help", "--help", "--version"]).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    private static var fish: String {
        func quoted(_ text: String) -> String { "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'" }
        var lines = [
            "complete -c hearth -f", "complete -c hearth -n __fish_use_subcommand -a serve -d 'run the relay and the web client'",
            "complete -c hearth -n __fish_use_subcommand -a photos -d 'share photos'",
        ]
        for flag in serveFlags {
            lines.append("complete -c hearth -n '__fish_seen_subcommand_from serve' -l \(flag.name) \(flag.placeholder == nil ? "" : "-r ")-d \(quoted(flag.help))")
        }
        let ofPhotos = Verb.all.filter { $0.words.count == 2 }.compactMap(\.words.last).joined(separator: " ")
        for verb in Verb.all {
            let last = verb.words.last ?? ""
            let isOfPhotos = verb.words.count == 2
            let begins = isOfPhotos ? "'__fish_seen_subcommand_from photos; and not __fish_seen_subcommand_from \(ofPhotos)'" : "__fish_use_subcommand"
            lines.append("complete -c hearth -n \(begins) -a \(last) -d \(quoted(verb.summary))")
            let condition = "'\(isOfPhotos ? "__fish_seen_subcommand_from photos; and " : "")__fish_seen_subcommand_from \(last)'"
            for flag in verb.allFlags {
                let takes = flag.placeholder == nil ? "" : flag.completes == .nothing ? "-x " : "-r -F "
                lines.append("complete -c hearth -n \(condition) -l \(flag.name) \(takes)-d \(quoted(flag.help))")
            }
            switch verb.completes {
            case .files: lines.append("complete -c hearth -n \(condition) -F")
            case .words(let words): lines.append("complete -c hearth -n \(condition) -a '\(words.joined(separator: " "))'")
            case .nothing, .directories: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
