// Nothing is repeated and nothing is missing for who comes back in time; who holds others up does not come back.

import Testing
import Wire

@testable import Relay

@Suite("Resumption") struct ResumptionTests {
    private func places(_ own: UInt64, _ inGallery: UInt64) -> [Hello.Place] {
        [Hello.Place(session: .own, sequence: own), Hello.Place(session: gallery, sequence: inGallery)]
    }

    @Test("what was missed follows exactly, from any place of the log", arguments: 3..<14 as Range<UInt64>) func exact(last: UInt64) {
        let story = Story.gallery(ana, ben)
        for counter in 0..<5 as Range<UInt64> { story.say(ana, record(counter)) }
        story.say(ana, record(5), record(6), record(7), record(8, to: [ana]), record(9, to: [ana]))
        let all = story.heard(ben).logged(in: gallery)
        story.cut(ben)
        story.say(ana, record(10))
        story.forget()
        let connection = story.connect(ben, incarnation: Story.incarnation, places: places(3, last))
        #expect(story.heard(connection).welcome?.resumed == true)
        let expected = (all + [.ordered(session: gallery, sequence: 13, sender: ana, counter: 10, recipients: [], sealed: [1, 2, 3])])
            .filter { $0.place!.sequence > last }
        #expect(story.heard(connection).logged(in: gallery) == expected)
        story.say(ana, record(11))
        #expect(story.heard(connection).sequences(of: gallery) == Array((last + 1)..<15))
    }

