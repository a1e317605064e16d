// Code as apps have it that are built in language mode 5: classes without isolation, closures that capture what they like, generic helpers.

import GroupActivities
import GroupActivitiesTesting
import Testing

struct PuzzleActivity: GroupActivity {
    static var activityIdentifier = "org.example.puzzle"
    var metadata: GroupActivityMetadata
    var level: Int

    init(level: Int) {
        self.level = level
        metadata = GroupActivityMetadata()
        metadata.title = "Puzzle \(level)"
        metadata.type = .playTogether
    }
}

struct Turn: Codable {
    var piece: Int
    var by: UUID
}

/// An app's own conformances.
extension GroupSession: Hashable {
    public static func == (left: GroupSession, right: GroupSession) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Task: Cancellable {}

class Coordinator<Activity: GroupActivity> {
    var session: GroupSession<Activity>?
    var onSession: (GroupSession<Activity>) -> Void = { _ in }
    var cancellables = Set<AnyCancellable>()

    func listen() {
        Task {
            for await session in Activity.sessions() {
                self.session = session
                self.onSession(session)
                session.$state.filter { $0 != .waiting }.map { $0 == .joined }.removeDuplicates().sink { _ in }.store(in: &self.cancellables)
                session.join()
            }
        }.store(in: &cancellables)
    }
}

class PuzzleGame {
    let coordinator = Coordinator<PuzzleActivity>()
    var messenger: GroupSessionMessenger?
    var turns: [Turn] = []
    var host: Participant?
    var errors: [Error] = []
    private var loops = Set<AnyCancellable>()

    init() {
        coordinator.onSession = { [weak self] session in self?.begin(session) }
        coordinator.listen()
    }

    private func begin(_ session: GroupSession<PuzzleActivity>) {
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        Task { for await (turn, _) in messenger.messages(of: Turn.self) { self.turns.append(turn) } }.store(in: &loops)
        Task {
            for await participants in session.$activeParticipants.values {
                // Everybody finds the same host without a word.
                self.host = participants.min { $0.id.uuidString < $1.id.uuidString }
            }
        }.store(in: &loops)
        // A published property has no last value: who loops over it has to end the loop.
        session.$state.sink { [weak self] state in if case .invalidated = state { self?.loops = [] } }.store(in: &loops)
    }

    func play(_ piece: Int) {
        guard let session = coordinator.session else { return }
        messenger?.send(Turn(piece: piece, by: session.localParticipant.id)) { error in
            if let error { self.errors.append(error) }
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct OlderStyleTests {
    @Test func `an app in language mode 5 works as it is`() async throws {
        try await withConversation(of: 3) { conversation in
            let games = conversation.everybody { PuzzleGame() }
            try await conversation[0].run { _ = try await PuzzleActivity(level: 4).activate() }
            try await conversation.settle()
            games[1].play(7)
            try await conversation.settle()
            #expect(games.map { $0.turns.map(\.piece) } == [[7], [], [7]])
            #expect(games[0].turns.first?.by == games[1].coordinator.session?.localParticipant.id)
            #expect(Set(games.map(\.host)).count == 1 && games[0].host != nil)
            #expect(games[2].coordinator.session?.activity.level == 4 && games[2].coordinator.session?.activity.metadata.title == "Puzzle 4")
            #expect(Set(games.compactMap(\.coordinator.session)).count == 3 && games.allSatisfy { $0.errors.isEmpty })
        }
    }
}
