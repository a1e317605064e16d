// Participants of one conversation over the relay in the same process, and what each of them has heard.

import Conversations
import Sealing
import Synchronization
import Testing
import Wire

/// A participant that writes down everything it hears.
final class Person: Sendable {
    struct Heard: Sendable {
        var messages: [(session: SessionID, sender: ParticipantID, text: String, isReliable: Bool)] = []
        var ends: [SessionEnd] = []
        var closed: ConversationEnd?
    }

    let conversation: Conversation
    let name: String
    private let heardSoFar = Mutex(Heard())
    private let changes: Changes

    init(_ name: String, _ invitation: Invitation, mayCreate: Bool = true, pass: [UInt8]? = nil, _ relay: any RelayTransport, environment: ConversationEnvironment = .impatient) async throws {
        self.name = name
        conversation = try Conversation(invitation: invitation, name: name, mayCreate: mayCreate, pass: pass, transport: relay, environment: environment)
        changes = Changes()
        let updates = await conversation.updates()
        Task { [weak self] in
            for await update in updates { self?.hear(update) }
        }
        await conversation.start()
    }

    static func joined(_ name: String, _ invitation: Invitation, _ relay: any RelayTransport) async throws -> Person {
        let person = try await Person(name, invitation, relay)
        try await person.conversation.introduced()
        return person
    }

    var id: ParticipantID { conversation.localParticipant }
    var heard: Heard { heardSoFar.withLock(\.self) }

    /// What others said reliably in a session, in order.
    func texts(in session: SessionID) -> [String] { heard.messages.filter { $0.session == session && $0.isReliable }.map(\.text) }

    private func hear(_ update: ConversationUpdate) {
        heardSoFar.withLock { heard in
            switch update {
            case .session(let session, .received(.data(let bytes), let sender, let isReliable)):
                heard.messages.append((session, sender, String(decoding: bytes, as: UTF8.self), isReliable))
            case .session(let session, .received(.message(_, let json), let sender, let isReliable)):
                heard.messages.append((session, sender, String(decoding: json, as: UTF8.self), isReliable))
            case .session(_, .over(let end)): heard.ends.append(end)
            case .closed(let end): heard.closed = end
            default: break
            }
        }
        changes.happened()
    }

    /// Waits until the claim is true; it is looked at again after everything that is heard.
    func until(_ claim: @escaping @Sendable (Person) async -> Bool) async {
        for await _ in changes.stream() where await claim(self) { return }
    }

    func enter(_ session: SessionID) async {
        await until { person in await person.conversation.activities.contains { $0.session == session } }
        await conversation.enter(session)
        await until { person in await person.conversation.session(session)?.isInSync ?? false }
    }

    func say(_ text: String, to recipients: [Person] = [], in session: SessionID) async throws {
        try await conversation.send(.data(Array(text.utf8)[...]), to: recipients.map(\.id), in: session)
    }
}

/// Tells everybody who asks that something has happened, once at the beginning too.
final class Changes: Sendable {
    private let continuations = Mutex<[AsyncStream<Void>.Continuation]>([])

    func happened() { for continuation in continuations.withLock(\.self) { continuation.yield() } }

    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuations.withLock { $0.append(continuation) }
        continuation.yield()
        return stream
    }
}

extension ConversationEnvironment {
    /// Comes back at once.
    static var impatient: ConversationEnvironment {
        var policy = ReconnectionPolicy()
        policy.shortestPause = .zero
        policy.longestPause = .milliseconds(1)
        policy.firstAttemptCountLimit = 1000
        return ConversationEnvironment(reconnection: policy)
    }
}

let drawing = EntryBody.Announcement(activityIdentifier: "org.example.Drawing", activity: Array(#"{"title":"Plan"}"#.utf8), metadata: Array("null".utf8))

/// A conversation in which `names` are in one session together.
func gathering(_ names: [String], _ relay: InMemoryRelay) async throws -> (people: [Person], session: SessionID, invitation: Invitation) {
    let invitation = try Invitation(relay: "https://relay.example")
    var people: [Person] = []
    for name in names { people.append(try await .joined(name, invitation, relay)) }
    let session = try await people[0].conversation.announce(drawing)
    for person in people { await person.enter(session) }
    for person in people { await person.until { await $0.conversation.session(session)?.participants.count == names.count } }
    return (people, session, invitation)
}
