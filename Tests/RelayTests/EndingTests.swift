// The end of a session is told once the disk has it, and not at all if the disk does not take it.

import Testing
import Wire

@testable import Relay

@Suite("The end of a session") struct EndingTests {
    private let announcement = EntryID(gallery.bytes)

    private func refusal(_ type: FrameType, _ session: SessionID = gallery, subject: EntryID = EntryID(.zero), code: Refusal.Code = .storageFailed) -> Refusal {
        Refusal(frameType: type.rawValue, session: session, subject: subject, code: code)
    }

    private func isEnd(_ frame: Frame) -> Bool { if case .ended = frame { true } else { false } }

    /// Ben has asked for the end, and the disk has not answered.
    private func ending() -> Story {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 100))
        story.forget()
        story.holdsStore = true
        story.say(ben, .end(session: gallery))
        return story
    }

    @Test("nobody is told of an end before the disk has it, and what is said until then has its place before it") func diskFirst() {
        let story = ending()
        #expect(story.waitingRequests.map(\.work) == [.removeSession(gallery)])
        story.say(ana, record(0))
        for person in [ana, ben] {
            #expect(!story.heard(person).contains(where: isEnd))
            #expect(story.heard(person).counters == [0])
        }
        story.answerStore(1)
        for person in [ana, ben] {
            #expect(story.heard(person).filter(isEnd) == [.ended(session: gallery, sequence: 5, participant: ben, reason: .byParticipant)])
            #expect(story.heard(person).last == .removed(session: .own, sequence: 4, remover: ben, entry: announcement, reason: .sessionEnded))
        }
        #expect(story.waitingRequests.map(\.work) == [.removeBodies(gallery)])
        #expect(story.conversation.reservedBytes > 100)
        story.answerStore()
        #expect(story.conversation.reservedBytes == 0)
    }

    @Test("an end that the disk does not take is refused to all who asked for it, and the session goes on") func notTaken() {
        let story = ending()
        story.say(ana, .end(session: gallery))
        story.say(ben, .end(session: gallery))
        #expect(story.waitingRequests.count == 1)
        story.storeFailure = .full
        story.answerStore()
        for person in [ana, ben] { #expect(story.heard(person) == [.refused(refusal(.end))]) }
        story.storeFailure = nil
        story.holdsStore = false
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        #expect(story.heard(cleo).entries(of: gallery).map(\.entry) == [entry(1)])
        story.say(ana, record(0))
        #expect(story.heard(cleo).counters == [0])
        story.say(ana, .end(session: gallery))
        #expect(story.heard(ben).contains(where: isEnd))
        #expect(story.conversation.reservedBytes == 0)
    }

    @Test("a second end is answered by the same ended, and tells nobody twice") func twice() {
        let story = ending()
        story.say(ana, .end(session: gallery))
        story.answerStore()
        for person in [ana, ben] {
            #expect(story.heard(person).filter(isEnd).count == 1)
            #expect(story.heard(person).refusals.isEmpty)
        }
    }

    @Test("a put that was under way has its place before the end") func putBefore() {
        let story = Story.gallery(ana, ben)
        story.holdsStore = true
        story.say(ana, put(1))
        story.say(ben, .end(session: gallery))
        story.answerStore()
        let places = story.heard(ana).filter { $0.place?.session == gallery }
        #expect(places.count == 2)
        #expect(places.first.map { if case .entry = $0 { true } else { false } } == true)
        #expect(places.last.map(isEnd) == true)
        #expect(story.heard(ana).refusals.isEmpty)
        #expect(story.entriesKept(in: gallery).isEmpty)
    }

    @Test("a put of an ending session is refused behind the end, and never comes to the disk") func putMeanwhile() {
        let story = ending()
        story.say(ana, put(2), .remove(session: gallery, entry: entry(2)))
        #expect(story.waitingRequests.map(\.work) == [.removeSession(gallery)])
        #expect(story.heard(ana).isEmpty)
        story.answerStore()
        story.answerStore()
        let heard = story.heard(ana)
        #expect(heard.refusals == [refusal(.put, subject: entry(2), code: .unknownSession)])
        #expect((heard.firstIndex(where: isEnd) ?? .max) < (heard.firstIndex(of: .refused(heard.refusals[0])) ?? .min))
        #expect(story.entriesKept(in: gallery).isEmpty)
        #expect(story.conversation.reservedBytes == 0)
    }

    @Test("what was put and removed meanwhile is done in its order when the disk does not take the end") func putAndGoOn() {
        let story = ending()
        story.say(ana, put(2), put(3), .remove(session: gallery, entry: entry(2)))
        story.storeFailure = .failed("I/O error")
        story.answerStore(1)
        story.storeFailure = nil
        story.answerStore()
        #expect(story.heard(ana).refusals.isEmpty)
        #expect(story.heard(ana).entries(of: gallery).map(\.entry) == [entry(2), entry(3)])
        #expect(story.heard(ana).last == .removed(session: gallery, sequence: 6, remover: ana, entry: entry(2), reason: .removed))
        #expect(Set(story.entriesKept(in: gallery)) == [entry(1), entry(3)])
    }

    @Test("what waits for an end counts among what the disk has not answered") func bounded() {
        let story = ending()
        for number in 0..<Limits.unansweredChangeCountLimit { story.say(ana, put(2, [UInt8(truncatingIfNeeded: number)])) }
        #expect(story.heard(ana).refusals.map(\.code) == [.storageFailed])
        #expect(story.heard(ana).refusals.first?.limit == UInt64(Limits.unansweredChangeCountLimit))
    }

    @Test("an ending session is entered by nobody; who is in it may go, and hears no end") func comingAndGoing() {
        let story = ending()
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        #expect(story.heard(cleo).refusals == [refusal(.enter, code: .unknownSession)])
        story.say(ana, .exit(session: gallery))
        story.say(ben, .leave)
        story.answerStore()
        #expect(!story.heard(ana).contains(where: isEnd))
        #expect(story.heard(ana).contains(.exited(session: gallery, sequence: 4, participant: ana, reason: .exited)))
        #expect(story.conversation.sessionCount == 0)
    }

    @Test("who asks for the announcement of an ending session to be removed is answered with the end, or refused with it", arguments: [true, false])
    func announcementRemoved(isTaken: Bool) {
        let story = ending()
        story.say(ana, .remove(session: .own, entry: announcement), .remove(session: .own, entry: announcement))
        #expect(story.heard(ana).isEmpty)
        if !isTaken { story.storeFailure = .full }
        story.answerStore(1)
        let removed = story.heard(ana).filter { if case .removed = $0 { true } else { false } }
        #expect(removed.count == (isTaken ? 1 : 0))
        #expect(story.heard(ana).refusals == (isTaken ? [] : [refusal(.remove, .own, subject: announcement)]))
    }

    @Test("an announcement that is replaced while its session ends, or after it, begins no other under its name") func announcedAgain() {
        let story = ending()
        story.say(ana, announce())
        story.answerStore()
        story.answerStore()
        #expect(story.heard(ana).contains(where: isEnd))
        story.say(ana, announce())
        story.answerStore()
        let refused = Refusal(frameType: FrameType.put.rawValue, session: .own, subject: announcement, code: .unknownEntry)
        #expect(story.heard(ana).refusals == [refused, refused])
        #expect(story.entriesKept(in: .own).isEmpty)
    }

    @Test("names of sessions that are over are known up to a limit, the oldest forgotten") func boundedNames() {
        var ended = EndedSessions()
        let limit = UInt64(Limits.endedSessionCountLimit)
        func name(_ number: UInt64) -> SessionID { SessionID(Bytes16(high: 5, low: number)) }
        for number in 0...limit { for _ in 0..<2 { ended.insert(name(number)) } }
        #expect(ended.inOrder == (1...limit).map(name))
        #expect(!ended.contains(name(0)) && ended.contains(name(1)) && ended.contains(name(limit)))
    }

    @Test("a session whose announcement was removed while nobody was in it ends all the same") func unannounced() {
        let story = Story.gallery(ana)
        story.say(ana, .exit(session: gallery))
        story.holdsStore = true
        story.say(ana, .remove(session: .own, entry: announcement))
        story.pass(seconds: 600)
        story.pass(seconds: 1)
        #expect(story.waitingRequests.count == 2)
        story.answerStore()
        story.answerStore()
        #expect(story.conversation.sessionCount == 0)
        #expect(story.conversation.tickets.isEmpty)
    }

    @Test("an end for lack of people that the disk does not take comes again") func graceAgain() {
        let story = Story.gallery(ana)
        story.say(ana, .exit(session: gallery))
        story.storeFailure = .full
        story.pass(seconds: 600)
        #expect(story.conversation.sessionCount == 1)
        story.storeFailure = nil
        story.pass(seconds: 1)
        #expect(story.conversation.sessionCount == 0)
        #expect(story.entriesKept(in: .own).isEmpty)
    }

    @Test("bodies that the disk does not erase keep their reservation and are asked for again") func bodiesStay() {
        let story = ending()
        story.answerStore(1)
        story.storeFailure = .failed("I/O error")
        story.answerStore()
        #expect(story.conversation.reservedBytes == 101)
        #expect(story.heard(ana).contains(where: isEnd))
        story.storeFailure = nil
        story.holdsStore = false
        story.pass(seconds: 1)
        #expect(story.conversation.reservedBytes == 0)
    }
}
