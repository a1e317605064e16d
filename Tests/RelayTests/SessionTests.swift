// Sessions come, are handed over to whoever enters, and end.

import Testing
import Wire

@testable import Relay

@Suite("Sessions") struct SessionTests {
    @Test("a session that is not announced cannot be entered") func unannounced() {
        let story = Story.gallery(ana)
        story.say(ana, .enter(session: session(5)))
        #expect(story.heard(ana).refusals == [Refusal(frameType: 2, session: session(5), code: .unknownSession)])
    }

    @Test("who enters late is given the whole ledger in order of version, then complete") func ledger() {
        let story = Story.gallery(ana)
        for number in 0..<10 { story.say(ana, put(number)) }
        story.say(ana, put(2, [8]), .remove(session: gallery, entry: entry(5)))
        story.connect(ben)
        story.say(ben, .enter(session: gallery))
        let entries = story.heard(ben).entries(of: gallery)
        #expect(entries.map(\.entry) == [0, 1, 3, 4, 6, 7, 8, 9, 2].map { entry($0) })
        #expect(entries.allSatisfy { $0.sequence == 0 })
        #expect(entries.last?.sealed == [8])
        #expect(story.heard(ben).contains(.complete(session: gallery, sequence: 14)))
    }

    @Test("what changes while the ledger is handed over is told once, and nothing that has gone comes back") func changing() {
        let story = Story.gallery(ana)
        for number in 0..<7 { story.say(ana, put(number)) }
        story.connect(ben)
        story.holdsPages = true
        story.say(ben, .enter(session: gallery))
        let request = story.waitingPages.removeFirst()
        let early = story.page(request)
        #expect(early.map(\.entry) == [entry(0), entry(1), entry(2)])
        story.say(ana, .remove(session: gallery, entry: entry(1)), put(2, [7]), put(99))
        story.conversation.pageRead(request, .success(early))
        story.carryOut()
        while !story.waitingPages.isEmpty { story.answerPages() }
        let given = story.heard(ben).entries(of: gallery)
        #expect(given.filter { $0.sequence == 0 }.map(\.entry) == [0, 3, 4, 5, 6, 2, 99].map { entry($0) })
        #expect(given.filter { $0.sequence != 0 }.map(\.entry) == [entry(2), entry(99)])
        #expect(story.heard(ben).filter { if case .complete(gallery, _) = $0 { true } else { false } }.count == 1)
        #expect(story.heard(ben).isComplete(gallery))
    }

    @Test("who enters before the own ledger has come hears of the session behind it, and all that was said since the others saw it come") func introducedFirst() {
        let story = Story.gallery(ana)
        story.say(ana, put(9, in: .own, .presenceBound, [1]))
        story.holdsPages = true
        story.connect(ben)
        story.say(ben, .enter(session: gallery))
        story.say(ana, record(0), .record(session: gallery, counter: 1, recipients: [ana], sealed: [1]))
        story.connect(cleo)
        #expect(story.heard(ana).contains { if case .entered(gallery, _, ben) = $0 { true } else { false } })
        #expect(story.heard(ben).sequences(of: gallery).isEmpty && story.heard(ben).allSatisfy { if case .position(gallery, _, _) = $0 { false } else { true } })
        while !story.waitingPages.isEmpty { story.answerPages() }
        let frames = story.heard(ben)
        let place = frames.compactMap { if case .position(gallery, let place, _) = $0 { place } else { nil } }
        #expect(place.count == 1 && frames.sequences(of: gallery) == [place[0] + 1, place[0] + 2])
        let introduced = frames.firstIndex { if case .complete(.own, _) = $0 { true } else { false } }
        let told = frames.firstIndex { if case .position(gallery, _, _) = $0 { true } else { false } }
        #expect(introduced != nil && told != nil && introduced! < told!)
        #expect(frames.counters == [0] && frames.isComplete(gallery))
        story.say(ana, record(2))
        #expect(story.heard(ben).counters == [0, 2])
    }

