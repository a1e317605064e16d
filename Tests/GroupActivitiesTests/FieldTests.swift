// What apps in the field were seen to rely on while running: letting go inside a sink, loops that end by themselves, numbers that are none.

import AVFoundation
import GroupActivities
import GroupActivitiesTesting
import Testing

private struct Board: GroupActivity, Equatable {
    static let activityIdentifier = "org.example.board"
    var widthMetres = Double.infinity

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Board"
        return metadata
    }
}

private protocol Card: Codable {
    var title: String { get }
}
private struct Note: Card { var title: String }
private struct Photo: Card { var title: String }

private struct Progress: Codable {
    var positionSeconds: Double
    var durationSeconds: Float
}

/// Everything is let go of in the sink that hears of the end, that sink's own subscription included.
@MainActor private final class Whiteboard: ObservableObject {
    @Published var session: GroupSession<Board>?
    @Published var count = 0
    var messenger: GroupSessionMessenger?
    var notes: [String] = []
    var progress: [Progress] = []
    var loops: [Task<Void, Never>] = []
    var leavesWhenFull = false
    private var subscriptions = Set<AnyCancellable>()
    private var listening: Task<Void, Never>?

    init() {
        listening = Task { [weak self] in
            for await session in Board.sessions() { self?.begin(session) }
        }
    }

    func begin(_ session: GroupSession<Board>) {
        self.session = session
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        session.$state.sink { state in
            if case .invalidated = state {
                self.session = nil
                self.messenger = nil
                self.subscriptions.removeAll()
            }
        }.store(in: &subscriptions)
        session.$activeParticipants.sink { participants in
            self.count = participants.count
            if self.leavesWhenFull, participants.count > 2 { self.session?.leave() }
        }.store(in: &subscriptions)
        loops = [
            Task { for await (note, _) in messenger.messages(of: Note.self) { self.notes.append(note.title) } },
            Task { for await (progress, _) in messenger.messages(of: Progress.self) { self.progress.append(progress) } },
            Task { for await state in session.$state.values { if case .invalidated = state { return } } },
        ]
        session.join()
    }

    func post(_ card: any Card) async throws { try await messenger?.send(card) }

    /// The closures belong to the main actor, as everything here does: called elsewhere, they would stop the program.
    func post(_ card: Note, to participants: Participants = .all, _ done: @escaping @MainActor ((any Error)?) -> Void) {
        messenger?.send(card, to: participants) { error in MainActor.assumeIsolated { done(error) } }
    }
    func stop() { listening?.cancel() }
}

/// An app that keeps its session in an actor.
private actor Desk {
    private var session: GroupSession<Board>?
    private var messenger: GroupSessionMessenger?
    private var bag = Set<AnyCancellable>()
    private var loops: [Task<Void, Never>] = []
    private(set) var states: [GroupSession<Board>.State] = []
    private(set) var heard: [String] = []

    func listen() async {
        for await session in Board.sessions() {
            self.session = session
            let messenger = GroupSessionMessenger(session: session)
            self.messenger = messenger
            let (stream, continuation) = AsyncStream.makeStream(of: GroupSession<Board>.State.self)
            session.$state.sink { continuation.yield($0) }.store(in: &bag)
            loops.append(Task { for await state in stream { self.states.append(state) } })
            loops.append(Task { for await (text, _) in messenger.messages(of: String.self) { self.heard.append(text) } })
            session.join()
        }
    }

    func say(_ text: String) async throws { try await messenger?.send(text) }

    /// Its loops hold it, and never end by themselves.
    func close() { for loop in loops { loop.cancel() } }
}

/// As delegates of the main actor are written: a call from anywhere else would stop the program.
@MainActor private final class Film: NSObject {
    let player = AVPlayer()
    var title = "Metropolis"
}

