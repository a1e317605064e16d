// How sessions begin and end, and what a device is told of usual mistakes.

import GroupActivities
import GroupActivitiesTesting
import Testing

private struct Lesson: GroupActivity {
    static let activityIdentifier = "org.example.lesson"
    var topic = ""
    var endsWithTeacher = false

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        if topic != "untitled" { metadata.title = topic }
        metadata.type = .learnTogether
        if endsWithTeacher { metadata.lifetimePolicy = .endsWhenInitiatorLeaves }
        return metadata
    }
}

/// Keeps what it is given and joins when told to.
@MainActor private final class Pupil {
    var sessions: [GroupSession<Lesson>] = []
    private var loop: Task<Void, Never>?

    init(joins: Bool = true) {
        loop = Task { [weak self] in
            for await session in Lesson.sessions() {
                self?.sessions.append(session)
                if joins { session.join() }
            }
        }
    }

    func stop() { loop?.cancel() }
}

/// Calls what is deprecated without a warning.
private protocol OlderPosting {
    func post(_ description: String, in session: GroupSession<Lesson>)
}

private struct OlderEvents: OlderPosting {
    @available(*, deprecated)
    func post(_ description: String, in session: GroupSession<Lesson>) {
        let event = GroupSession<Lesson>.Event(originator: session.localParticipant, localizedDescription: description)
        #expect(event.originator == session.localParticipant)
        session.postEvent(event)
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct LifeTests {
    private func lesson(of count: Int, _ lesson: Lesson = Lesson(topic: "Tides"), joins: Bool = true, _ body: @MainActor (TestConversation, [Pupil]) async throws -> Void) async throws {
        try await withConversation(of: count) { conversation in
            let pupils = conversation.everybody { Pupil(joins: joins) }
            try await conversation[0].run { try await lesson.activate() }
            try await conversation.settle()
            try await body(conversation, pupils)
        }
    }

    @Test func `a lesson that ends with its teacher ends when the teacher leaves it`() async throws {
        try await lesson(of: 3, Lesson(topic: "Tides", endsWithTeacher: true)) { conversation, pupils in
            pupils[1].sessions[0].leave()
            try await conversation.settle()
            #expect(pupils[2].sessions[0].state == .joined && pupils[0].sessions[0].state == .joined)
            pupils[0].sessions[0].leave()
            try await conversation.settle()
            for pupil in pupils { #expect(pupil.sessions.count == 1 && pupil.sessions[0].state == .invalidated(reason: HearthError(.ended))) }
        }
    }

    @Test func `a lesson that ends with its teacher ends when the teacher hangs up`() async throws {
        try await lesson(of: 3, Lesson(topic: "Tides", endsWithTeacher: true)) { conversation, pupils in
            await conversation[0].leave()
            try await conversation.settle()
            #expect(pupils[1].sessions[0].state == .invalidated(reason: HearthError(.ended)) && pupils[2].sessions[0].state == .invalidated(reason: HearthError(.ended)))
        }
    }

    @Test func `other lessons go on without whoever began them, until the last has left`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            pupils[0].sessions[0].leave()
            try await conversation.settle()
            #expect(pupils[1].sessions[0].state == .joined)
            pupils[1].sessions[0].leave()
            try await conversation.settle()
            let late = try await conversation.join()
            let pupil = late.make { Pupil() }
            try await conversation.settle()
            #expect(pupil.sessions.isEmpty)
        }
    }

    @Test func `the reason says why it is over`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            @MainActor func code(_ pupil: Pupil) -> HearthError.Code? {
                guard case .invalidated(let reason) = pupil.sessions[0].state else { return nil }
                return (reason as? HearthError)?.code
            }
            pupils[0].sessions[0].leave()
            try await conversation.settle()
            #expect(code(pupils[0]) == .left && code(pupils[1]) == nil)
            await conversation[1].leave()
            try await conversation.settle()
            #expect(code(pupils[1]) == .left)
        }
    }

    @Test func `two loops see the same session, and one that begins later sees it too`() async throws {
        try await withConversation(of: 1) { conversation in
            let (one, other) = conversation[0].make { (Pupil(), Pupil(joins: false)) }
            try await conversation[0].run { try await Lesson(topic: "Tides").activate() }
            try await conversation.settle()
            let later = conversation[0].make { Pupil(joins: false) }
            try await conversation.settle()
            #expect(one.sessions.count == 1 && other.sessions.count == 1 && later.sessions.count == 1)
            #expect(one.sessions[0] === other.sessions[0] && one.sessions[0] === later.sessions[0])
        }
    }

    @Test func `somebody without a connection for a while comes back into the same session`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            conversation[1].goAway()
            await conversation.advance(by: .seconds(20))
            #expect(pupils[0].sessions[0].activeParticipants.count == 2)
            await conversation[1].comeBack()
            try await conversation.settle()
            #expect(pupils[1].sessions.count == 1 && pupils[1].sessions[0].state == .joined)
        }
    }

    @Test func `somebody away for longer than the relay waits is no longer there`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            conversation[1].goAway()
            await conversation.advance(by: .seconds(120))
            #expect(pupils[0].sessions[0].activeParticipants.count == 1)
        }
    }

    @Test func `notices are for this device, and the presenter shows them`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            let session = pupils[0].sessions[0]
            let other = try #require(session.activeParticipants.first { $0 != session.localParticipant })
            session.showNotice(GroupSessionEvent(originator: other, action: .skip(item: "Waves"), url: nil))
            session.showNotice(GroupSessionEvent(originator: other, action: .updatedQueue(.added(.song("Storm"))), url: nil))
            session.requestForegroundPresentation()
            #expect(conversation[0].presenter.notices == ["Ben skipped Waves", "Ben added Storm"])
            #expect(conversation[0].presenter.foregroundRequestCount == 1 && conversation[1].presenter.notices.isEmpty)
            #expect(other.isNearbyWithLocalParticipant == false && session.localParticipant.isNearbyWithLocalParticipant)
            #expect(session.sceneSessionIdentifier == nil && session.description.contains("\(session.id)"))
            #expect(await session.systemCoordinator == nil)
        }
    }

    @Test func `each action of a notice has words of its own, and its event keeps who, what and where`() async throws {
        try await lesson(of: 2) { conversation, pupils in
            typealias Action = GroupSessionEvent.Action
            let session = pupils[0].sessions[0]
            let other = try #require(session.activeParticipants.first { $0 != session.localParticipant })
            let next: Action.QueueChange = .setUpNext(Action.QueueChange.Item.container("Tides"))
            let actions: [Action] = [.play, .pause, .seek, .skip(item: "Waves"), .updatedQueue, .updatedQueue(next), .updatedQueue(.added(.song("Storm")))]
            let url = URL(string: "https://example.org/storm")
            for action in actions {
                let event = GroupSessionEvent(originator: other, action: action, url: url)
                #expect(event.originator == other && event.url == url)
                session.showNotice(GroupSessionEvent(originator: event.originator, action: event.action, url: event.url))
            }
            let words = ["started playing", "paused", "moved to another place", "skipped Waves", "changed the queue", "put Tides next", "added Storm"]
            #expect(conversation[0].presenter.notices == words.map { "Ben \($0)" })
        }
    }

    @Test func `an older event is shown by its own description`() async throws {
        try await lesson(of: 1) { conversation, pupils in
            (OlderEvents() as any OlderPosting).post("Ana paused", in: pupils[0].sessions[0])
            #expect(conversation[0].presenter.notices == ["Ana paused"])
        }
    }

    @Test func `usual mistakes are told once each`() async throws {
        try await lesson(of: 2, Lesson(topic: "untitled"), joins: false) { conversation, pupils in
            #expect(conversation[0].notices == [.noTitle])
            await conversation.advance(by: .seconds(11))
            #expect(conversation[1].notices == [.sessionNeverJoined])
            let session = pupils[1].sessions[0]
            conversation[1].make {
                session.activity = Lesson(topic: "before join")
                session.join()
                session.join()
                _ = GroupSessionMessenger(session: session)
                _ = GroupSessionJournal(session: session)
            }
            try await conversation.settle()
            #expect(conversation[1].notices == [.sessionNeverJoined, .activityOutsideSession, .joinedTwice, .madeAfterJoin])
            session.activity = Lesson(topic: String(repeating: "x", count: 20_000))
            session.leave()
            session.leave()
            #expect(conversation[1].notices.suffix(2) == [.largeActivity, .workAfterInvalidation])
        }
    }

    @Test func `a newcomer who gets no message of their own is noticed`() async throws {
        try await lesson(of: 1, joins: true) { conversation, pupils in
            let messenger = GroupSessionMessenger(session: pupils[0].sessions[0])
            try await conversation[0].run { try await messenger.send("to nobody yet") }
            let late = try await conversation.join()
            let pupil = late.make { Pupil() }
            try await conversation.settle()
            await conversation.advance(by: .seconds(11))
            #expect(pupil.sessions.count == 1)
            #expect(conversation[0].notices.contains(.newcomerWithoutSnapshot))
        }
    }

    @Test func `an activity that is too large is refused by name and numbers`() async throws {
        try await withConversation(of: 1) { conversation in
            let error = await #expect(throws: HearthError.self) {
                try await conversation[0].run { try await Lesson(topic: String(repeating: "x", count: 70_000)).activate() }
            }
            #expect(error?.code == .entryTooLarge && error?.limit != nil && error?.value != nil)
        }
    }

    @Test func `a test that fails tells the story`() async throws {
        let failure = await #expect(throws: ConversationTestFailure.self) {
            try await withConversation(of: 2, seed: 7) { conversation in try conversation.check("pigs fly", false) }
        }
        #expect(failure?.description.contains("pigs fly") == true && failure?.description.contains("seed 7") == true)
        #expect(failure?.story.contains("Ben sends hello") == true)
    }
}