    @Test("entering twice is answered again and told to nobody") func twice() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1))
        story.forget()
        story.say(ben, .enter(session: gallery), .enter(session: .own))
        #expect(story.heard(ana).allSatisfy { $0.place == nil })
        #expect(story.heard(ben).isComplete(gallery) && story.heard(ben).isComplete(.own))
        #expect(story.heard(ben).entries(of: gallery).count == 1)
    }

    @Test("an enter in the middle of a ledger starts it anew and makes the old pages worthless") func enterAgain() {
        let story = Story.gallery(ana)
        for number in 0..<4 { story.say(ana, put(number)) }
        story.connect(ben)
        story.holdsPages = true
        story.say(ben, .enter(session: gallery))
        story.say(ben, .enter(session: gallery))
        while !story.waitingPages.isEmpty { story.answerPages() }
        #expect(story.heard(ben).entries(of: gallery).count == 4)
        #expect(story.heard(ben).filter { if case .complete(gallery, _) = $0 { true } else { false } }.count == 1)
    }

    @Test("a ledger cut off by a lost connection is handed over anew") func cutOff() {
        let story = Story.gallery(ana)
        for number in 0..<4 { story.say(ana, put(number)) }
        story.connect(ben)
        story.holdsPages = true
        story.say(ben, .enter(session: gallery))
        story.cut(ben)
        story.answerPages()
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 3), Hello.Place(session: gallery, sequence: 6)])
        while !story.waitingPages.isEmpty { story.answerPages() }
        #expect(story.heard(ben).entries(of: gallery).count == 4)
        #expect(story.heard(ben).isComplete(gallery))
    }

    @Test("a ledger that cannot be read closes the connection, to come back") func pageFails() {
        let story = Story.gallery(ana)
        story.say(ana, put(1))
        story.connect(ben)
        story.holdsPages = true
        story.say(ben, .enter(session: gallery))
        let connection = story.connections[ben]!
        story.conversation.pageRead(story.waitingPages.removeFirst(), .failure(.failed("I/O error")))
        story.carryOut()
        #expect(story.closes[connection] == .overloaded)
        #expect(story.conversation.participantCount == 2)
    }

    @Test("end is heard by all in the session; ledger, bodies and announcement go") func end() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 100))
        story.say(ben, .end(session: gallery))
        #expect(story.heard(ana).contains(.ended(session: gallery, sequence: 4, participant: ben, reason: .byParticipant)))
        #expect(story.heard(ana).contains(.removed(session: .own, sequence: 4, remover: ben, entry: EntryID(gallery.bytes), reason: .sessionEnded)))
        #expect(story.asked.suffix(2) == [.removeSession(gallery), .removeBodies(gallery)])
        #expect(story.entriesKept(in: gallery).isEmpty && story.entriesKept(in: .own).isEmpty)
        #expect(story.conversation.reservedBytes == 0)
        story.say(ana, record(0), .acknowledge(session: gallery, sequence: 4))
        #expect(story.heard(ana).refusals.map(\.code) == [.unknownSession, .unknownSession])
        #expect(story.closes.isEmpty)
    }

    @Test("neither the own session nor one in which one is not can be ended") func notEnded() {
        let story = Story.gallery(ana)
        story.connect(ben)
        story.say(ben, .end(session: .own), .end(session: gallery), .exit(session: .own))
        #expect(story.heard(ben).refusals.map(\.code) == [.notPermitted, .notInSession, .notPermitted])
    }

    @Test("the 17th session is refused, and an ended one makes room") func tooMany() {
        let story = Story()
        story.connect(ana, create: true)
        for number in 0..<17 { story.say(ana, announce(session(number))) }
        let refusal = Refusal(frameType: 7, session: .own, subject: EntryID(session(16).bytes), code: .tooManySessions, limit: 16, value: 17)
        #expect(story.heard(ana).refusals == [refusal])
        story.say(ana, .enter(session: session(3)), .end(session: session(3)))
        story.say(ana, announce(session(16)))
        story.say(ana, .enter(session: session(16)))
        #expect(story.heard(ana).refusals == [refusal])
        #expect(story.conversation.sessionCount == 16)
    }

    @Test("a session with nobody in it ends after the grace time, not before") func sessionGrace() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 10), .exit(session: gallery))
        story.pass(seconds: 700)
        #expect(story.conversation.sessionCount == 1)
        story.say(ben, .exit(session: gallery))
        story.pass(seconds: 599)
        #expect(story.conversation.sessionCount == 1)
        story.pass(seconds: 1)
        #expect(story.conversation.sessionCount == 0)
        #expect(story.asked.suffix(2) == [.removeSession(gallery), .removeBodies(gallery)])
        #expect(story.heard(ana).last == .removed(session: .own, sequence: 4, remover: .relay, entry: EntryID(gallery.bytes), reason: .sessionEnded))
    }

    @Test("a conversation with nobody in it is erased after the grace time, and then there is nothing") func conversationGrace() {
        let story = Story.gallery(ana)
        story.say(ana, put(1, body: 10), .leave)
        story.pass(seconds: 599)
        #expect(!story.isOver)
        story.storeFailure = .failed("I/O error")
        story.pass(seconds: 1)
        #expect(!story.isOver)
        #expect(story.answer(to: story.connect(ben)) == .unknownConversation)
        story.storeFailure = nil
        story.pass(seconds: 1)
        #expect(story.isOver)
        #expect(story.asked.last == .removeConversation)
    }

    @Test("who comes within the grace time finds everything") func withinGrace() {
        let story = Story.gallery(ana)
        story.say(ana, put(3), .leave)
        story.pass(seconds: 599)
        story.connect(ben)
        story.say(ben, .enter(session: gallery))
        story.pass(seconds: 6000)
        #expect(story.heard(ben).entries(of: gallery).map(\.entry) == [entry(3)])
        #expect(!story.isOver)
    }

    @Test("leave is heard in every session, answered with 4000, and final") func leaving() {
        let story = Story.gallery(ana, ben)
        let connection = story.connections[ana]!
        story.say(ana, .leave)
        #expect(story.closes[connection] == .left)
        #expect(story.heard(ben).contains(.exited(session: gallery, sequence: 3, participant: ana, reason: .left)))
        #expect(story.heard(ben).contains(.exited(session: .own, sequence: 4, participant: ana, reason: .left)))
        #expect(story.answer(to: story.connect(ana, incarnation: Story.incarnation)) == .cannotResume)
    }
}
