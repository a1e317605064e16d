// Draws a story from a seed: most are small, a few have as many people as a call ever has, and some are about one trouble only.

struct StoryWriter {
    /// More steps are never drawn.
    static let stepCountLimit = 1_000

    private var dice: Dice
    private let seed: UInt64
    private var steps: [Step] = []
    private var now = Duration.zero
    private var personCount = 2
    private var isBulky = false
    /// About attachments and a relay that dies again and again.
    private let isAboutUploads: Bool

    init(seed: UInt64) {
        self.seed = seed
        dice = Dice(seed: seed, purpose: 1)
        // Dice of its own, under which the seeds that are kept as tests go on telling what they told.
        var kinds = Dice(seed: seed, purpose: 20)
        isAboutUploads = kinds.happens(0.1)
    }

    static func story(seed: UInt64) -> Story {
        var writer = StoryWriter(seed: seed)
        return writer.write()
    }

    private mutating func write() -> Story {
        personCount = dice.number(dice.pick([(62, 2...4), (29, 5...8), (8, 9...16), (1, 17...33)]))
        isBulky = dice.happens(0.01)
        let weather = weather()
        let resumeWindowSeconds = dice.pick([(6, 60), (1, 30), (1, 20)])
        let graceSeconds = dice.pick([(4, 120), (1, 600), (1, 30)])
        arrivals()
        let troubles = troubles()
        let count = dice.number(8...30) + personCount * dice.number(1...5)
        for _ in 0..<count {
            passTime()
            let person = dice.below(personCount)
            add(person, dice.happens(troubles.isEmpty ? 0 : isAboutUploads ? 0.25 : 0.16) ? trouble(troubles) : deed())
        }
        return Story(
            seed: seed, personCount: personCount, weather: weather, resumeWindowSeconds: resumeWindowSeconds, graceSeconds: graceSeconds,
            steps: steps.enumerated().map { Step(number: $0.offset, at: $0.element.at, person: $0.element.person, deed: $0.element.deed) })
    }

    private mutating func add(_ person: Int, _ deed: Deed) { steps.append(Step(number: steps.count, at: now, person: person, deed: deed)) }

    private mutating func weather() -> Story.Weather {
        let delay = dice.pick([(2, 0...0), (3, 1...8), (3, 20...120), (2, 20...900)])
        return Story.Weather(
            delayMilliseconds: delay, sampleLoss: dice.pick([(2, 0), (1, 0.3)]), cutLikelihood: dice.pick([(4, 0), (1, 0.004), (1, 0.03)]),
            requestLoss: dice.pick([(3, 0), (1, 0.2)]), bytesPerSecond: dice.pick([(6, nil), (1, 200_000), (1, 20_000)]),
            diskMilliseconds: dice.pick([(2, 0...0), (3, 1...20), (1, 50...800)]))
    }

    private mutating func arrivals() {
        let together = dice.happens(0.7) ? personCount : max(1, personCount / 2)
        for person in 0..<together {
            add(person, .come(entersEverything: dice.happens(0.75)))
            if dice.happens(0.5) { passTime() }
        }
        if dice.happens(0.5) { now += .seconds(2) }
        for _ in 0..<dice.number(1...3) { add(dice.below(together), .announce) }
        passTime()
    }

    private mutating func passTime() {
        let pause = dice.pick([(8, 0...0), (6, 1...60), (6, 60...1_500), (2, 1_500...8_000), (1, 8_000...40_000)])
        now += dice.milliseconds(pause)
    }

    private enum Trouble: CaseIterable { case cut, offline, freeze, crash, disk, people }

    private mutating func troubles() -> [Trouble] {
        if isAboutUploads { return [.crash, .crash, .crash, .cut, .disk] }
        return switch dice.below(8) {
        case 0: []
        case 1...3: [Trouble.allCases[dice.below(Trouble.allCases.count)]]
        default: Trouble.allCases.filter { _ in dice.happens(0.5) }
        }
    }

    private mutating func trouble(_ troubles: [Trouble]) -> Deed {
        switch troubles[dice.below(troubles.count)] {
        case .cut: .cut(Break.allCases[dice.below(Break.allCases.count)])
        case .offline: .goOffline(milliseconds: dice.number(dice.pick([(5, 10...5_000), (1, 5_000...90_000)])))
        case .freeze: .freeze(milliseconds: dice.number(dice.pick([(5, 10...5_000), (1, 5_000...90_000)])))
        case .crash: .crash(Crash.allCases[dice.below(2)], downMilliseconds: dice.number(dice.pick([(5, 0...3_000), (1, 3_000...50_000)])))
        case .disk: .fillDisk(milliseconds: dice.number(10...6_000))
        case .people: dice.happens(0.5) ? .leave : .come(entersEverything: dice.happens(0.75))
        }
    }

    private mutating func deed() -> Deed {
        let which = dice.below(4)
        switch isAboutUploads ? dice.pick([(5, 20), (2, 24), (1, 27), (1, 0), (1, 30)]) : dice.below(40) {
        case 0...15: return .say(which, sizeBytes: size(), to: recipients())
        case 16...19: return .sample(which, sizeBytes: dice.number(0...600), to: recipients())
        case 20...23: return .add(which, sizeBytes: bodySize())
        case 24...26: return .load(dice.below(8))
        case 27...28: return .remove(dice.below(8))
        case 29...31: return .enter(which)
        case 32...33: return .exit(which)
        case 34: return .announce
        case 35: return .replaceAnnouncement(which)
        case 36: return dice.happens(0.4) ? .end(which) : .enter(which)
        case 37: return .come(entersEverything: dice.happens(0.75))
        case 38: return dice.happens(0.5) ? .leave : .hurry
        default: return .come(entersEverything: true)
        }
    }

    private mutating func size() -> Int {
        if isBulky, dice.happens(0.5) { return dice.number(20_000...250_000) }
        return dice.number(dice.pick([(6, 0...200), (3, 200...4_000), (1, 4_000...20_000)]))
    }

    private mutating func bodySize() -> Int {
        if isBulky, dice.happens(0.3) { return dice.number(1_000_000...2_300_000) }
        return dice.number(dice.pick([(1, 0...0), (6, 1...5_000), (2, 5_000...70_000)]))
    }

    private mutating func recipients() -> [Int] {
        guard dice.happens(0.25) else { return [] }
        return (0..<dice.number(1...2)).map { _ in dice.below(personCount) }
    }
}
