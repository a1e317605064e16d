// The usual mistakes, each made on purpose: noticed once, by the word that the compatibility page explains, and not where there is none.

import GroupActivitiesTesting
import Testing

@testable import GroupActivities

private struct Quiz: GroupActivity {
    static let activityIdentifier = "org.example.quiz"
    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Quiz"
        return metadata
    }
}

private struct Question: Codable, CustomMessageIdentifiable {
    static let messageIdentifier = "question"
    var text: String
}

private struct OldQuestion: Codable, CustomMessageIdentifiable {
    static let messageIdentifier = "question"
    var number: Int
}

/// Configures the session as it is told to, in the loop that it comes from.
@MainActor private final class Player {
    var session: GroupSession<Quiz>?
    var messenger: GroupSessionMessenger?
    var journal: GroupSessionJournal?
    var subscriptions = Set<AnyCancellable>()
    var tasks: [Task<Void, Never>] = []
    var questions: [String] = []

    init(_ configure: @escaping @MainActor (Player, GroupSession<Quiz>) -> Void) {
        tasks.append(
            Task { [weak self] in
                for await session in Quiz.sessions() {
                    guard let self else { return }
                    self.session = session
                    self.messenger = GroupSessionMessenger(session: session)
                    self.journal = GroupSessionJournal(session: session)
                    configure(self, session)
                }
            })
    }

    // A loop over values that never end holds itself, and what it loops over.
    deinit { for task in tasks { task.cancel() } }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct NoticeTests {
    private func quiz(of count: Int = 2, _ configure: @escaping @MainActor (Player, GroupSession<Quiz>) -> Void, _ body: @MainActor (TestConversation, [Player]) async throws -> Void = { _, _ in })
        async throws
    {
        try await withConversation(of: count) { conversation in
            let players = conversation.everybody { Player(configure) }
            try await conversation[0].run { try await Quiz().activate() }
            try await conversation.settle()
            try await body(conversation, players)
        }
    }

    @Test func `state and participants that are observed only after join are noticed once`() async throws {
        try await quiz { player, session in
            session.join()
            session.$state.sink { _ in }.store(in: &player.subscriptions)
            session.$activeParticipants.sink { _ in }.store(in: &player.subscriptions)
        } _: { conversation, _ in
            for participant in conversation.participants { #expect(participant.notices == [.observedAfterJoin]) }
        }
    }

    @Test(arguments: [true, false])
    func `each of the two counts`(isState: Bool) async throws {
        try await quiz { player, session in
            if isState { session.$activeParticipants.sink { _ in }.store(in: &player.subscriptions) } else { session.$state.sink { _ in }.store(in: &player.subscriptions) }
            session.join()
            if isState { session.$state.sink { _ in }.store(in: &player.subscriptions) } else { session.$activeParticipants.map(\.count).sink { _ in }.store(in: &player.subscriptions) }
        } _: { conversation, _ in
            #expect(conversation[0].notices == [.observedAfterJoin])
        }
    }

    @Test func `who observes first, by subscribers or by loops in tasks of their own, is told nothing, and neither is who looks again later`() async throws {
        try await quiz { player, session in
            session.$state.sink { _ in }.store(in: &player.subscriptions)
            player.tasks.append(Task { for await _ in session.$activeParticipants.values {} })
            player.tasks.append(Task { [messenger = player.messenger] in for await _ in messenger!.messages(of: String.self) {} })
            session.join()
            session.$state.sink { _ in }.store(in: &player.subscriptions)
            session.$activity.sink { _ in }.store(in: &player.subscriptions)
        } _: { conversation, players in
            try await conversation[0].run { try await players[0].messenger?.send("hello") }
            try await conversation.settle()
            players[0].session?.$activeParticipants.sink { _ in }.store(in: &players[0].subscriptions)
            for participant in conversation.participants { #expect(participant.notices.isEmpty) }
        }
    }

    @Test func `messages that nobody had asked for when they came are noticed when somebody asks`() async throws {
        try await quiz { _, session in
            session.join()
        } _: { conversation, players in
            try await conversation[0].run { try await players[0].messenger?.send("hello") }
            try await conversation.settle()
            #expect(conversation[1].notices.isEmpty)
            players[1].tasks.append(Task { [messenger = players[1].messenger] in for await _ in messenger!.messages(of: String.self) {} })
            try await conversation.settle()
            #expect(conversation[1].notices == [.observedAfterJoin])
        }
    }

    @Test func `a snapshot that goes out unreliably is noticed`() async throws {
        try await quiz { _, session in
            session.join()
        } _: { conversation, players in
            let session = try #require(players[0].session)
            let other = try #require(session.activeParticipants.first { $0 != session.localParticipant })
            let messenger = conversation[0].make { GroupSessionMessenger(session: session, deliveryMode: .unreliable) }
            try await conversation[0].run { try await messenger.send("cursor") }
            #expect(!conversation[0].notices.contains(.unreliableState))
            try await conversation[0].run { try await messenger.send("snapshot", to: .only(other)) }
            try await conversation[0].run { try await messenger.send("snapshot", to: .only(other)) }
            #expect(conversation[0].notices.filter { $0 == .unreliableState }.count == 1)
        }
    }

    @Test func `an own attachment that is loaded is noticed, another's is not`() async throws {
        try await quiz { _, session in
            session.join()
        } _: { conversation, players in
            let added = try await conversation[0].run { try await players[0].journal?.add(Data([1, 2, 3])) }
            try await conversation.settle()
            let journal = try #require(players[1].journal)
            var lists = journal.attachments.makeAsyncIterator()
            let seen = try #require(await lists.next()?.first)
            #expect(try await conversation[1].run { try await seen.load(Data.self) } == Data([1, 2, 3]))
            #expect(conversation[1].notices.isEmpty)
            #expect(try await conversation[0].run { try await added?.load(Data.self) } == Data([1, 2, 3]))
            #expect(conversation[0].notices == [.ownAttachmentLoaded])
        }
    }

    @Test func `a message that is of another shape than its name says is left out and noticed`() async throws {
        try await quiz { _, session in
            session.join()
        } _: { conversation, players in
            let messenger = try #require(players[1].messenger)
            players[1].tasks.append(conversation[1].make { Task { for await (question, _) in messenger.messages(of: Question.self) { players[1].questions.append(question.text) } } })
            try await conversation[0].run {
                try await players[0].messenger?.send(OldQuestion(number: 1))
                try await players[0].messenger?.send(Question(text: "why"))
            }
            try await conversation.settle()
            #expect(players[1].questions == ["why"] && conversation[1].notices == [.undecodableMessage])
        }
    }

    @Test func `what runs outside every participant of a test is noticed, and in no conversation`() async throws {
        try await quiz { _, session in
            session.join()
        } _: { _, _ in
            let result = await Task.detached { await Quiz().prepareForActivation() }.value
            #expect(result == .activationDisabled)
            #expect(ConversationProvider.process.notices.all == [.detachedFromParticipant])
        }
    }
}
