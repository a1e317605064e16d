// Coming into the middle, coming back, and sending while nobody can be reached: what an app may count on.

import GroupActivities
import GroupActivitiesTesting
import Testing

private struct Counting: GroupActivity {
    static let activityIdentifier = "org.example.counting"
    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Counting"
        return metadata
    }
}

/// One type for both, since two types are two sequences, and nothing is promised of the order between them.
private enum Word: Codable, Sendable {
    case change(Int)
    case snapshot(Int)

    /// A snapshot is told apart by being negative or 0.
    var number: Int {
        switch self {
        case .change(let number): number
        case .snapshot(let number): -number
        }
    }
}

/// An app that hears numbers one after the other and asks nobody for anything.
@MainActor private final class Counter {
    var session: GroupSession<Counting>?
    var messenger: GroupSessionMessenger?
    var states: [String] = []
    var reasons: [HearthError.Code?] = []
    /// Every change, in order; a snapshot as what it says, negative.
    var heard: [Int] = []
    var changes: [Int] { heard.filter { $0 > 0 } }
    private var tasks: [Task<Void, Never>] = []
    private var subscriptions = Set<AnyCancellable>()
    /// Whom a snapshot was sent.
    private var known: Set<Participant> = []
    private var isTelling = false
    var last = 0

    init(tells: Bool = false) {
        isTelling = tells
        tasks.append(
            Task { [weak self] in
                for await session in Counting.sessions() { self?.configure(session) }
            })
    }

    private func configure(_ session: GroupSession<Counting>) {
        self.session = session
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        session.$state.sink { [weak self] state in
            self?.states.append(name(of: state))
            if case .invalidated(let reason) = state { self?.reasons.append((reason as? HearthError)?.code) }
        }.store(in: &subscriptions)
        tasks.append(
            Task { [weak self] in
                for await (word, _) in messenger.messages(of: Word.self) { self?.heard.append(word.number) }
            })
        session.$activeParticipants.sink { [weak self] active in
            guard let self, isTelling else { return }
            let newcomers = active.subtracting(known).subtracting([session.localParticipant])
            known = active
            if !newcomers.isEmpty { messenger.send(Word.snapshot(last), to: .only(newcomers)) { _ in } }
        }.store(in: &subscriptions)
        session.join()
    }

    func change() {
        last += 1
        messenger?.send(Word.change(last)) { _ in }
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct ComingBackTests {
    private static let network = NetworkConditions(delay: .milliseconds(20)...(.milliseconds(200)), cutLikelihood: 0.01)

    /// The first of them tells everybody who comes how far it is.
    private func counting(of count: Int, seed: UInt64 = 1, _ body: @MainActor (TestConversation, [Counter]) async throws -> Void) async throws {
        try await withConversation(of: count, seed: seed, network: Self.network) { conversation in
            let counters = conversation.participants.enumerated().map { index, participant in participant.make { Counter(tells: index == 0) } }
            try await conversation[0].run { _ = try await Counting().activate() }
            try await conversation.settle()
            try await body(conversation, counters)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `who comes into a stream of changes has each of them once, in the snapshot or after it`(seed: UInt64) async throws {
        try await counting(of: 2, seed: seed) { conversation, counters in
            let late = try await conversation.join()
            let counter = late.make { Counter() }
            @MainActor func change(_ count: Int) async {
                for _ in 0..<count {
                    counters[0].change()
                    await conversation.advance(by: .milliseconds(20))
                }
            }
            while !counter.heard.contains(where: { $0 <= 0 }), counters[0].last < 5_000 { await change(1) }
            await change(60)
            try await conversation.settle()
            let last = counters[0].last
            #expect(counters[1].changes == Array(1...last))
            let snapshot = try #require(counter.heard.lastIndex { $0 <= 0 })
            let told = -counter.heard[snapshot]
            // What came before the snapshot is in it.
            #expect(counter.heard[..<snapshot].allSatisfy { $0 <= told })
            #expect((1..<last).contains(told) && Array(counter.heard[(snapshot + 1)...]) == Array((told + 1)..<(last + 1)))
        }
    }

    @Test func `who was without a network for 45 s hears no older value after a newer one, ends on the last, and has left nothing`() async throws {
        try await counting(of: 3) { conversation, counters in
            counters[0].change()
            try await conversation.settle()
            conversation[1].goAway()
            for _ in 0..<20 {
                counters[0].change()
                await conversation.advance(by: .milliseconds(2_250))
            }
            #expect(counters[1].changes == [1])
            await conversation[1].comeBack()
            try await conversation.settle()
            for counter in counters[1...] {
                #expect(counter.changes == Array(1...21))
                #expect(counter.states == ["waiting", "joined"])
            }
            for counter in counters { #expect(counter.session?.activeParticipants.count == 3) }
        }
    }

    @Test(arguments: [false, true])
    func `who was away for longer than its place is kept is told, and hears none of the rest as if that were all`(relayRestarts: Bool) async throws {
        try await counting(of: 2) { conversation, counters in
            counters[0].change()
            try await conversation.settle()
            conversation[1].goAway()
            for _ in 0..<150 {
                counters[0].change()
                await conversation.advance(by: .seconds(1))
            }
            if relayRestarts { try await conversation.network.crashRelay() }
            counters[0].change()
            await conversation[1].comeBack()
            try await conversation.settle()
            #expect(counters[1].changes == [1])
            #expect(counters[0].states == ["waiting", "joined"])
            // A restart gives nobody a place back that was given up before it.
            #expect(counters[1].states == ["waiting", "joined", "invalidated"] && counters[1].reasons == [.conversationClosed])
            #expect(counters[0].session?.activeParticipants.count == 1)
        }
    }

    @Test func `of ten messages sent while the connection is exchanged each call ends and each arrives once`() async throws {
        try await counting(of: 2) { conversation, counters in
            let messenger = try #require(counters[0].messenger)
            var ends: [Bool] = []
            for number in 1...10 {
                messenger.send(Word.change(number)) { ends.append($0 == nil) }
                if number % 3 == 2 { conversation[0].cut() }
            }
            try await conversation.settle()
            #expect(ends == Array(repeating: true, count: 10))
            #expect(counters[1].changes == Array(1...10))
        }
    }

    @Test func `whoever waits for a place when the conversation is over is told so`() async throws {
        try await counting(of: 2) { conversation, counters in
            let messenger = try #require(counters[1].messenger)
            conversation[1].goAway()
            var errors: [HearthError.Code?] = []
            for number in 1...10 { messenger.send(Word.change(number)) { errors.append(($0 as? HearthError)?.code) } }
            await conversation.advance(by: .seconds(120))
            await conversation[1].comeBack()
            try await conversation.settle()
            #expect(errors.count == 10 && errors.allSatisfy { $0 != nil })
            #expect(counters[0].heard.allSatisfy { $0 <= 0 })
        }
    }
}
