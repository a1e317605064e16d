// Who knocks waits, is nobody meanwhile, and comes in on a member's word.

import Testing
import Wire

@testable import Relay

@Suite("Knocking") struct KnockingTests {
    private func guarded() -> Story {
        let story = Story.gallery(ana, ben)
        story.say(ana, setting(.knock))
        story.forget()
        return story
    }

    /// One who has come to the door and knocked.
    private func knocker(_ participant: ParticipantID, _ story: Story) -> ConnectionID {
        let connection = story.connect(participant)
        story.knock(participant, on: connection)
        return connection
    }

    @Test("a newcomer is asked to wait, and is told nothing else") func waits() {
        let story = guarded()
        let connection = story.connect(cleo)
        #expect(story.waiting[connection] == cleo)
        story.say(ana, record(0), put(1), announce(session(9)))
        #expect(story.heard(connection) == [.waiting(seconds: 120)])
    }

    @Test("who waits is nobody: not in the count, not in anybody's position, and an empty conversation still ends") func nobody() {
        let story = guarded()
        _ = knocker(cleo, story)
        #expect(story.conversation.participantCount == 2)
        story.connect(hello(participant(1), pass: goodPass))
        guard case .position(.own, _, let people) = story.heard(participant(1)).first(where: { if case .position = $0 { true } else { false } }) else {
            Issue.record("no position")
            return
        }
        #expect(people.map(\.participant) == [ana, ben, participant(1)])
        for person in [ana, ben, participant(1)] { story.say(person, .leave) }
        story.pass(seconds: 100)
        let late = knocker(participant(2), story)
        story.pass(seconds: 119)
        story.pass(seconds: 400)
        #expect(story.answer(to: late) == .notAnswered)
        #expect(story.isOver)
    }

