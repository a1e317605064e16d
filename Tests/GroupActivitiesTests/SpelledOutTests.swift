// What apps mostly leave to inference, written out by its names: sequences and their iterators, publishers, identities.

import GroupActivities
import GroupActivitiesTesting
import Testing

private struct Easel: GroupActivity {
    static let activityIdentifier = "org.example.easel.1"
    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Easel"
        return metadata
    }
}

/// A later edition that takes part in what the earlier one starts.
private struct LaterEasel: GroupActivity {
    static let activityIdentifier = "org.example.easel.2"
    static func _identifiable(by activityIdentifier: String) -> Bool { activityIdentifier.hasPrefix("org.example.easel.") }
    var metadata: GroupActivityMetadata { Easel().metadata }
}

/// Paper on disk, which goes from file to file.
private struct Sheet: Transferable {
    let file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .pdf) {
            SentTransferredFile($0.file)
        } importing: { received in
            let kept = FileManager.default.temporaryDirectory.appending(path: "sheet-\(UUID().uuidString).pdf")
            try FileManager.default.copyItem(at: received.file, to: kept)
            return Sheet(file: kept)
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct SpelledOutTests {
    /// Two people at one easel, who have what `configure` made of the session before joining it.
    private func easel<Part>(
        _ configure: @escaping @MainActor (GroupSession<Easel>) -> Part, _ body: @MainActor (TestConversation, [GroupSession<Easel>], [Part]) async throws -> Void
    ) async throws {
        try await withConversation(of: 2) { conversation in
            var iterators = conversation.everybody { () -> Easel.Sessions.Iterator in
                let sessions: GroupSession<Easel>.Sessions = Easel.sessions()
                return sessions.makeAsyncIterator()
            }
            let answer = try await conversation[0].run { try await Easel().activate() }
            #expect(answer)
            try await conversation.settle()
            var sessions: [Easel.Sessions.Element] = []
            for index in iterators.indices { sessions.append(try #require(await iterators[index].next())) }
            let parts = zip(conversation.participants, sessions).map { participant, session in participant.make { configure(session) } }
            for (participant, session) in zip(conversation.participants, sessions) { participant.make { session.join() } }
            try await conversation.settle()
            try await body(conversation, sessions, parts)
        }
    }

    @Test func `a type may answer to the identifier of another, and its sessions come to it`() async throws {
        #expect(LaterEasel._identifiable(by: "elsewhere", staticIdentifier: Easel.activityIdentifier) && !Easel._identifiable(by: LaterEasel.activityIdentifier))
        try await withConversation(of: 2) { conversation in
            var (starting, coming): ([UUID], [UUID]) = ([], [])
            let loops = [
                conversation[0].make { Task { for await session in Easel.sessions() { starting.append(session.id) } } },
                conversation[1].make { Task { for await session in LaterEasel.sessions() { coming.append(session.id) } } },
            ]
            _ = try await conversation[0].run { try await Easel().activate() }
            try await conversation.settle()
            #expect(coming.count == 1 && coming == starting)
            for loop in loops { loop.cancel() }
        }
    }

    @Test func `sessions come one by one from an iterator that is held, the same one to each device, once somebody has activated`() async throws {
        try await easel { session in
            session.state
        } _: { _, sessions, states in
            #expect(sessions[0].id == sessions[1].id && sessions[0] !== sessions[1])
            #expect(states == [.waiting, .waiting] && sessions.map(\.state) == [.joined, .joined])
        }
    }

    @Test func `states are equal by their case, whatever the reason`() {
        typealias State = GroupSession<Easel>.State
        let states: [State] = [.waiting, .joined, .invalidated(reason: HearthError(.left))]
        for (index, state) in states.enumerated() {
            for (place, other) in states.enumerated() { #expect((state == other) == (index == place)) }
        }
        #expect(State.invalidated(reason: HearthError(.ended)) == states[2])
    }

    @Test func `a session and an observer of eligibility say that they will change before they do`() async throws {
        typealias Seen = (states: [String], eligible: [Bool])
        nonisolated(unsafe) var seen: Seen = ([], [])
        nonisolated(unsafe) var subscriptions = Set<AnyCancellable>()
        try await easel { session in
            let willChange: GroupSession<Easel>.ObjectWillChangePublisher = session.objectWillChange
            willChange.sink { if session.isLocallyInitiated { seen.states.append(name(of: session.state)) } }.store(in: &subscriptions)
        } _: { conversation, sessions, _ in
            let observer = conversation[0].make { GroupStateObserver() }
            let willChange: GroupStateObserver.ObjectWillChangePublisher = observer.objectWillChange
            willChange.sink { seen.eligible.append(observer.isEligibleForGroupSession) }.store(in: &subscriptions)
            try await conversation.settle()
            sessions[0].leave()
            try await conversation.settle()
            #expect(seen.states.first == "waiting" && seen.states.last == "joined" && sessions[0].state != .joined)
            #expect(seen.eligible == [false] && observer.isEligibleForGroupSession)
        }
        subscriptions.removeAll()
    }

    @Test func `a participant is the same for all by its id, and describes itself by it`() async throws {
        try await easel { _ in
        } _: { _, sessions, _ in
            let (own, seen) = (sessions[0].localParticipant, try #require(sessions[1].activeParticipants.first { $0.id == sessions[0].localParticipant.id }))
            let id: Participant.ID = own.id
            #expect(own == seen && own.hashValue == seen.hashValue && own != sessions[1].localParticipant)
            #expect(Set([own, seen, sessions[1].localParticipant]) == sessions[0].activeParticipants)
            #expect(own.description.contains(id.uuidString) && !own.description.contains("Ana"))
        }
    }

    @Test func `messages come one by one from an iterator that is held, typed ones and bytes apart, with their sender`() async throws {
        typealias Messenger = GroupSessionMessenger
        try await easel {
            Messenger(session: $0)
        } _: { conversation, sessions, messengers in
            let numbers: Messenger.Messages<Int> = messengers[1].messages(of: Int.self)
            var number: Messenger.Messages<Int>.Iterator = numbers.makeAsyncIterator()
            var bytes: Messenger.Messages<Data>.Iterator = messengers[1].messages(of: Data.self).makeAsyncIterator()
            var outcomes: [String] = []
            messengers[0].send(7) { outcomes.append($0 == nil ? "number" : "failed") }
            messengers[0].send(Data([1, 2]), to: .all) { outcomes.append($0 == nil ? "bytes" : "failed") }
            try await conversation.settle()
            let message: Messenger.Messages<Int>.Element = try #require(await number.next())
            let context: Messenger.MessageContext = message.1
            #expect(message.0 == 7 && context.source == sessions[0].localParticipant)
            #expect(await bytes.next()?.0 == Data([1, 2]))
            #expect(outcomes == ["number", "bytes"])
        }
    }

    @Test func `a file goes from disk to disk, with a record or without, and each list is whole`() async throws {
        typealias Journal = GroupSessionJournal
        try await easel {
            Journal(session: $0)
        } _: { conversation, _, journals in
            let file = FileManager.default.temporaryDirectory.appending(path: "drawn-\(UUID().uuidString).pdf")
            let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try content.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let attachments: Journal.Attachments = journals[1].attachments
            var lists: Journal.Attachments.Iterator = attachments.makeAsyncIterator()
            #expect(await lists.next()?.isEmpty == true)
            let bare: Journal.Attachment = try await journals[0].add(Sheet(file: file))
            let described = try await journals[0].add(Sheet(file: file), metadata: ["page": 2])
            try await conversation.settle()
            var list: Journal.Attachments.Element = []
            while list.count < 2 { list = try #require(await lists.next()) }
            let ids: [Journal.Attachment.ID] = list.map(\.id)
            #expect(ids == [bare.id, described.id])
            #expect(try await list[1].loadMetadata(of: [String: Int].self) == ["page": 2])
            await #expect(throws: (any Error).self) { try await list[1].loadMetadata(of: [String].self) }
            let received = try await list[0].load(Sheet.self).file
            defer { try? FileManager.default.removeItem(at: received) }
            #expect(try Data(contentsOf: received) == content)
        }
    }
}
