// Messages of several kinds, to some or to all, whole or refused.

import GroupActivities
import GroupActivitiesTesting
import Testing

private struct Board: GroupActivity {
    static let activityIdentifier = "org.example.board"
    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Board"
        return metadata
    }
}

private struct Move: Codable, Equatable {
    var square: Int
}

private struct Cursor: Codable, CustomMessageIdentifiable {
    static let messageIdentifier = "cursor.v2"
    var x: Int
}

private struct RenamedCursor: Codable, CustomMessageIdentifiable {
    static let messageIdentifier = "cursor.v2"
    var x: Int
}

/// A device whose app has joined and done nothing else.
@MainActor private final class Seat {
    var session: GroupSession<Board>?
    var reliable: GroupSessionMessenger?
    var unreliable: GroupSessionMessenger?
    private var loop: Task<Void, Never>?

    init(joins: Bool = true) {
        loop = Task { [weak self] in
            for await session in Board.sessions() {
                self?.session = session
                self?.reliable = GroupSessionMessenger(session: session)
                self?.unreliable = GroupSessionMessenger(session: session, deliveryMode: .unreliable)
                if joins { session.join() }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct MessengerTests {
    private func table(of count: Int, network: NetworkConditions = .ideal, _ body: @MainActor (TestConversation, [Seat]) async throws -> Void) async throws {
        try await withConversation(of: count, network: network) { conversation in
            let seats = conversation.everybody { Seat() }
            try await conversation[0].run { try await Board().activate() }
            try await conversation.settle()
            try await body(conversation, seats)
        }
    }

    private func collect<Message: Codable & Sendable>(_ type: Message.Type, _ messenger: GroupSessionMessenger?) -> Box<Message> {
        let box = Box<Message>()
        guard let messenger else { return box }
        box.task = Task { for await (message, context) in messenger.messages(of: type) { box.all.append((message, context.source)) } }
        return box
    }

    @MainActor private final class Box<Message> {
        var all: [(Message, Participant)] = []
        var task: Task<Void, Never>?
        var values: [Message] { all.map(\.0) }
    }

    @Test func `each type is a sequence of its own, by its name or by the name that it gives itself`() async throws {
        try await table(of: 2) { conversation, seats in
            try await conversation[0].run {
                try await seats[0].reliable?.send(Move(square: 1))
                try await seats[0].reliable?.send(Cursor(x: 2))
                try await seats[0].reliable?.send(Data([3]))
                try await seats[0].reliable?.send("four")
                try await seats[0].reliable?.send([5, 6])
            }
            // Nobody has asked for them until now.
            try await conversation.settle()
            let moves = collect(Move.self, seats[1].reliable)
            let cursors = collect(RenamedCursor.self, seats[1].reliable)
            let numbers = collect([Int].self, seats[1].reliable)
            let texts = collect(String.self, seats[1].reliable)
            let bytes = Box<Data>()
            let messenger = try #require(seats[1].reliable)
            bytes.task = Task { for await (data, context) in messenger.messages(of: Data.self) { bytes.all.append((data, context.source)) } }
            try await conversation.settle()
            #expect(moves.values == [Move(square: 1)] && cursors.values.map(\.x) == [2] && bytes.values == [Data([3])] && texts.values == ["four"] && numbers.values == [[5, 6]])
        }
    }

    @Test func `two loops over one type each get every message`() async throws {
        try await table(of: 2) { conversation, seats in
            let one = collect(Int.self, seats[1].reliable)
            let other = collect(Int.self, seats[1].reliable)
            try await conversation.settle()
            try await conversation[0].run { for number in 0..<20 { try await seats[0].reliable?.send(number) } }
            try await conversation.settle()
            #expect(one.values == Array(0..<20) && other.values == Array(0..<20))
        }
    }

    @Test func `a message for one is for that one, for a set for those, and for nobody for nobody`() async throws {
        try await table(of: 4) { conversation, seats in
            let boxes = seats.map { collect(String.self, $0.reliable) }
            let people = try seats.map { try #require($0.session?.localParticipant) }
            try await conversation[0].run {
                try await seats[0].reliable?.send("Ben", to: .only(people[1]))
                try await seats[0].reliable?.send("Cleo and Dan", to: .only([people[2], people[3]]))
                try await seats[0].reliable?.send("nobody", to: .only([]))
                try await seats[0].reliable?.send("oneself", to: .only(people[0]))
                try await seats[0].reliable?.send("all", to: .all)
            }
            try await conversation.settle()
            #expect(boxes.map(\.values) == [[], ["Ben", "all"], ["Cleo and Dan", "all"], ["Cleo and Dan", "all"]])
        }
    }

    @Test func `what is sent between join and joined waits and goes out by itself`() async throws {
        try await withConversation(of: 2) { conversation in
            let seats = [conversation[0].make { Seat() }, conversation[1].make { Seat(joins: false) }]
            try await conversation[0].run { try await Board().activate() }
            try await conversation.settle()
            let box = collect(String.self, seats[0].reliable)
            let bytes = collect(Int.self, seats[0].unreliable)
            let session = try #require(seats[1].session)
            var outcomes: [String] = []
            conversation[1].make {
                seats[1].reliable?.send("before join") { outcomes.append($0 == nil ? "sent" : "failed") }
                session.join()
                #expect(session.state == .waiting)
                seats[1].reliable?.send("before joined") { outcomes.append($0 == nil ? "sent" : "failed") }
                seats[1].unreliable?.send(7) { _ in }
            }
            try await conversation.settle()
            #expect(box.values == ["before join", "before joined"] && bytes.values == [7] && outcomes == ["sent", "sent"])
        }
    }

    @Test func `completions come with nil, and calls keep their order`() async throws {
        try await table(of: 2) { conversation, seats in
            let box = collect(Int.self, seats[1].reliable)
            var errors: [(any Error)?] = []
            for number in 0..<200 { seats[0].reliable?.send(number) { error in errors.append(error) } }
            try await conversation.settle()
            #expect(box.values == Array(0..<200))
            #expect(errors.count == 200 && errors.allSatisfy { $0 == nil })
        }
    }

    @Test func `a message of more than 256 KiB is refused by name and numbers, one of 256 KiB arrives`() async throws {
        try await table(of: 2) { conversation, seats in
            let messenger = try #require(seats[0].reliable)
            let error = await #expect(throws: HearthError.self) { try await messenger.send(Data(count: 262_145)) }
            #expect(error == HearthError(.messageTooLarge, limit: 262_144, value: 262_145))
            let other = await #expect(throws: HearthError.self) { try await messenger.send(String(repeating: "x", count: 262_143)) }
            #expect(other?.value == 262_145)
            var reported: (any Error)?
            messenger.send(Data(count: 300_000)) { reported = $0 }
            try await conversation.settle()
            #expect((reported as? HearthError)?.code == .messageTooLarge)
            let box = Box<Data>()
            let receiver = try #require(seats[1].reliable)
            box.task = Task { for await (data, context) in receiver.messages(of: Data.self) { box.all.append((data, context.source)) } }
            try await conversation[0].run { try await messenger.send(Data(count: 262_144)) }
            try await conversation.settle()
            #expect(box.values.map(\.count) == [262_144])
            #expect(conversation[0].notices.contains(.largeMessage))
        }
    }

    @Test func `a reliable messenger hears nothing unreliable where there is one for that, and everything where there is none`() async throws {
        try await table(of: 2) { conversation, seats in
            let reliable = collect(Int.self, seats[1].reliable)
            let unreliable = collect(Int.self, seats[1].unreliable)
            try await conversation[0].run {
                try await seats[0].reliable?.send(1)
                try await seats[0].unreliable?.send(2)
            }
            try await conversation.settle()
            #expect(reliable.values == [1] && unreliable.values == [2])
            #expect(seats[0].reliable?.deliveryMode == .reliable && seats[0].unreliable?.deliveryMode == .unreliable)
            unreliable.task?.cancel()
            seats[1].unreliable = nil
            try await conversation.settle()
            try await conversation[0].run { try await seats[0].unreliable?.send(3) }
            try await conversation.settle()
            #expect(reliable.values == [1, 3])
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `over a poor network everything reliable arrives once and in order, and unreliable messages may be missing`(seed: UInt64) async throws {
        try await withConversation(of: 3, seed: seed, network: .poor) { conversation in
            let seats = conversation.everybody { Seat() }
            try await conversation[0].run { try await Board().activate() }
            try await conversation.settle()
            let boxes = seats.map { collect(Int.self, $0.reliable) }
            let samples = seats.map { collect(Int.self, $0.unreliable) }
            for number in 0..<60 {
                seats[0].reliable?.send(number) { _ in }
                seats[1].reliable?.send(1_000 + number) { _ in }
                seats[2].unreliable?.send(number) { _ in }
                await conversation.advance(by: .milliseconds(50))
            }
            try await conversation.settle()
            for box in [boxes[1], boxes[2]] { try conversation.check("Ana's are whole", box.values.filter { $0 < 1_000 } == Array(0..<60)) }
            for box in [boxes[0], boxes[2]] { try conversation.check("Ben's are whole", box.values.filter { $0 >= 1_000 } == Array(1_000..<1_060)) }
            #expect(samples[0].values.count < 60 && Set(samples[0].values).count == samples[0].values.count)
        }
    }

    @Test func `after the end sequences end and sending throws`() async throws {
        try await table(of: 2) { conversation, seats in
            let box = collect(Int.self, seats[1].reliable)
            try await conversation.settle()
            seats[0].session?.end()
            try await conversation.settle()
            await box.task?.value
            let messenger = try #require(seats[1].reliable)
            let error = await #expect(throws: HearthError.self) { try await messenger.send(1) }
            #expect(error?.code == .sessionInvalidated)
            #expect(conversation[1].notices == [.workAfterInvalidation])
        }
    }
}