    @Test("members hear of a knock once the introduction has come, and each of them once") func told() {
        let story = guarded()
        let connection = story.connect(cleo)
        #expect(story.heard(ana).isEmpty)
        story.knock(cleo, on: connection, [6])
        story.knock(cleo, on: connection, [7])
        for person in [ana, ben] { #expect(story.heard(person) == [.knocking(participant: cleo, sealed: [6])]) }
    }

    @Test("a member who comes later hears of those who knock") func toldLater() {
        let story = guarded()
        _ = knocker(cleo, story)
        story.connect(hello(participant(1), pass: goodPass))
        #expect(Array(story.heard(participant(1))[1...2]) == [.door(door(.knock)), .knocking(participant: cleo, sealed: [5, 5])])
    }

    @Test("who is let in is welcomed like anybody, and the others hear that the knock is over") func admitted() {
        let story = guarded()
        let connection = knocker(cleo, story)
        story.forget()
        story.say(ben, .admit(participant: cleo, admits: true))
        #expect(story.admitted[connection] == cleo)
        #expect(story.heard(cleo).welcome != nil && story.heard(cleo).isComplete(.own))
        #expect(story.heard(ana).contains(.knocked(participant: cleo, end: .admitted)))
        #expect(story.heard(ana).contains(.entered(session: .own, sequence: 4, participant: cleo)))
        #expect(story.conversation.knockerCount == 0)
    }

    @Test("who is declined is told so, and may knock again") func declined() {
        let story = guarded()
        let connection = knocker(cleo, story)
        story.say(ben, .admit(participant: cleo, admits: false))
        #expect(story.answer(to: connection) == .declined)
        #expect(story.heard(ana).last == .knocked(participant: cleo, end: .declined))
        let again = story.connect(cleo)
        #expect(story.waiting[again] == cleo)
    }

    @Test("a word on somebody who does not knock does nothing: the first of two answers counts") func late() {
        let story = guarded()
        let connection = knocker(cleo, story)
        story.say(ana, .admit(participant: cleo, admits: true))
        story.say(ben, .admit(participant: cleo, admits: false), .admit(participant: participant(9), admits: true))
        #expect(story.answer(to: connection) == nil)
        #expect(story.heard(ben).refusals.isEmpty)
        let silent = story.connect(participant(3))
        story.say(ana, .admit(participant: participant(3), admits: true))
        #expect(story.admitted[silent] == nil)
    }

    @Test("who goes away while waiting is forgotten, and the members hear it") func gone() {
        let story = guarded()
        let connection = knocker(cleo, story)
        story.forget()
        story.cut(connection)
        for person in [ana, ben] { #expect(story.heard(person) == [.knocked(participant: cleo, end: .gone)]) }
        #expect(story.conversation.knockerCount == 0)
    }

    @Test("after 120 s without an answer who waits is told that nobody answered, knocked or not") func unanswered() {
        let story = guarded()
        let connection = knocker(cleo, story)
        let silent = story.connect(participant(1))
        story.pass(seconds: 119)
        #expect(story.answer(to: connection) == nil)
        story.pass(seconds: 1)
        #expect(story.answer(to: connection) == .notAnswered)
        #expect(story.answer(to: silent) == .notAnswered)
        #expect(story.heard(ana).filter { if case .knocked = $0 { true } else { false } } == [.knocked(participant: cleo, end: .unanswered)])
    }

    @Test("the 33rd who waits is turned away, and there is room again when one goes") func full() {
        let story = guarded()
        let connections = (0..<32).map { knocker(participant($0), story) }
        #expect(story.answer(to: story.connect(cleo)) == .tooManyWaiting)
        #expect(story.conversation.knockerCount == 32)
        story.cut(connections[0])
        let next = story.connect(cleo)
        #expect(story.waiting[next] == cleo)
    }

    @Test("of a thousand who knock and go members hear 128 times, and then once a second; the others are turned away") func storm() {
        let story = guarded()
        var refusals = 0
        for number in 0..<1_000 {
            let connection = knocker(participant(number), story)
            if story.answer(to: connection) == .tooManyWaiting { refusals += 1 }
            story.cut(connection)
        }
        for person in [ana, ben] {
            #expect(story.heard(person).count { if case .knocking = $0 { true } else { false } } == 128)
            #expect(story.heard(person).count { if case .knocked = $0 { true } else { false } } == 128)
        }
        #expect(refusals == 1_000 - 128)
        #expect(story.conversation.knockerCount == 0)
        story.forget()
        story.pass(seconds: 3)
        for number in 0..<10 { story.cut(knocker(participant(number), story)) }
        #expect(story.heard(ana).count { if case .knocking = $0 { true } else { false } } == 3)
    }

    @Test("who knocks again and again on new connections is counted each time") func stormOfOne() {
        let story = guarded()
        var connection = story.connect(cleo)
        for _ in 0..<200 { connection = knocker(cleo, story) }
        #expect(story.answer(to: connection) == .tooManyWaiting)
        #expect(story.heard(ben).count { if case .knocking = $0 { true } else { false } } == 128)
    }

    @Test("a newer connection of who waits replaces the older, and nobody else's can") func again() {
        let story = guarded()
        let older = knocker(cleo, story)
        #expect(story.answer(to: story.connect(hello(cleo, secret: Bytes16(high: 6, low: 6)))) == .notInvited)
        #expect(story.answer(to: older) == nil)
        let newer = knocker(cleo, story)
        #expect(story.answer(to: older) == .replaced)
        story.cut(older)
        story.say(ana, .admit(participant: cleo, admits: true))
        #expect(story.admitted[newer] == cleo)
    }

    @Test("let in to a full conversation is turned away as full") func conversationFull() {
        let story = guarded()
        let connection = knocker(cleo, story)
        for number in 0..<98 { story.connect(hello(participant(number), pass: goodPass)) }
        story.say(ana, .admit(participant: cleo, admits: true))
        #expect(story.answer(to: connection) == .conversationFull)
        #expect(story.heard(ben).contains(.knocked(participant: cleo, end: .gone)))
    }

    @Test("when the door opens who waits comes in; when it is locked or the invitation ends, they are told") func doorChanges() {
        let story = guarded()
        let first = knocker(cleo, story)
        story.say(ana, setting(.open))
        #expect(story.admitted[first] == cleo)
        story.say(ana, setting(.knock))
        let second = knocker(participant(1), story)
        story.say(ana, setting(.locked))
        #expect(story.answer(to: second) == .locked)
        story.say(ana, setting(.knock, until: story.wallSeconds + 5))
        let third = knocker(participant(2), story)
        story.pass(seconds: 5)
        #expect(story.answer(to: third) == .invitationEnded)
    }

    @Test("who was in before a restart and has no pass knocks like a newcomer, and is put back where it was") func afterRestart() {
        let stored = StoredDoor(door: door(.knock), passDigest: sha256(goodPass))
        let announcement = StoredEntryHead(StoredEntry(session: .own, entry: EntryID(gallery.bytes), putter: ana, version: 1, sealed: [1]))
        let introductions = [ana, ben].map {
            StoredEntryHead(StoredEntry(session: .own, entry: EntryID($0.bytes), putter: $0, version: 1, isPresenceBound: true, sealed: [1]))
        }
        let story = Story(restoring: StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [announcement] + introductions, door: stored))
        let places = [Hello.Place(session: .own, sequence: 4), Hello.Place(session: gallery, sequence: 4)]
        story.connect(hello(ana, incarnation: 5, places: places, pass: goodPass))
        let connection = story.connect(hello(ben, incarnation: 5, places: places))
        story.knock(ben, on: connection)
        story.say(ana, .admit(participant: ben, admits: true))
        #expect(story.heard(ben).isComplete(gallery))
    }
}
