// A simulation that finds nothing is worth what it would find: each way to break a promise is noticed, by the promise it breaks.

import Testing

@testable import Simulation

@Suite("A relay that is broken on purpose is found out", .serialized) struct SabotageTests {
    /// What notices it, whichever is first.
    private static let noticed: [Sabotage: Set<Claim>] = [
        .swapRecords: [.oneOrder],
        .dropRecord: [.oneOrder],
        .repeatRecord: [.oneOrder],
        // Who was not told it may find out by what the others have seen, before everything is at rest.
        .swallowRecord: [.everybodyHears, .historiesAgree],
        .hideComing: [.oneOrder, .samePeople],
        .forkHistory: [.historiesAgree],
        .tellEverybody: [.leaverLearnsNothing],
        .speakToLeaver: [.leaverLearnsNothing],
        .hideEntry: [.equalLedgers],
        .keepBodies: [.removedIsGone],
        .forgetSync: [.keptIsKept],
        .ignorePut: [.comesToRest],
        .keepConnections: [.comesToRest, .nothingRemains],
    ]

    /// Something of everything, by three people.
    private func story(seed: UInt64) -> Story {
        let deeds: [(second: Int, person: Int, deed: Deed)] = [
            (0, 0, .come(entersEverything: true)), (0, 1, .come(entersEverything: true)), (1, 0, .announce), (2, 0, .say(0, sizeBytes: 10, to: [])),
            (2, 0, .say(0, sizeBytes: 20, to: [])), (2, 0, .say(0, sizeBytes: 30, to: [0])), (3, 0, .add(0, sizeBytes: 5_000)), (4, 0, .add(0, sizeBytes: 6_000)),
            (5, 2, .come(entersEverything: true)), (6, 0, .say(0, sizeBytes: 40, to: [])), (7, 0, .remove(0)), (8, 1, .say(0, sizeBytes: 50, to: [])),
            (9, 1, .exit(0)), (10, 0, .crash(.power, downMilliseconds: 500)),
        ]
        let steps = deeds.enumerated().map { Step(number: $0.offset, at: .seconds($0.element.second), person: $0.element.person, deed: $0.element.deed) }
        return Story(seed: seed, personCount: 3, weather: StoryWriter.story(seed: 1).calmed().weather, resumeWindowSeconds: 60, graceSeconds: 30, steps: steps)
    }

    @Test("by the promise that it breaks", arguments: Sabotage.allCases) func noticed(sabotage: Sabotage) throws {
        let expected = try #require(Self.noticed[sabotage])
        // Whether a body that was not synced is lost with the power is drawn.
        let found =
            (1...16).lazy.compactMap { tell(story(seed: $0), sabotage: sabotage).violation }.first
            ?? (1...60).lazy.compactMap { tell(StoryWriter.story(seed: $0), sabotage: sabotage).violation }.first
        let violation = try #require(found, "nothing was noticed")
        #expect(expected.contains(violation.claim), "\(violation.claim.rawValue): \(violation.detail)")
    }

    @Test("and one that is not broken is not") func honest() {
        for seed in 1...4 as ClosedRange<UInt64> {
            let violation = tell(story(seed: seed)).violation
            #expect(violation == nil, "\(violation.map { "\($0.claim.rawValue): \($0.detail)" } ?? "")")
        }
    }
}