extension Film: AVPlayerPlaybackCoordinatorDelegate {
    nonisolated func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, identifierFor playerItem: AVPlayerItem) -> String {
        MainActor.assumeIsolated { title }
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct FieldTests {
    private func boards(of count: Int, _ board: Board = Board(), _ body: @MainActor (TestConversation, [Whiteboard]) async throws -> Void) async throws {
        try await withConversation(of: count) { conversation in
            let boards = conversation.everybody { Whiteboard() }
            try await conversation[0].run { try await board.activate() }
            try await conversation.settle()
            try await body(conversation, boards)
        }
    }

    @Test func `what an app lets go of inside a sink is let go of, and its loops end by themselves`() async throws {
        weak var gone: Whiteboard?
        try await boards(of: 2) { conversation, boards in
            boards[0].session?.end()
            try await conversation.settle()
            for board in boards {
                #expect(board.session == nil && board.messenger == nil)
                // None of them was cancelled.
                for loop in board.loops { await loop.value }
                board.loops = []
                board.stop()
            }
            gone = boards[1]
        }
        #expect(gone == nil)
    }

    @Test func `one may leave from inside a sink, and the others go on`() async throws {
        try await boards(of: 2) { conversation, boards in
            boards[1].leavesWhenFull = true
            let late = try await conversation.join()
            let third = late.make { Whiteboard() }
            try await conversation.settle()
            #expect(boards[1].session == nil)
            #expect(third.count == 2 && boards[0].count == 2)
            try await boards[0].post(Note(title: "still here"))
            try await conversation.settle()
            #expect(third.notes == ["still here"])
        }
    }

    @Test func `numbers that JSON has no word for arrive as they are, in messages and activities`() async throws {
        try await boards(of: 2, Board(widthMetres: -.infinity)) { conversation, boards in
            try await boards[0].messenger?.send(Progress(positionSeconds: .nan, durationSeconds: .infinity))
            try await conversation.settle()
            #expect(boards[1].progress.first?.positionSeconds.isNaN == true && boards[1].progress.first?.durationSeconds == .infinity)
            #expect(boards[1].session?.activity.widthMetres == -.infinity)
            boards[1].session?.activity = Board(widthMetres: .infinity)
            try await conversation.settle()
            #expect(boards[0].session?.activity.widthMetres == .infinity)
        }
    }

    @Test func `a message that is sent as any of a protocol comes as what it is`() async throws {
        try await boards(of: 2) { conversation, boards in
            for card in [Note(title: "a"), Photo(title: "b"), Note(title: "c")] as [any Card] { try await boards[0].post(card) }
            try await conversation.settle()
            #expect(boards[1].notes == ["a", "c"])
        }
    }

    @Test func `completions come on the main queue, in order, whether sending worked or not`() async throws {
        try await boards(of: 2) { conversation, boards in
            var outcomes: [String] = []
            for size in [1, 300_000, 2] {
                boards[0].post(Note(title: String(repeating: "x", count: size))) { error in outcomes.append((error as? HearthError)?.code.rawValue ?? "\(size)") }
            }
            boards[0].post(Note(title: "nobody"), to: .only([])) { _ in outcomes.append("nobody") }
            #expect(outcomes.isEmpty)
            try await conversation.settle()
            #expect(Set(outcomes) == ["1", "message-too-large", "2", "nobody"])
            #expect(outcomes.filter { $0.count == 1 } == ["1", "2"])
        }
    }

    @Test func `apps space their messages out by the clock on the wall`() {
        let (before, now, after) = (Date().timeIntervalSinceReferenceDate, CFAbsoluteTimeGetCurrent(), Date().timeIntervalSinceReferenceDate)
        let sentAt: CFAbsoluteTime = now
        #expect(before <= sentAt && sentAt <= after)
    }

    @Test func `an actor may keep a session`() async throws {
        try await withConversation(of: 2) { conversation in
            let desks = conversation.everybody { Desk() }
            let loops = zip(conversation.participants, desks).map { participant, desk in participant.make { Task { await desk.listen() } } }
            try await conversation[0].run { try await Board().activate() }
            try await conversation.settle()
            try await desks[0].say("hello")
            try await conversation.settle()
            #expect(await desks[1].heard == ["hello"])
            #expect(await desks[1].states == [.waiting, .joined])
            for loop in loops { loop.cancel() }
            for desk in desks { await desk.close() }
        }
    }

    @Test func `a player's delegate of the main actor is called there`() async throws {
        try await boards(of: 2) { conversation, boards in
            let films = conversation.everybody { Film() }
            for (board, film) in zip(boards, films) {
                film.player.playbackCoordinator.delegate = film
                film.player.replaceCurrentItem(with: AVPlayerItem(url: try #require(URL(string: "https://example.org/\(UUID()).mp4"))))
                film.player.playbackCoordinator.coordinateWithSession(try #require(board.session))
            }
            try await conversation.settle()
            films[0].player.play()
            try await conversation.eventually("the other plays too") { films[1].player.rate == 1 }
        }
    }

    @Test func `eligibility goes on being told where only its publisher is kept`() async throws {
        try await withConversation(of: 1) { conversation in
            nonisolated(unsafe) var told: [Bool] = []
            let subscription = conversation[0].make { GroupStateObserver().$isEligibleForGroupSession.sink { told.append($0) } }
            try await conversation.settle()
            #expect(told == [false, true])
            await conversation[0].leave()
            #expect(told == [false, true, false])
            subscription.cancel()
        }
    }
}
