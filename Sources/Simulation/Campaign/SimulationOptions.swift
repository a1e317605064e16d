// What the program is asked for.

struct SimulationOptions: Sendable {
    var seed: UInt64 = 1
    var conversationCount = 1
    /// Steps to be told; `nil`: all.
    var keep: [Int]?
    var isCalm = false
    /// Told over a relay that lies.
    var isHostile = false
    var sabotage: Sabotage?
    var showsStory = false
    var showsFrames = false
    var isJSON = false
    /// How many at once; `nil`: as many as there are processors.
    var jobCount: Int?
    /// This process tells only every `of`-th conversation, from the `index`-th on, and reports to the one that began it.
    var share: (index: Int, of: Int)?

    static let usage = """
        simulate [--seed N] [--conversations N] [--hostile] [--json] [--jobs N]
        simulate --seed N [--keep LIST] [--calm] [--story | --frames]

        Tells whole conversations, drawn from seeds, on the production code, and looks whether what is promised holds.
          --seed N            the first seed (1)
          --conversations N   so many seeds from there on (1)
          --keep LIST         only these steps of the story, as 0,3,5-9
          --calm              without delays and losses of the network and the disk
          --story, --frames   what happened, line by line, with the frames or without
          --hostile           a relay that lies, and the promises that hold even then
          --sabotage KIND     a relay that is broken on purpose: \(Sabotage.allCases.map(\.rawValue).joined(separator: ", "))
          --json              a summary as JSON on stdout
          --jobs N            so many at once (as many as there are processors)
        Ends with 0 when everything held, with 1 when not, with 64 when it was asked wrongly.
        """

    struct Misuse: Error { let text: String }

    init() {}

    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        func misuse(_ option: String) -> Misuse { Misuse(text: "\(option) is not understood\n\n\(Self.usage)") }
        while let option = rest.popFirst() {
            func value<Value>(_ read: (String) -> Value?) throws(Misuse) -> Value {
                guard let text = rest.popFirst(), let value = read(text) else { throw misuse(option) }
                return value
            }
            switch option {
            case "--seed": seed = try value { UInt64($0) }
            case "--conversations": conversationCount = try value { Int($0).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil } }
            case "--keep": keep = try value(NumberList.numbers)
            case "--calm": isCalm = true
            case "--hostile": isHostile = true
            case "--sabotage": sabotage = try value(Sabotage.init(rawValue:))
            case "--story": showsStory = true
            case "--frames": (showsStory, showsFrames) = (true, true)
            case "--json": isJSON = true
            case "--jobs": jobCount = try value { Int($0).flatMap { (1...256).contains($0) ? $0 : nil } }
            case "--share":
                share = try value { text in
                    let parts = text.split(separator: "/").compactMap { Int($0) }
                    return parts.count == 2 && parts[0] >= 0 && parts[0] < parts[1] ? (parts[0], parts[1]) : nil
                }
            default: throw misuse(option)
            }
        }
    }

    func story(_ seed: UInt64) -> Story {
        var story = StoryWriter.story(seed: seed)
        if isHostile { story = LieWriter.hostile(story) }
        if let keep { story = story.keeping(Set(keep)) }
        return isCalm ? story.calmed() : story
    }

    /// To be told again.
    func command(_ seed: UInt64) -> String {
        "make simulate SEED=\(seed)" + (keep.map { " KEEP=\(NumberList.text($0))" } ?? "") + (isCalm ? " CALM=1" : "") + (isHostile ? " HOSTILE=1" : "")
            + (sabotage.map { " SABOTAGE=\($0.rawValue)" } ?? "")
    }
}
