// One lie of a hostile relay, as a step of a story: to whom, of which kind, and a number from which its details follow.

/// What a relay that does everything else rightly makes of it for those whom it lies to. The word is the one in summaries.
enum LieKind: String, CaseIterable, Sendable {
    // Of one place of the log of a session.
    case drop
    case hideRecord = "hide-record"
    case hideEntry = "hide-entry"
    case hideRemoval = "hide-removal"
    case hideComing = "hide-coming"
    case hideGoing = "hide-going"
    case skipRecord = "skip-record"
    case skipOther = "skip-other"
    case entryAsNobodys = "entry-as-nobody's"
    case repeatRecord = "repeat-record"
    case repeatEntry = "repeat-entry"
    case swap
    case replayRecord = "replay-record"
    case replayElsewhere = "replay-elsewhere"
    case replayEntry = "replay-entry"
    case tamperRecord = "tamper-record"
    case tamperEntry = "tamper-entry"
    case size, flags, version
    case sender, counter, recipients
    case showOthers = "show-others"
    case inventComing = "invent-coming"
    case inventGoing = "invent-going"
    case inventEnd = "invent-end"
    // Of the conversation's own session, of what is handed over on entering, of names and numbers.
    case hideOwn = "hide-own"
    case inventPerson = "invent-person"
    case people
    case hideKept = "hide-kept"
    case oldKept = "old-kept"
    case incarnation, places, stable
    // Of samples.
    case repeatSample = "repeat-sample"
    case tamperSample = "tamper-sample"
    case recordAsSample = "record-as-sample"
    case sampleElsewhere = "sample-elsewhere"
    case sampleRecipients = "sample-recipients"
    // Of everything from a moment on.
    case fork, delay, silence, forget, garble
    // Of what the participant sends.
    case dropSaid = "drop-said"
    case tamperSaid = "tamper-said"
    case swapSaid = "swap-said"
    case refuse
    // Of bodies.
    case tamperPart = "tamper-part"
    case shortPart = "short-part"
    case longPart = "long-part"
    case otherPart = "other-part"
    case partGone = "part-gone"
    case partNever = "part-never"
    case
        forgetPart = "forget-part"
    case standing

    /// It has to be told early to matter.
    var isOfTheBeginning: Bool {
        switch self {
        case .incarnation, .places: true
        default: false
        }
    }
}

struct Lie: Sendable, Equatable {
    let kind: LieKind
    /// Whom else it is told to.
    let others: [Int]
    let number: Int

    func text(_ name: String) -> String { "the relay lies to \(name)\(others.isEmpty ? "" : " and \(others.count) more"): \(kind.rawValue)" }
}

/// Lies that are drawn for a story, beside everything else that befalls its people.
enum LieWriter {
    static func hostile(_ story: Story) -> Story {
        var dice = Dice(seed: story.seed, purpose: 3)
        var story = story
        story.isHostile = true
        guard let end = story.steps.last?.at else { return story }
        let endMilliseconds = Int(end / .milliseconds(1))
        let count = dice.number(dice.pick([(4, 1...1), (4, 2...4), (2, 5...12)]))
        // Half of the stories are about one kind, so that another does not stand before it.
        let favourite = dice.happens(0.5) ? LieKind.allCases[dice.below(LieKind.allCases.count)] : nil
        for index in 0..<count {
            let kind = favourite ?? LieKind.allCases[dice.below(LieKind.allCases.count)]
            let isEarly = dice.happens(kind.isOfTheBeginning ? 0.8 : 0.2)
            let at = isEarly ? Duration.zero : .milliseconds(dice.number(0...max(endMilliseconds, 1)))
            let others = dice.happens(0.25) ? (0..<story.personCount).filter { _ in dice.happens(0.5) } : []
            story.steps.append(
                Step(
                    number: StoryWriter.stepCountLimit + index, at: at, person: dice.below(story.personCount),
                    deed: .lie(Lie(kind: kind, others: others, number: dice.below(1_000_000)))))
        }
        story.steps = story.steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        return story
    }
}
