// The participant itself: one conversation, one session, and what happens in it told as it happens.

import Conversations
import Foundation
import Sealing
import Transports
import Wire

actor Performer {
    enum Failure: Error {
        case unknownOrder(String)
        case missing(String)
        case otherBytes(String)
    }

    static let activityIdentifier = "org.example.Crash"
    private let tell: @Sendable (Told) -> Void
    private var conversation: Conversation?
    private var session: SessionID?
    private var met: Set<ParticipantID> = []
    private var lastStanding: [Bool] = []
    private var lastSeen: [String]?
    private var isLetIn = false
    private var isGone = false

    init(_ tell: @escaping @Sendable (Told) -> Void) { self.tell = tell }

    func complain(_ text: String) { tell(Told("complaint") { $0.text = text }) }

    /// Returns once a message has been handed over, so that the next one comes after it; what takes longer is not waited for.
    func begin(_ order: Order) async {
        guard order.do == "say" else {
            Task { await obey(order) }
            return
        }
        await obey(order)
    }

    func obey(_ order: Order) async {
        do {
            let answer = try await perform(order)
            if let answer { tell(answer) }
        } catch { tell(Told("answered") { ($0.ask, $0.error) = (order.ask, "\(error)") }) }
    }

    /// `nil`: it answers later.
    private func perform(_ order: Order) async throws -> Told? {
        var answer = Told("answered") { $0.ask = order.ask }
        switch order.do {
        case "join": answer.id = try await join(try need(order.link, "link"), as: try need(order.name, "name"))
        case "say":
            try await say(order)
            return nil
        case "add": answer.id = try await add(order)
        case "remove":
            let conversation: Conversation = try known()
            try await conversation.remove(try entry(order), in: try known())
        case "load": try await load(order)
        case "leave":
            isGone = true
            await conversation?.leave()
        default: throw Failure.unknownOrder(order.do)
        }
        return answer
    }

    // MARK: What it is told

    private func join(_ link: String, as name: String) async throws -> String {
        let invitation = try Invitation(link)
        guard let transport = WebSocketTransport(origin: invitation.origin) else { throw Failure.missing("relay") }
        let conversation = try Conversation(invitation: invitation, name: name, mayCreate: false, transport: transport)
        self.conversation = conversation
        let updates = await conversation.updates()
        Task { for await update in updates { await happened(update, conversation) } }
        await conversation.start()
        // Who was never let in is told so once, by this.
        try await conversation.introduced()
        isLetIn = true
        return conversation.localParticipant.base64URL
    }

    private func say(_ order: Order) async throws {
        let (conversation, session): (Conversation, SessionID) = (try known(), try known())
        let number = try need(order.number, "number")
        for participant in await conversation.session(session)?.participants ?? [] where met.insert(participant.id).inserted {
            tell(Told("met") { ($0.id, $0.number) = (participant.id.base64URL, number) })
        }
        let json = try JSONEncoder().encode(Message(number: number, text: String(repeating: "x", count: try need(order.length, "length"))))
        await conversation.say(.message(identifier: Message.identifier, json: Array(json)[...]), in: session) { [tell] error in
            tell(Told("answered") { ($0.ask, $0.error) = (order.ask, error.map { "\($0)" }) })
        }
    }

    private func add(_ order: Order) async throws -> String {
        let conversation: Conversation = try known()
        let sending = try await conversation.add(MemorySource(try content(order)), metadata: Array("null".utf8), in: try known())
        try await sending.upload.value
        return sending.entry.base64URL
    }

    private func load(_ order: Order) async throws {
        let conversation: Conversation = try known()
        let sink = MemorySink()
        try await conversation.load(try entry(order), in: try known(), into: sink)
        guard sink.bytes == (try content(order)) else { throw Failure.otherBytes(order.id ?? "") }
    }

    /// What an attachment holds: the same in each language.
    private func content(_ order: Order) throws -> [UInt8] {
        let seed = try need(order.seed, "seed")
        return (0..<(try need(order.length, "length"))).map { UInt8(truncatingIfNeeded: $0 * 31 + seed) }
    }

    private func entry(_ order: Order) throws -> EntryID { try need(order.id.flatMap { EntryID(base64URL: $0) }, "id") }
    private func known() throws -> Conversation { try need(conversation, "conversation") }
    private func known() throws -> SessionID { try need(session, "session") }

    private func need<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw Failure.missing(name) }
        return value
    }

    // MARK: What it tells

    private func happened(_ update: ConversationUpdate, _ conversation: Conversation) async {
        switch update {
        case .connectionChanged: await stood(conversation)
        case .participantsChanged: await look(conversation)
        case .activitiesChanged: await enter(conversation)
        case .session(let id, let event):
            guard id == session else { return }
            switch event {
            case .received(.message(Message.identifier, let json), let sender, _):
                guard let message = try? JSONDecoder().decode(Message.self, from: Data(json)) else { return complain("a message that cannot be read") }
                tell(Told("heard") { ($0.from, $0.number) = (sender.base64URL, message.number) })
            case .received: complain("something that nobody sent")
            case .diverged(let participant): complain("\(participant.base64URL) is shown another log")
            case .over(let end): if !isGone { complain("the session is over: \(end)") }
            case .joined, .participantsChanged, .ledgerChanged:
                await see(id, conversation)
                await stood(conversation)
            }
        case .doorChanged: return
        case .closed(let end): if isLetIn, !isGone { complain("closed: \(end)") }
        }
    }

    private func enter(_ conversation: Conversation) async {
        guard session == nil, let running = await conversation.activities.first(where: { $0.announcement.activityIdentifier == Self.activityIdentifier }) else { return }
        session = running.session
        await conversation.enter(running.session)
    }

    private func see(_ session: SessionID, _ conversation: Conversation) async {
        let entries = await conversation.session(session)?.entries ?? []
        let seen = entries.compactMap { entry -> String? in
            guard case .attachment = entry.body else { return nil }
            return entry.entry.base64URL
        }
        guard seen != lastSeen else { return }
        lastSeen = seen
        tell(Told("sees") { $0.ids = seen })
    }

    private func stood(_ conversation: Conversation) async {
        let isConnected = await conversation.isConnected
        var isIn = false
        if let session { isIn = await conversation.session(session)?.isInSync ?? false }
        guard [isConnected, isIn] != lastStanding else { return }
        lastStanding = [isConnected, isIn]
        tell(Told("standing") { ($0.isConnected, $0.isIn) = (isConnected, isIn) })
    }

    private func look(_ conversation: Conversation) async {
        let people = await conversation.participants
        tell(
            Told("people") {
                $0.ids = people.map(\.id.base64URL)
                $0.away = people.filter(\.isAway).map(\.id.base64URL)
            })
        await stood(conversation)
    }
}

extension Conversation {
    /// Handed over when this returns.
    fileprivate func say(_ content: FrameContent, in session: SessionID, finish: @escaping @Sendable (ConversationError?) -> Void) {
        Task.immediate { [self] in
            do throws(ConversationError) {
                try await send(content, in: session)
                finish(nil)
            } catch { finish(error) }
        }
    }
}
