// Who is let in past a door that the members have locked, or whose invitation ends.

import Testing
import Wire

@testable import Relay

@Suite("The door") struct DoorTests {
    @Test("while the door is locked a newcomer is told so, and who is in stays in") func locked() {
        let story = Story.gallery(ana, ben)
        story.say(ana, setting(.locked))
        #expect(story.answer(to: story.connect(cleo)) == .locked)
        #expect(story.conversation.participantCount == 2)
        story.say(ben, record(0))
        #expect(story.heard(ana).counters == [0])
    }

    @Test("every member hears of a new door, its setter too, and who comes later hears of it after the welcome") func told() {
        let story = Story.gallery(ana, ben)
        story.say(ben, setting(.open, until: 1_800_000_900))
        for person in [ana, ben] { #expect(story.heard(person) == [.door(door(.open, until: 1_800_000_900))]) }
        story.connect(cleo)
        #expect(Array(story.heard(cleo).prefix(2).dropFirst()) == [.door(door(.open, until: 1_800_000_900))])
    }

    @Test("who comes back is told how the door stands") func toldAgain() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.say(ana, setting(.locked))
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 3), Hello.Place(session: gallery, sequence: 2)])
        #expect(story.heard(ben).welcome?.resumed == true)
        #expect(story.heard(ben).contains(.door(door(.locked))))
    }

    @Test("a door stands once it is on the disk, and not before") func onDisk() {
        let story = Story.gallery(ana)
        story.holdsStore = true
        story.say(ana, setting(.locked))
        #expect(story.heard(ana).isEmpty)
        story.connect(ben)
        #expect(story.heard(ben).welcome != nil)
        story.answerStore()
        #expect(story.heard(ana).contains(.door(door(.locked))))
        #expect(story.answer(to: story.connect(cleo)) == .locked)
    }

    @Test("a door that the disk does not take is refused to its setter, and the one before stands") func diskFails() {
        let story = Story.gallery(ana, ben)
        story.say(ana, setting(.locked))
        story.forget()
        story.storeFailure = .full
        story.say(ben, setting(.open))
        #expect(story.heard(ben) == [.refused(Refusal(frameType: 0x0b, session: .own, code: .storageFailed))])
        #expect(story.heard(ana).isEmpty)
        #expect(story.answer(to: story.connect(cleo)) == .locked)
    }

    @Test("the last one to set the door has the say") func lastWins() {
        let story = Story.gallery(ana, ben)
        story.say(ana, setting(.locked))
        story.say(ben, setting(.open))
        story.connect(cleo)
        #expect(story.heard(cleo).welcome != nil)
    }

    @Test("the pass lets in past a locked door, and another pass does not") func pass() {
        let story = Story.gallery(ana)
        story.say(ana, setting(.locked))
        #expect(story.answer(to: story.connect(hello(ben, pass: [UInt8](repeating: 1, count: 32)))) == .locked)
        #expect(story.heard(story.connect(hello(ben, pass: goodPass))).welcome != nil)
    }

    @Test("the pass opens nothing to whom the invitation's token is unknown") func passAlone() {
        let story = Story.gallery(ana)
        story.say(ana, setting(.open))
        #expect(story.answer(to: story.connect(hello(ben, token: goodPass, pass: goodPass))) == .notInvited)
    }

    @Test("who lost the connection comes back through a locked door, until the place is given up") func comingBack() {
        let story = Story.gallery(ana, ben)
        story.say(ana, setting(.locked))
        story.cut(ben)
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 3), Hello.Place(session: gallery, sequence: 2)])
        #expect(story.heard(ben).welcome?.resumed == true)
        story.cut(ben)
        story.pass(seconds: 61)
        #expect(story.answer(to: story.connect(ben)) == .locked)
    }

    @Test("after a restart the door still stands: the pass lets its holders back in under their names, others not") func restart() {
        let stored = StoredDoor(door: door(.locked), passDigest: sha256(goodPass))
        let story = Story(restoring: StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [], door: stored))
        #expect(story.answer(to: story.connect(hello(ana, incarnation: 5, places: []))) == .locked)
        #expect(story.heard(story.connect(hello(ana, incarnation: 5, places: [], pass: goodPass))).welcome?.resumed == false)
        #expect(story.heard(ana).contains(.door(door(.locked))))
    }

    // MARK: The end

    @Test("from the second of its end on an invitation lets nobody in, and the second before it does") func end() {
        let story = Story.gallery(ana)
        story.say(ana, setting(.open, until: story.wallSeconds + 10))
        story.pass(seconds: 9)
        story.connect(ben)
        #expect(story.heard(ben).welcome != nil)
        story.pass(seconds: 1)
        #expect(story.answer(to: story.connect(cleo)) == .invitationEnded)
        #expect(story.heard(story.connect(hello(cleo, pass: goodPass))).welcome != nil)
        #expect(story.conversation.participantCount == 3)
    }

    @Test("an end that passed while the relay was down is past when it is up") func endWhileDown() {
        let stored = StoredDoor(door: door(.open, until: 1_700_000_000), passDigest: sha256(goodPass))
        let story = Story(restoring: StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [], door: stored))
        #expect(story.answer(to: story.connect(ana)) == .invitationEnded)
    }

    @Test("an end that is past already, or more than 366 days ahead, is refused with the bound") func dates() {
        let story = Story.gallery(ana)
        let now = story.wallSeconds
        let latest = now + 31_622_400
        story.say(ana, setting(.open, until: now), setting(.open, until: latest + 1), setting(.open, until: latest))
        #expect(
            story.heard(ana) == [
                .refused(Refusal(frameType: 0x0b, session: .own, code: .dateOutOfRange, limit: now, value: now)),
                .refused(Refusal(frameType: 0x0b, session: .own, code: .dateOutOfRange, limit: latest, value: latest + 1)),
                .door(door(.open, until: latest)),
            ])
    }

    @Test("a door of an unknown kind, or one that is too large, is refused") func malformed() {
        let story = Story.gallery(ana)
        story.say(ana, setting(DoorMode(rawValue: 3)), setting(.locked, sealed: [UInt8](repeating: 1, count: 1_025)))
        #expect(
            story.heard(ana).refusals == [
                Refusal(frameType: 0x0b, session: .own, code: .notPermitted, limit: 2, value: 3),
                Refusal(frameType: 0x0b, session: .own, code: .tooLarge, limit: 1_024, value: 1_025),
            ])
        story.say(ana, setting(.locked, sealed: [UInt8](repeating: 1, count: 1_024)))
        #expect(story.answer(to: story.connect(ben)) == .locked)
    }

    @Test("no more doors wait for the disk than other changes may") func backlog() {
        let story = Story.gallery(ana)
        story.holdsStore = true
        story.say(ana, (0...4_096).map { _ in setting(.locked) })
        #expect(story.heard(ana).refusals == [Refusal(frameType: 0x0b, session: .own, code: .storageFailed, limit: 4_096, value: 4_097)])
    }
}
