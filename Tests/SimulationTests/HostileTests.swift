// Stories over a relay that lies: each kind of lie is found out, or is one of those of which the threat model says that it is not.

import Testing
import Wire

@testable import Simulation

@Suite("A relay that lies", .serialized) struct HostileTests {
    private static let victim = 1

    /// Something of everything, by three people, and one lie from a moment on.
    private func story(_ kind: LieKind, seed: UInt64, atSecond: Int = 4, number: Int) -> Story {
        let deeds: [(second: Int, person: Int, deed: Deed)] = [
            (0, 0, .come(entersEverything: true)), (0, 1, .come(entersEverything: true)), (0, 2, .come(entersEverything: true)), (1, 0, .announce), (2, 2, .announce),
            (3, 0, .say(0, sizeBytes: 10, to: [])), (3, 0, .add(0, sizeBytes: 500)), (3, 2, .sample(0, sizeBytes: 10, to: [])), (5, 0, .say(0, sizeBytes: 20, to: [])),
            (5, 2, .say(0, sizeBytes: 30, to: [])), (6, 0, .say(0, sizeBytes: 40, to: [2])), (7, 1, .say(0, sizeBytes: 50, to: [])), (7, 2, .add(0, sizeBytes: 70_000)),
            (8, 2, .sample(0, sizeBytes: 60, to: [])), (9, 1, .load(0)), (10, 1, .load(1)), (11, 0, .remove(0)), (12, 1, .add(0, sizeBytes: 900)), (13, 2, .exit(1)),
            (14, 2, .enter(1)), (40, 1, .exit(0)), (41, 1, .enter(0)), (42, 0, .say(0, sizeBytes: 15, to: [])), (43, 2, .announce), (44, 1, .cut(.heardByBoth)),
            (45, 0, .say(0, sizeBytes: 15, to: [])), (51, 0, .say(0, sizeBytes: 15, to: [Self.victim])), (52, 2, .hurry),
        ]
        let lie = Step(number: StoryWriter.stepCountLimit, at: .seconds(atSecond), person: Self.victim, deed: .lie(Lie(kind: kind, others: [], number: number)))
        var steps = deeds.enumerated().map { Step(number: $0.offset, at: .seconds($0.element.second), person: $0.element.person, deed: $0.element.deed) }
        // What is of the beginning stands before the first has come.
        steps.insert(lie, at: kind.isOfTheBeginning ? 0 : steps.count)
        steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        var story = Story(seed: seed, personCount: 3, weather: StoryWriter.story(seed: 1).calmed().weather, resumeWindowSeconds: 60, graceSeconds: 30, steps: steps)
        story.isHostile = true
        return story
    }

