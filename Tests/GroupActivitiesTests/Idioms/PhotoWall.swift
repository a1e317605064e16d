// The structure of Apple's gallery sample: an activity with stored metadata, a controller for each session, a journal.

import GroupActivities

struct PhotoWallActivity: GroupActivity, Transferable {
    var metadata: GroupActivityMetadata = {
        var metadata = GroupActivityMetadata()
        metadata.type = .generic
        metadata.title = "Photo wall"
        metadata.subtitle = "Photos of everybody"
        return metadata
    }()
}

struct WallPhoto: Transferable, Codable, Identifiable, Equatable {
    var id: UUID
    var owner: String
    var imageData: Data

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json)
    }
}

@MainActor @Observable final class PhotoWallModel {
    let name: String
    var controller: PhotoWallController?
    var localPhotos: [WallPhoto] = []
    @ObservationIgnored var loop: Task<Void, Never>?

    init(name: String) {
        self.name = name
        loop = Task { [weak self] in await self?.observeSessions() }
    }

    private func observeSessions() async {
        for await session in PhotoWallActivity.sessions() {
            let controller = await PhotoWallController(session)
            self.controller = controller
            Task.immediate {
                for await state in session.$state.values {
                    guard self.controller?.session.id == session.id else { return }
                    if case .invalidated = state {
                        self.controller = nil
                        return
                    }
                }
            }
            for photo in localPhotos { await controller.add(photo) }
        }
    }

    func take(_ bytes: Int) async {
        let photo = WallPhoto(id: UUID(), owner: name, imageData: Data(repeating: UInt8(bytes % 251), count: bytes))
        localPhotos.append(photo)
        await controller?.add(photo)
    }
}

@MainActor final class PhotoWallController {
    let session: GroupSession<PhotoWallActivity>
    let journal: GroupSessionJournal
    var received: [UUID: WallPhoto] = [:]
    var attachments: [UUID: GroupSessionJournal.Attachment] = [:]
    var errors: [String] = []
    private var observing: Task<Void, any Error>?

    init(_ session: GroupSession<PhotoWallActivity>) async {
        self.session = session
        journal = GroupSessionJournal(session: session)
        observing = Task { [weak self, journal] in
            for await attachments in journal.attachments { await self?.process(attachments) }
        }
        session.join()
    }

    func add(_ photo: WallPhoto) async {
        do {
            received[photo.id] = photo
            attachments[photo.id] = try await journal.add(photo, metadata: photo.id)
        } catch {
            errors.append("\(error)")
        }
    }

    func remove(_ id: UUID) async {
        guard let attachment = attachments[id] else { return }
        do { try await journal.remove(attachment: attachment) } catch { errors.append("\(error)") }
    }

    private func process(_ list: [GroupSessionJournal.Attachments.Element.Element]) async {
        var listed: Set<UUID> = []
        for attachment in list {
            do {
                let id = try await attachment.loadMetadata(of: UUID.self)
                listed.insert(id)
                attachments[id] = attachment
                if received[id] == nil { received[id] = try await attachment.load(WallPhoto.self) }
            } catch {
                errors.append("\(error)")
            }
        }
        received = received.filter { listed.contains($0.key) || attachments[$0.key] == nil }
        attachments = attachments.filter { listed.contains($0.key) }
    }
}
