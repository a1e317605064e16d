// The participant itself, written as an app is: one loop over sessions, one messenger, one journal.

import Foundation
import GroupActivities

struct MixedActivity: GroupActivity {
    static let activityIdentifier = "org.hearth.test.mixed"
    var title: String

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = title
        return metadata
    }
}

struct Saying: Codable, CustomMessageIdentifiable {
    static let messageIdentifier = "saying"
    var number: Int
    var text: String
}

struct Piece: Codable {
    var number: Int
}

@MainActor final class Voice {
    private var session: GroupSession<MixedActivity>?
    private var messenger: GroupSessionMessenger?
    private var journal: GroupSessionJournal?
    private var subscriptions = Set<AnyCancellable>()
    private var tasks = Set<Task<Void, Never>>()
    private var heard: [String] = []
    private var said = 0
    private var attachments: [GroupSessionJournal.Attachment] = []
    private var complaints: [String] = []

    init() {
        Task { for await session in MixedActivity.sessions() { configure(session) } }
    }

    func fulfil(_ wish: Wish) async throws -> Answer {
        switch wish.wish {
        case "say": say(from: wish.from ?? 0, to: wish.to ?? 0)
        case "add":
            let (number, sizeBytes) = (wish.number ?? 0, wish.sizeBytes ?? 0)
            tasks.insert(Task { await complaining("adding \(number)") { _ = try await self.journal?.add(Content.bytes(number, sizeBytes: sizeBytes), metadata: Piece(number: number)) } })
        case "remove":
            for attachment in attachments where try await attachment.loadMetadata(of: Piece.self).number == wish.number { try await journal?.remove(attachment: attachment) }
        case "retitle": session?.activity.title = wish.title ?? ""
        case "heard": return Answer(heard: heard)
        case "load": return Answer(contents: try await contents())
        case "leave": session?.leave()
        default: break
        }
        return try await standing()
    }

    private func configure(_ session: GroupSession<MixedActivity>) {
        if self.session != nil { complaints.append("a second session was offered") }
        self.session = session
        let messenger = GroupSessionMessenger(session: session)
        let journal = GroupSessionJournal(session: session)
        (self.messenger, self.journal) = (messenger, journal)
        session.$state.sink { [weak self] state in if case .invalidated(let reason) = state { self?.complaints.append("over: \(reason)") } }.store(in: &subscriptions)
        tasks.insert(Task { for await (saying, context) in messenger.messages(of: Saying.self) { hear(saying, from: context.source) } })
        tasks.insert(Task { for await attachments in journal.attachments { self.attachments = attachments } })
        session.join()
    }

    private func say(from first: Int, to end: Int) {
        guard let messenger else { return complaints.append("nothing to say it by") }
        let name = ProcessInfo.processInfo.environment["HEARTH_NAME"] ?? ""
        for number in first..<end {
            messenger.send(Saying(number: number, text: Content.text(name, number))) { error in
                Task { @MainActor in
                    self.said += 1
                    if let error { self.complaints.append("saying \(number): \(error)") }
                }
            }
        }
    }

    private func hear(_ saying: Saying, from source: Participant) {
        heard.append("\(source.displayName) \(saying.number)")
        if saying.text != Content.text(source.displayName, saying.number) { complaints.append("another text: \(heard.last ?? "")") }
    }

    private func standing() async throws -> Answer {
        var listed: [String] = []
        for attachment in attachments { listed.append("\(try await attachment.loadMetadata(of: Piece.self).number) \(attachment.owner?.displayName ?? "")") }
        let state = session.map { "\($0.state)".prefix { $0 != "(" } } ?? "none"
        return Answer(
            state: String(state), title: session?.activity.title, said: said, heardCount: heard.count, participants: session?.activeParticipants.map(\.displayName).sorted() ?? [],
            attachments: listed.sorted(), complaints: complaints)
    }

    private func contents() async throws -> [String: String] {
        var contents: [String: String] = [:]
        for attachment in attachments {
            let data = try await attachment.load(Data.self)
            contents["\(try await attachment.loadMetadata(of: Piece.self).number)"] = Content.checksum(data)
        }
        return contents
    }

    private func complaining(_ what: String, _ work: () async throws -> Void) async {
        do { try await work() } catch { complaints.append("\(what): \(error)") }
    }
}