    /// What came of a lie, told in its time.
    private func tally(_ kind: LieKind, number: Int = 1, atSecond: Int? = nil) throws -> LieTally {
        let outcome = tell(story(kind, seed: 5, atSecond: atSecond ?? (kind.isOfTheBeginning ? 0 : 4), number: number))
        let violation = outcome.violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.rawValue): \($0.detail)" } ?? "")")
        return try #require(outcome.lies[kind], "there was no occasion for it")
    }

    private static let toldKinds: [LieKind] = [
        .hideRecord, .hideEntry, .hideRemoval, .hideComing, .hideGoing, .skipRecord, .entryAsNobodys, .repeatRecord, .repeatEntry, .swap, .replayRecord, .replayEntry, .tamperEntry, .size, .flags,
        .version, .inventComing, .inventGoing, .incarnation, .places,
    ]

    @Test("of the log is told to people", arguments: toldKinds) func told(kind: LieKind) throws {
        #expect(try tally(kind).toldCount == 1)
    }

    private static let costlyKinds: [LieKind] = [.drop, .skipOther, .replayElsewhere, .tamperRecord, .recipients, .dropSaid, .tamperSaid, .swapSaid, .refuse]

    @Test("that leaves a hole or does not open costs the session", arguments: costlyKinds) func over(kind: LieKind) throws {
        let tally = try tally(kind, number: 1_002)
        #expect(tally.endedCount == 1 || tally.toldCount == 1)
    }

    @Test("of bodies fails the loading with a word, or is overcome", arguments: [.tamperPart, .longPart, .otherPart] as [LieKind]) func bodies(kind: LieKind) throws {
        #expect(try tally(kind).toldCount == 1)
    }

    private static let unnoticedKinds: [LieKind] = [
        .sender, .counter, .showOthers, .inventEnd, .hideOwn, .inventPerson, .people, .hideKept, .oldKept, .stable, .repeatSample, .tamperSample, .recordAsSample, .sampleElsewhere, .sampleRecipients,
        .fork, .delay, .silence, .forget, .garble, .shortPart, .partGone, .partNever, .forgetPart,
    ]

    @Test("without effect, or of the kinds that nobody finds out, breaks no promise", arguments: unnoticedKinds) func unnoticed(kind: LieKind) throws {
        _ = try tally(kind, number: 20_002)
    }

    @Test("in stories drawn from seeds breaks no promise that holds against it", arguments: 1...10 as ClosedRange<UInt64>) func drawn(seed: UInt64) {
        let violation = tell(LieWriter.hostile(StoryWriter.story(seed: seed))).violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.rawValue): \($0.detail)" } ?? "")")
    }

    /// Two who had seen different logs once went on without one of them being told; in the last the relay asked a clear line for ever whether it was clear, until the disk would answer.
    @Test("stories that once broke a promise hold", arguments: [25, 88, 119, 265, 300, 315, 20_362] as [UInt64]) func found(seed: UInt64) {
        let violation = tell(LieWriter.hostile(StoryWriter.story(seed: seed))).violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.rawValue): \($0.detail)" } ?? "")")
    }
}

@Suite("What a lying relay has shown") struct ShownLogTests {
    private let session = SessionID(Bytes16(high: 1, low: 1))

    private func shown(_ place: UInt64) -> Shown {
        Shown(frame: .entered(session: session, sequence: place, participant: ParticipantID(Bytes16(high: 0, low: place))), origin: .place(place))
    }

    private func log(base: UInt64 = 10, incarnation: UInt64 = 1) -> ShownLog { ShownLog(incarnation: incarnation, base: base, trueBase: 10) }

    @Test("keeps its numbers without a hole, and knows the true ones") func numbers() {
        var log = log()
        #expect(log.show([shown(11)]).first?.place?.sequence == 11)
        #expect(log.show([]).isEmpty)
        #expect(log.show([shown(13), shown(13)]).map { $0.place?.sequence } == [12, 13])
        #expect([10, 11, 12, 13].map { log.truePlace($0) } == [10, 12, 12, 13])
        #expect([10, 11, 12, 13].map { log.shownPlace($0) } == [10, 11, 11, 13])
        #expect(log.known(13)?.count == 2 && log.known(14) == nil)
    }

    @Test("what is held back comes later, and a hole is counted") func held() {
        var log = log()
        #expect(log.show([], holding: (1, shown(11))).isEmpty)
        #expect(log.show([shown(12)]).map { $0.place?.sequence } == [11, 12])
        #expect(log.show([], hole: .made(1)).isEmpty)
        #expect(log.show([shown(14)]).first?.place?.sequence == 14)
    }

    @Test("is another when a place that both know was something else, and only then") func comparison() {
        var (one, other, later) = (log(), log(), ShownLog(incarnation: 1, base: 12, trueBase: 12))
        _ = one.show([shown(11)])
        _ = other.show([])
        #expect(one.compared(with: other) == .incomparable)
        _ = one.show([shown(12)])
        _ = other.show([shown(12)])
        #expect(one.compared(with: other) == .different)
        _ = one.show([shown(13)])
        _ = later.show([shown(13)])
        #expect(one.compared(with: later) == .same)
        #expect(one.compared(with: log(incarnation: 2)) == .incomparable)
    }
}
