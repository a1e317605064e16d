// One order for everyone in a session.

import Testing
import Wire

@testable import Relay

@Suite("Order") struct OrderTests {
    @Test("everyone hears the same records at the same places, the sender too") func same() {
        let story = Story.gallery(ana, ben, cleo)
        story.murmur(ana, [record(0), record(1)])
        story.murmur(ben, [record(0)])
        story.say(cleo, record(0))
        let heard = story.heard(ana).logged(in: gallery)
        #expect(heard.count == 4)
        #expect(story.heard(ben).logged(in: gallery) == heard)
        #expect(story.heard(cleo).logged(in: gallery) == heard)
        #expect(heard.sequences(of: gallery) == [4, 5, 6, 7])
    }

    @Test("all records of one turn go out as one message") func coalesced() {
        let story = Story.gallery(ana, ben)
        let before = story.batchesSent
        for counter in 0..<50 as Range<UInt64> { story.murmur(ana, [record(counter)]) }
        story.carryOut()
        #expect(story.batchesSent == before + 1)
        #expect(story.heard(ben).counters == Array(0..<50))
    }

    @Test("a record arrives byte for byte, from nothing to the limit", arguments: [0, 1, 255, 4096, 70_000, 262_144, 327_680]) func bytes(count: Int) {
        let story = Story.gallery(ana, ben)
        let sealed = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        story.say(ana, record(0), record(1, sealed), record(2))
        #expect(story.heard(ben).logged(in: gallery)[1] == .ordered(session: gallery, sequence: 4, sender: ana, counter: 1, recipients: [], sealed: sealed))
        #expect(story.heard(ben).counters == [0, 1, 2])
    }

    @Test("a record above the limit is refused with limit and size, and nothing else happens") func tooLarge() {
        let story = Story.gallery(ana, ben)
        story.say(ana, record(5, [UInt8](repeating: 1, count: 327_681)), record(6))
        let refusal = story.heard(ana).refusals.first
        #expect(refusal?.code == .tooLarge && refusal?.limit == 327_680 && refusal?.value == 327_681 && refusal?.counter == 5)
        #expect(story.heard(ben).counters == [6])
    }

    @Test("who is not among the recipients gets skipped at the same place") func skipped() {
        let story = Story.gallery(ana, ben, cleo)
        story.say(ana, record(0), record(1, to: [ben]), record(2, to: [ben]), record(3))
        #expect(story.heard(ana).counters == [0, 1, 2, 3])
        #expect(story.heard(ben).counters == [0, 1, 2, 3])
        #expect(story.heard(cleo).counters == [0, 3])
        #expect(story.heard(cleo).sequences(of: gallery) == story.heard(ana).sequences(of: gallery))
        #expect(story.heard(cleo).contains(.skipped(session: gallery, sequence: 5, sender: ana, counter: 1)))
    }

    @Test("recipients who are not in the session change nothing for those who are") func strangers() {
        let story = Story.gallery(ana, ben)
        story.say(ana, record(0, to: [cleo, participant(99)]))
        #expect(story.heard(ana).counters == [0])
        #expect(story.heard(ben).logged(in: gallery) == [.skipped(session: gallery, sequence: 3, sender: ana, counter: 0)])
    }

    @Test("a repeated record is passed over") func repeated() {
        let story = Story.gallery(ana, ben)
        story.say(ana, record(0), record(1), record(0), record(1), record(2))
        #expect(story.heard(ben).counters == [0, 1, 2])
        #expect(story.heard(ana).refusals.isEmpty)
    }

    @Test("comings and goings stand in the same order as records") func comings() {
        let story = Story.gallery(ana, ben)
        story.connect(cleo)
        story.forget()
        story.murmur(ana, [record(0)])
        story.murmur(cleo, [.enter(session: gallery)])
        story.murmur(ana, [record(1)])
        story.murmur(ben, [.exit(session: gallery)])
        story.say(ana, record(2))
        #expect(story.heard(ana).sequences(of: gallery) == [3, 4, 5, 6, 7])
        #expect(story.heard(ana).contains(.entered(session: gallery, sequence: 4, participant: cleo)))
        #expect(story.heard(ben).sequences(of: gallery) == [3, 4, 5, 6])
        #expect(story.heard(ben).last == .exited(session: gallery, sequence: 6, participant: ben, reason: .exited))
        #expect(story.heard(cleo).counters == [1, 2])
        #expect(story.heard(cleo).sequences(of: gallery) == [5, 6, 7])
        #expect(story.heard(cleo).contains { if case .position(gallery, 4, _) = $0 { true } else { false } })
    }

    @Test("the own session's news comes before that of the others") func ownFirst() {
        let story = Story.gallery(ana, ben)
        story.murmur(ana, [record(0)])
        story.say(ana, record(0, in: .own))
        #expect(story.heard(ben).logged(in: .own).count == 1)
        #expect(story.heard(ben).first?.place?.session == .own)
    }

    @Test("a record for a session that is not, or in which one is not, is refused") func refused() {
        let story = Story.gallery(ana)
        story.connect(ben)
        story.say(ben, record(3), record(4, in: session(9)))
        #expect(story.heard(ben).refusals.map(\.code) == [.notInSession, .unknownSession])
        #expect(story.heard(ben).refusals.map(\.counter) == [3, 4])
        #expect(story.closes.isEmpty)
    }

    @Test("samples reach everyone but the sender, or the recipients alone, and have no place") func samples() {
        let story = Story.gallery(ana, ben, cleo)
        story.say(ana, .sample(session: gallery, recipients: [], sealed: [1]), .sample(session: gallery, recipients: [cleo], sealed: [2]), record(0))
        #expect(story.heard(ana).sequences(of: gallery) == [4])
        #expect(story.heard(ben).contains(.sampled(session: gallery, sender: ana, recipients: [], sealed: [1])))
        #expect(story.heard(ben).filter { if case .sampled = $0 { true } else { false } }.count == 1)
        #expect(story.heard(cleo).filter { if case .sampled = $0 { true } else { false } }.count == 2)
        #expect(!story.heard(ana).contains { if case .sampled = $0 { true } else { false } })
    }

    @Test("no sample comes behind the own going or the end", arguments: [true, false]) func samplesBefore(isEnd: Bool) {
        let story = Story.gallery(ana, ben)
        story.murmur(ana, [.sample(session: gallery, recipients: [], sealed: [1])])
        story.murmur(ben, [isEnd ? .end(session: gallery) : .exit(session: gallery)])
        story.carryOut()
        let told = story.heard(ben).filter { if case .sampled = $0 { true } else { $0.place?.session == gallery } }
        #expect(told.count == 2)
        #expect(told.first == .sampled(session: gallery, sender: ana, recipients: [], sealed: [1]))
        // Nor one that still waits for the line.
        #expect(story.withdrawn.filter { $0.1 == story.connections[ben] }.map(\.0) == [gallery])
    }

    @Test("samples that wait for a line are taken back by their session") func withdrawn() {
        var outbox = Outbox()
        func batch(_ byte: UInt8) -> Batch { Batch([.sampled(session: gallery, sender: ana, recipients: [], sealed: [byte])], headroomBytes: 0) }
        _ = outbox.append(sample: batch(1), of: gallery)
        let kept = batch(2)
        _ = outbox.append(sample: kept, of: session(2))
        _ = outbox.append(sample: batch(3), of: gallery)
        outbox.withdrawSamples(of: gallery)
        #expect(outbox.next() === kept)
        #expect(outbox.next() == nil && outbox.isEmpty)
    }
}
