// What a connection is written is judged by these; the promises about what waits are not broken by any relay that only lies.

import Testing
import Wire

@testable import Simulation

@Suite("What waits for a connection") struct WitnessTests {
    private let session = SessionID(Bytes16(high: 1, low: 1))
    private let listener = ParticipantID(Bytes16(high: 2, low: 2))
    private let sender = ParticipantID(Bytes16(high: 3, low: 3))

    private func judge(_ batches: [(isSample: Bool, sizeBytes: Int)], isWaiting: Bool = true) throws -> Claim? {
        let loop = EventLoop()
        let story = StoryWriter.story(seed: 1)
        return try Determinism.reign(loop, seed: 1) {
            let world = try World(story, loop: loop, sabotage: nil, keepsLines: false, keepsFrames: false)
            let witness = PortWitness(world: world, participant: listener, name: "Ana", incarnation: 1)
            if isWaiting { witness.beginsDraining() }
            for batch in batches {
                let sample = Frame.sampled(session: session, sender: sender, recipients: [], sealed: [1])
                witness.sent([batch.isSample ? sample : .pong(token: 1)], sizeBytes: batch.sizeBytes)
            }
            return world.violation?.claim
        }
    }

    @Test("a sample before a record that waited is noticed") func sampleFirst() throws {
        #expect(try judge([(true, 100), (false, 100)]) == .samplesWait)
        #expect(try judge([(false, 65_535), (true, 100), (false, 100)]) == .samplesWait)
    }

    @Test("a sample behind records, or after enough of them, is not") func sampleInItsTime() throws {
        #expect(try judge([(false, 100), (true, 100)]) == nil)
        #expect(try judge([(false, 65_536), (true, 100), (false, 100)]) == nil)
        #expect(try judge([(true, 100), (false, 100)], isWaiting: false) == nil)
    }

    @Test("more than may wait is noticed, of records and of samples") func tooMuch() throws {
        #expect(try judge([(false, Limits.outboxSizeLimitBytes)]) == nil)
        #expect(try judge([(false, Limits.outboxSizeLimitBytes), (false, 1)]) == .outboxesBounded)
        #expect(try judge(Array(repeating: (true, 100_000), count: 5)) == nil)
        #expect(try judge(Array(repeating: (true, 100_000), count: 9)) == .outboxesBounded)
    }
}