    @Test("a place that is not in the log yet cannot be resumed from") func future() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        let connection = story.connect(ben, incarnation: Story.incarnation, places: places(3, 400))
        #expect(story.closes[connection] == .cannotResume)
        #expect(story.conversation.participantCount == 1)
    }

    @Test("a place before what one has acknowledged cannot be resumed from, once the log is trimmed") func past() {
        let story = Story.gallery(ana, ben)
        for counter in 0..<5 as Range<UInt64> { story.say(ana, record(counter)) }
        story.say(ana, .acknowledge(session: gallery, sequence: 7))
        story.say(ben, .acknowledge(session: gallery, sequence: 7))
        story.cut(ben)
        #expect(story.answer(to: story.connect(ben, incarnation: Story.incarnation, places: places(3, 4))) == .cannotResume)
    }

    @Test("who is away beyond the window is made to leave") func window() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.pass(seconds: 59)
        #expect(story.heard(ana).logged(in: gallery).isEmpty)
        story.pass(seconds: 1)
        #expect(story.heard(ana).logged(in: gallery) == [.exited(session: gallery, sequence: 3, participant: ben, reason: .away)])
        #expect(story.heard(ana).logged(in: .own) == [.exited(session: .own, sequence: 4, participant: ben, reason: .away)])
        #expect(story.answer(to: story.connect(ben, incarnation: Story.incarnation, places: places(3, 2))) == .cannotResume)
    }

    @Test("who comes back within the window stays") func inTime() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.pass(seconds: 59)
        story.connect(ben, incarnation: Story.incarnation, places: places(3, 2))
        story.pass(seconds: 600)
        #expect(story.conversation.participantCount == 2)
    }

    @Test("others hear that a connection was lost and that it is back") func presence() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.connect(ben, incarnation: Story.incarnation, places: places(3, 2))
        #expect(story.heard(ana) == [.presence(participant: ben, presence: .away), .presence(participant: ben, presence: .connected)])
    }

    @Test("a session that is not named is left; one that is gone is refused") func named() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.forget()
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 3), Hello.Place(session: session(8), sequence: 1)])
        #expect(story.heard(ana).contains(.exited(session: gallery, sequence: 3, participant: ben, reason: .exited)))
        #expect(story.heard(ben).refusals == [Refusal(frameType: 1, session: session(8), code: .unknownSession)])
    }

    @Test("who was cut off before it heard where it stands, and comes once more, holds nothing of the log back") func neverPlaced() {
        let story = Story.gallery()
        story.connect(ana)
        story.say(ana, put(9, in: .own, .presenceBound, [1]))
        story.cut(ana)
        story.connect(ana)
        #expect(story.heard(ana).contains { if case .position(.own, 2, _) = $0 { true } else { false } })
        #expect(story.conversation.logSizeBytes == 0)
        #expect(story.heard(ana).contains(.stable(session: .own, sequence: 2)))
    }

    @Test("stable tells how far everyone has got, whoever is away included, and the log is trimmed to there") func stable() {
        let story = Story.gallery(ana, ben)
        for counter in 0..<10 as Range<UInt64> { story.say(ana, record(counter)) }
        let full = story.conversation.logSizeBytes
        story.say(ana, .acknowledge(session: gallery, sequence: 12))
        #expect(!story.heard(ana).contains { if case .stable = $0 { true } else { false } })
        story.cut(ben)
        story.say(ana, .acknowledge(session: gallery, sequence: 12))
        #expect(story.conversation.logSizeBytes == full)
        story.connect(ben, incarnation: Story.incarnation, places: places(3, 9))
        #expect(story.heard(ana).last == .stable(session: gallery, sequence: 9))
        #expect(story.conversation.logSizeBytes < full)
        story.say(ben, .acknowledge(session: gallery, sequence: 12))
        #expect(story.heard(ana).last == .stable(session: gallery, sequence: 12))
        #expect(story.heard(ben).last == .stable(session: gallery, sequence: 12))
    }

    @Test("the place of the newcomer counts as acknowledged") func newcomer() {
        let story = Story.gallery(ana)
        for counter in 0..<3 as Range<UInt64> { story.say(ana, record(counter)) }
        story.connect(ben)
        story.say(ben, .enter(session: gallery))
        story.say(ana, .acknowledge(session: gallery, sequence: 5))
        #expect(story.heard(ana).last == .stable(session: gallery, sequence: 5))
    }

    @Test("who enters again and is cut off before it hears where it stands resumes from where it stood") func enteredAgain() {
        let story = Story.gallery(ana, ben)
        story.say(ana, record(0))
        story.say(ben, .enter(session: gallery), .enter(session: .own))
        story.say(ana, record(1))
        story.say(ana, .acknowledge(session: gallery, sequence: 4))
        story.cut(ben)
        story.forget()
        let connection = story.connect(ben, incarnation: Story.incarnation, places: places(3, 2))
        #expect(story.closes.isEmpty && story.heard(connection).welcome?.resumed == true)
        #expect(story.heard(ben).counters == [0, 1])
    }

    @Test("nobody can acknowledge what has no place yet") func acknowledgeFuture() {
        let story = Story.gallery(ana)
        story.say(ana, .acknowledge(session: gallery, sequence: 1 << 50))
        story.say(ana, record(0))
        story.cut(ana)
        story.connect(ana, incarnation: Story.incarnation, places: places(2, 1))
        #expect(story.heard(ana).counters == [0])
    }

    @Test("who holds the log back beyond its bytes gets 4300; the others go on") func holdsBackBytes() {
        let story = Story.gallery(ana, ben)
        let large = [UInt8](repeating: 5, count: 262_144)
        let slow = story.connections[ben]!
        var counter: UInt64 = 0
        while story.closes.isEmpty, counter < 100 {
            story.say(ana, record(counter, large))
            story.say(ana, .acknowledge(session: gallery, sequence: counter + 3))
            counter += 1
        }
        #expect(story.closes == [slow: .cannotResume])
        #expect(counter == 64)
        #expect(story.conversation.participantCount == 1)
        #expect(story.heard(ana).contains(.exited(session: gallery, sequence: counter + 3, participant: ben, reason: .away)))
        #expect(story.conversation.logSizeBytes < Limits.logSizeLimitBytes)
        story.say(ana, record(counter))
        #expect(story.heard(ana).counters.count == Int(counter) + 1)
    }

    @Test("who is away and holds the log back beyond its frames loses the place") func holdsBackFrames() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        for turn in 0..<17 as Range<UInt64> {
            story.say(ana, (0..<1000).map { record(turn * 1000 + $0, []) })
            story.say(ana, .acknowledge(session: gallery, sequence: (turn + 1) * 1000 + 2))
        }
        #expect(story.conversation.participantCount == 1)
        #expect(story.connections[ana] != nil)
        #expect(story.heard(ana).counters.count == 17_000)
    }
}
