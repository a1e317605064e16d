// A canvas that several people draw on: strokes as messages, pictures through the journal, the whole drawing for whoever comes later.

import Foundation
import GroupActivities

struct DrawTogetherActivity: GroupActivity {
    static let activityIdentifier = "org.hearth.draw-together"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Draw together"
        metadata.type = .createTogether
        return metadata
    }
}

struct Stroke: Codable, Equatable, Sendable {
    var id = UUID()
    var character: String
    var column: Int
    var row: Int
}

struct Drawing: Codable, Sendable {
    var strokes: [Stroke]
}

/// Where a picture lies.
struct PicturePlace: Codable, Equatable, Sendable {
    var column: Int
    var row: Int
}

@MainActor final class Canvas: ObservableObject {
    @Published var strokes: [Stroke] = []
    @Published var pictures: [UUID: (place: PicturePlace, data: Data)] = [:]
    @Published var groupSession: GroupSession<DrawTogetherActivity>?
    private var messenger: GroupSessionMessenger?
    private var journal: GroupSessionJournal?
    private var subscriptions = Set<AnyCancellable>()
    private var tasks = Set<Task<Void, Never>>()

    init() {
        Task { [weak self] in
            for await session in DrawTogetherActivity.sessions() { self?.configure(session) }
        }
    }

    func draw(_ character: String, column: Int, row: Int) {
        let stroke = Stroke(character: character, column: column, row: row)
        strokes.append(stroke)
        messenger?.send(stroke) { _ in }
    }

    func put(_ picture: Data, at place: PicturePlace) async throws {
        guard let journal else { return }
        let attachment = try await journal.add(picture, metadata: place)
        pictures[attachment.id] = (place, picture)
    }

    private func configure(_ session: GroupSession<DrawTogetherActivity>) {
        groupSession = session
        let messenger = GroupSessionMessenger(session: session)
        let journal = GroupSessionJournal(session: session)
        (self.messenger, self.journal) = (messenger, journal)
        session.$state.sink { [weak self] in if case .invalidated = $0 { self?.reset() } }.store(in: &subscriptions)
        session.$activeParticipants
            .sink { [weak self, weak session] active in
                guard let self, let session else { return }
                let newcomers = active.subtracting(session.activeParticipants)
                messenger.send(Drawing(strokes: self.strokes), to: .only(newcomers)) { _ in }
            }
            .store(in: &subscriptions)
        tasks.insert(Task { [weak self] in for await (stroke, _) in messenger.messages(of: Stroke.self) { self?.take([stroke]) } })
        tasks.insert(Task { [weak self] in for await (drawing, _) in messenger.messages(of: Drawing.self) { self?.take(drawing.strokes) } })
        tasks.insert(Task { [weak self] in for await list in journal.attachments { await self?.take(list) } })
        session.join()
    }

    /// Several may send the whole drawing to a newcomer: each stroke counts once.
    private func take(_ new: [Stroke]) {
        let known = Set(strokes.map(\.id))
        strokes += new.filter { !known.contains($0.id) }
    }

    private func take(_ list: [GroupSessionJournal.Attachment]) async {
        let listed = Set(list.map(\.id))
        pictures = pictures.filter { listed.contains($0.key) }
        for attachment in list where pictures[attachment.id] == nil {
            guard let place = try? await attachment.loadMetadata(of: PicturePlace.self), let data = try? await attachment.load(Data.self) else { continue }
            pictures[attachment.id] = (place, data)
        }
    }

    private func reset() {
        groupSession = nil
        messenger = nil
        journal = nil
        subscriptions = []
        for task in tasks { task.cancel() }
        tasks = []
    }
}
