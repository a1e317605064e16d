// What the benchmark's participant does: the same calls of a conversation as the command line's, without previews, folders and progress bars.

import Conversations
import Foundation
import Sealing
import Transports
import Wire

struct Order: Decodable {
    let `do`: String
    var relay: String?
    var link: String?
    var name: String?
    var files: [String]?
    var count: Int?
    var into: String?
}

struct Report: Encodable {
    let did: String
    var link: String?
    /// When somebody came, by the monotonic clock.
    var atSeconds: [Double]?
}

enum BenchError: Error {
    case unknownOrder(String)
    case missing(String)
    case ended
}

actor Bench {
    private static let activityIdentifier = "org.example.Benchmark"
    /// As many attachments travel at once as with the command line.
    private static let parallelLimit = 3

    private var conversation: Conversation?
    private var session: SessionID?
    private var taken: Set<EntryID> = []
    private var crowd: Crowd?

    func obey(_ order: Order) async throws -> Report {
        var report = Report(did: order.do)
        switch order.do {
        case "create": report.link = try await create(relay: try need(order.relay, "relay"))
        case "join": try await join(try Invitation(try need(order.link, "link")), name: try need(order.name, "name"), mayCreate: false)
        case "enter": try await enter()
        case "send": try await send(try need(order.files, "files"))
        case "receive": try await receive(try need(order.count, "count"), into: try need(order.into, "into"))
        case "echo": try await echo()
        case "gather":
            let crowd = try Crowd(count: try need(order.count, "count"), relay: try need(order.relay, "relay"))
            self.crowd = crowd
            try await crowd.enter()
        case "return": report.atSeconds = await try need(crowd, "crowd").returned()
        case "arrived": report.atSeconds = try need(crowd, "crowd").arrived()
        case "leave": await conversation?.leave()
        default: throw BenchError.unknownOrder(order.do)
        }
        return report
    }

    private func create(relay: String) async throws -> String {
        let invitation = try Invitation(relay: relay)
        let conversation = try await join(invitation, name: "Sender", mayCreate: true)
        _ = try await conversation.announce(.init(activityIdentifier: Self.activityIdentifier, activity: Array("{}".utf8), metadata: Array(#"{"title":"Benchmark","type":"generic"}"#.utf8)))
        return invitation.link
    }

    @discardableResult
    private func join(_ invitation: Invitation, name: String, mayCreate: Bool) async throws -> Conversation {
        guard let transport = WebSocketTransport(origin: invitation.origin) else { throw BenchError.missing("relay") }
        let conversation = try Conversation(invitation: invitation, name: name, mayCreate: mayCreate, transport: transport)
        self.conversation = conversation
        await conversation.start()
        try await conversation.introduced()
        return conversation
    }

    private func enter() async throws {
        let conversation = try need(conversation, "conversation")
        let announced = { await conversation.activities.first { $0.announcement.activityIdentifier == Self.activityIdentifier }?.session }
        try await until { await announced() != nil }
        let session = try need(await announced(), "session")
        await conversation.enter(session)
        try await until { await conversation.session(session)?.isInSync ?? false }
        self.session = session
    }

    private func send(_ files: [String]) async throws {
        let (conversation, session) = (try need(conversation, "conversation"), try need(session, "session"))
        try await each(files) { path in
            let sending = try await conversation.add(FileSource(path: path), metadata: Array("{}".utf8), in: session)
            try await sending.upload.value
        }
    }

    /// Loads `count` attachments that were not there before into files of a folder.
    private func receive(_ count: Int, into folder: String) async throws {
        let (conversation, session) = (try need(conversation, "conversation"), try need(session, "session"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                try await until { await self.next() != nil }
                let entry = try need(await next(), "attachment")
                taken.insert(entry)
                if number >= Self.parallelLimit { try await group.next() }
                group.addTask { try await conversation.load(entry, in: session, into: FileSink(path: "\(folder)/\(entry.base64URL)")) }
            }
            try await group.waitForAll()
        }
    }

    /// From now on whatever another says is said back.
    private func echo() async throws {
        let (conversation, session) = (try need(conversation, "conversation"), try need(session, "session"))
        let updates = await conversation.updates()
        Task {
            for await case .session(session, .received(let content, _, isReliable: true)) in updates { try await conversation.send(content, in: session) }
        }
    }

    private func next() async -> EntryID? {
        guard let conversation, let session, let entries = await conversation.session(session)?.entries else { return nil }
        let fresh = entries.first { known in
            guard case .attachment = known.body else { return false }
            return !taken.contains(known.entry)
        }
        return fresh?.entry
    }

    private func each(_ items: [String], _ work: @escaping @Sendable (String) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, item) in items.enumerated() {
                if number >= Self.parallelLimit { try await group.next() }
                group.addTask { try await work(item) }
            }
            try await group.waitForAll()
        }
    }

    private func until(_ claim: () async -> Bool) async throws {
        let updates = try await need(conversation, "conversation").updates()
        if await claim() { return }
        for await _ in updates where await claim() { return }
        throw BenchError.ended
    }

    private func need<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw BenchError.missing(name) }
        return value
    }
}
