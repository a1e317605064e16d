// Every command that takes part in a conversation, with the words of its help.

extension Verb {
    static let all: [Verb] = [
        Verb(
            words: ["invite"], summary: "make a conversation; print its link and QR code",
            details: """
                Makes a conversation on a relay, makes it the current one, prints the link that lets people in (and on a terminal a QR code), and
                stays, showing who comes and goes, until Ctrl-C. Whoever has the link is in: send it only to whom you mean.
                With --background it returns, and a process of its own keeps the conversation until `hearth leave`.
                """,
            flags: [
                Flag(name: "relay", placeholder: "URL", help: "The relay's address. [HEARTH_RELAY, else http://localhost:8080]"),
                Flag(name: "background", help: "Return, and let a process in the background stay."),
            ], examples: ["hearth invite --relay https://hearth.example.org", "hearth invite --background --json | jq -r .link"]),
        Verb(
            words: ["join"], operands: "[LINK]", operandCounts: 0...1, summary: "join a conversation and make it the current one",
            details: """
                Joins, writes the link to $XDG_STATE_HOME/hearth/conversation (readable by you alone) so that later commands find it, and stays,
                showing who comes and goes, until Ctrl-C. While it stays the relay keeps the photos. Quote the link: it has a # in it.
                """,
            flags: [Flag(name: "background", help: "Return, and let a process in the background stay.")],
            examples: ["hearth join 'https://hearth.example.org/c/…#1.…'", "hearth join --background"]),
        Verb(
            words: ["photos", "add"], operands: "FILE|DIR…", operandCounts: 1...100_000, summary: "share photos with everyone in the conversation",
            details: """
                Adds pictures. Of JPEG, PNG and WebP whatever a camera or a program wrote beside the picture, such as place and device, is left out,
                without touching the picture; its date is told beside it. --keep-metadata shares files byte for byte. Other formats go as they are, and you
                are told when one says where it was taken. What a file is follows from its content. Of a folder the pictures directly inside are taken.
                A picture that is there already is not added again. With `vipsthumbnail` or ImageMagick installed each gets a preview, HEIC and raw files too; otherwise the others
                see a plain tile until they have loaded it.
                The relay keeps photos while anybody is there, and for a grace time after the last has left; the time is said at the end.
                """,
            flags: [
                Flag(name: "follow", help: "Stay, and add what comes into the folders once it is fully written."),
                Flag(name: "stay", help: "Stay until Ctrl-C, so that the relay keeps the photos."),
                Flag(name: "recursive", help: "Go into folders inside folders."),
                Flag(name: "keep-metadata", help: "Share files byte for byte, with place, device and all else that stands in them."),
                Flag(name: "again", help: "Add also what is there already."),
                Flag(name: "caption", placeholder: "TEXT", help: "Written under each of them: at most 300 characters."),
            ], examples: ["hearth photos add *.jpg", "hearth photos add --follow ~/Pictures/today"], completes: .files),
        Verb(
            words: ["photos", "list"], summary: "list what is shared",
            details: "One line a photo, oldest first: the beginning of its ID, its size, when it was taken or else added, by whom, its name.",
            examples: ["hearth photos list --json | jq -r .name"]),
        Verb(
            words: ["photos", "save"], operands: "[ID|NAME…]", operandCounts: 0...100_000, summary: "save photos into a folder",
            details: """
                Saves the originals, all or those that are named, byte for byte. Nothing is overwritten: a second IMG_1.jpg becomes IMG_1 (2).jpg,
                and a file that is there already with the same content is left alone. Names are made safe for every system; a name that had to be
                changed is shown beside the original one. A photo has its name only when all of it has come and been checked.
                """,
            flags: [
                Flag(name: "into", placeholder: "DIR", help: "The folder; made when it is missing. [.]", completes: .directories),
                Flag(name: "follow", help: "Stay, and save what others add."),
            ], examples: ["hearth photos save --into holiday", "hearth photos save --into holiday --follow"]),
        Verb(
            words: ["photos", "remove"], operands: "ID|NAME…", operandCounts: 1...100_000, summary: "remove photos for everyone",
            details: "Removes photos and erases them from the relay. An ID may be cut after 6 characters; a name must be that of one photo only.",
            examples: ["hearth photos remove beach.jpg"]),
        Verb(
            words: ["send"], operands: "TEXT|-", operandCounts: 1...1, summary: "send a message to whoever is listening",
            details: """
                Sends one message to everyone in the activity and ends; - sends what comes on standard input. Messages are not kept: only who is there
                gets them, so start `hearth receive` first. By default it is a Swift String, as apps get by `messages(of: String.self)`.
                """,
            flags: messageFlags + [
                Flag(name: "wait", help: "Wait until somebody else is there."),
                Flag(name: "lines", help: "With -: each line is a message of its own, sent as it comes."),
                Flag(name: "raw", help: "The text is JSON already, for messages that are no String."),
                Flag(name: "data", help: "Send bytes, as apps get by `messages(of: Data.self)`."),
            ], examples: ["hearth send 'Dinner is ready'", "uptime | hearth send -"]),
        Verb(
            words: ["receive"], summary: "print messages as they come",
            details: "Prints each message with its sender's name until Ctrl-C. A String is printed as text, anything else as JSON, bytes by their count.",
            flags: messageFlags + [Flag(name: "count", placeholder: "NUMBER", help: "End with 0 after so many messages.")], examples: ["hearth receive --count 1"]),
        Verb(
            words: ["status"], summary: "show the current conversation",
            details: "Shows the relay, the code to compare with the others' screens, who is there, what runs, how many photos, and how long they are kept.",
            flags: [Flag(name: "show-link", help: "Print the link too; whoever sees it is invited.")]),
        Verb(
            words: ["leave"], summary: "forget the current conversation",
            details: "Forgets the link and ends the process that stays in the background. The others go on; so does what you added, while anybody is there.", flags: outputFlags,
            takesPart: false),
        Verb(
            words: ["end"], summary: "end an activity for everyone",
            details: "Ends the photo gallery, or the activity that is named, for everyone: its photos are erased from the relay. The conversation goes on.",
            flags: [Flag(name: "activity", placeholder: "ID", help: "Another activity than the gallery."), Flag(name: "all", help: "Every activity of the conversation.")]),
        Verb(
            words: ["check"], operands: "[LINK|URL]", operandCounts: 0...1, summary: "find out what stands in the way",
            details: "Checks, one after the other: the link, the network, TLS, whether it is a relay, the WebSocket, the size of uploads, the invitation. Says what to do.",
            examples: ["hearth check https://hearth.example.org"]),
        Verb(
            words: ["completion"], operands: "bash|zsh|fish", operandCounts: 1...1, summary: "print the completion of a shell",
            details: "bash: source <(hearth completion bash). zsh: source <(hearth completion zsh) after compinit. fish: hearth completion fish | source.",
            takesPart: false, examples: ["hearth completion fish > ~/.config/fish/completions/hearth.fish"], completes: .words(["bash", "zsh", "fish"])),
    ]

    private static let messageFlags = [
        Flag(name: "activity", placeholder: "ID", help: "The activity in which to speak. [org.hearth.messages]"),
        Flag(name: "identifier", placeholder: "NAME", help: "The kind of message: a type's name, or its messageIdentifier. [String; receive: any]"),
    ]
    private static let outputFlags = [
        Flag(name: "json", help: "One JSON object a line on standard output."), Flag(name: "quiet", help: "No remarks on standard error."),
    ]

    /// The one that the words begin with, and the words behind it.
    static func find(_ words: [String]) -> (Verb, [String])? {
        let best = all.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
        return best.map { ($0, Array(words.dropFirst($0.words.count))) }
    }
}
