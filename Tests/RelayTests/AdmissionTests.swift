// Who is let in, and with what words others are turned away.

import Testing
import Wire

@testable import Relay

@Suite("Admission") struct AdmissionTests {
    @Test("the first participant is welcomed only once the conversation is on the disk") func creation() {
        let story = Story()
        story.holdsStore = true
        let connection = story.connect(ana, create: true)
        #expect(story.heard(connection).isEmpty)
        #expect(story.asked == [.create(tokenDigest: sha256(goodToken))])
        story.answerStore()
        #expect(story.heard(connection).welcome?.created == true)
        #expect(story.heard(connection).welcome?.resumed == false)
        #expect(story.heard(connection).welcome?.incarnation == Story.incarnation)
    }

    @Test("whoever comes while the conversation is being made waits and comes in after its maker") func waiting() {
        let story = Story()
        story.holdsStore = true
        story.connect(ana, create: true)
        let second = story.connect(ben)
        story.answerStore()
        #expect(story.heard(second).welcome?.created == false)
        #expect(story.heard(ana).contains(.entered(session: .own, sequence: 2, participant: ben)))
    }

    @Test("a conversation that cannot be stored turns everyone away and is over") func creationFails() {
        let story = Story()
        story.storeFailure = .full
        let connection = story.connect(ana, create: true)
        #expect(story.closes[connection] == .overloaded)
        #expect(story.isOver)
    }

    @Test("the newcomer gets welcome, position, complete, in this order") func answer() {
        let story = Story()
        story.connect(ana, create: true)
        let frames = story.heard(ana)
        #expect(frames.count == 4)
        #expect(frames[1] == .position(session: .own, sequence: 1, participants: [Attendance(participant: ana, presence: .connected)]))
        #expect(frames[2] == .complete(session: .own, sequence: 1))
        #expect(frames[3] == .stable(session: .own, sequence: 1))
    }

    @Test("position names everyone in the order of their coming, and who is away") func position() {
        let story = Story.gallery(ana, ben)
        story.cut(ana)
        story.connect(cleo)
        let expected = [
            Attendance(participant: ana, presence: .away), Attendance(participant: ben, presence: .connected), Attendance(participant: cleo, presence: .connected),
        ]
        #expect(story.heard(cleo)[1] == .position(session: .own, sequence: 4, participants: expected))
    }

    @Test("another token is not invited") func token() {
        let story = Story.gallery(ana)
        let connection = story.connect(hello(ben, token: [UInt8](repeating: 8, count: 32)))
        #expect(story.closes[connection] == .notInvited)
        #expect(story.conversation.participantCount == 1)
    }

    @Test("nobody takes a participant's place without its secret") func secretIsAsked() {
        let story = Story.gallery(ana)
        let connection = story.connect(hello(ana, incarnation: Story.incarnation, secret: Bytes16(high: 6, low: 6)))
        #expect(story.closes[connection] == .notInvited)
        #expect(story.closes.count == 1)
    }

    @Test("the name that stands for the relay is nobody's") func relayName() {
        let story = Story.gallery(ana)
        #expect(story.answer(to: story.connect(.relay)) == .malformed)
    }

    @Test("the 101st participant finds the conversation full, and one who leaves makes room") func full() {
        let story = Story()
        for number in 0..<100 { story.connect(participant(number), create: true) }
        #expect(story.conversation.participantCount == 100)
        #expect(story.answer(to: story.connect(participant(100))) == .conversationFull)
        story.say(participant(3), .leave)
        #expect(story.connect(participant(101)) == story.connections[participant(101)])
    }

    @Test("a participant who is away still takes a place") func awayCounts() {
        let story = Story()
        for number in 0..<100 { story.connect(participant(number), create: true) }
        story.cut(participant(0))
        #expect(story.answer(to: story.connect(participant(100))) == .conversationFull)
    }

    @Test("a newer connection of a participant replaces the older") func replaced() {
        let story = Story.gallery(ana, ben)
        let older = story.connections[ana]!
        let newer = story.connect(ana, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 3), Hello.Place(session: gallery, sequence: 2)])
        #expect(story.closes[older] == .replaced)
        #expect(story.heard(newer).welcome?.resumed == true)
        story.conversation.lost(older, of: ana)
        story.say(ben, record(0))
        #expect(story.heard(ana).counters == [0])
    }

    @Test("who never got its welcome says hello as the first time and keeps its place") func welcomeLost() {
        let story = Story.gallery(ana, ben)
        story.cut(ben)
        story.forget()
        story.connect(ben)
        #expect(story.heard(ben).welcome?.resumed == false)
        #expect(story.heard(ben).isComplete(.own))
        #expect(story.conversation.participantCount == 2)
        #expect(story.heard(ana).sequences(of: .own).isEmpty)
        #expect(story.heard(ana).contains { if case .exited(gallery, _, ben, .exited) = $0 { true } else { false } })
    }

    @Test("an unknown participant of this incarnation has been away too long") func tooLate() {
        let story = Story.gallery(ana)
        #expect(story.answer(to: story.connect(ben, incarnation: Story.incarnation)) == .cannotResume)
    }
}
