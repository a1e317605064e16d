// One session of the gallery: its journal, and the photos that have come through it.

import Foundation
import GroupActivities
import OSLog

@MainActor @Observable final class SessionController {
    let session: GroupSession<PhotoShareActivity>
    var receivedImages: [String: DisplayImage] = [:]
    private let journal: GroupSessionJournal
    private var attachments: [String: GroupSessionJournal.Attachment] = [:]
    private let onImage: (DisplayImage) -> Void
    private let logger = Logger(subsystem: "org.hearth.photo-gallery", category: "session")
    @ObservationIgnored private var observation: Task<Void, Never>?

    init(_ groupSession: GroupSession<PhotoShareActivity>, onImage: @escaping (DisplayImage) -> Void) {
        session = groupSession
        journal = GroupSessionJournal(session: groupSession)
        self.onImage = onImage
        observation = Task { [weak self, journal] in
            for await attachments in journal.attachments { await self?.process(attachments) }
        }
        session.join()
    }

    func addNewImage(_ image: DisplayImage) async {
        guard let details = image.details else { return }
        do {
            receivedImages[image.id] = image
            attachments[image.id] = try await journal.add(image, metadata: details)
        } catch {
            logger.error("not added: \(error.localizedDescription)")
        }
    }

    func remove(_ id: String) async {
        guard let attachment = attachments[id] else { return }
        do { try await journal.remove(attachment: attachment) } catch { logger.error("not removed: \(error.localizedDescription)") }
    }

    private func process(_ list: [GroupSessionJournal.Attachment]) async {
        let listed = Set(list.map(\.id))
        for (id, attachment) in attachments where !listed.contains(attachment.id) {
            attachments[id] = nil
            receivedImages[id] = nil
        }
        let known = Set(attachments.values.map(\.id))
        for attachment in list where !known.contains(attachment.id) { await load(attachment) }
    }

    private func load(_ attachment: GroupSessionJournal.Attachment) async {
        do {
            let details = try await attachment.loadMetadata(of: PhotoDetails.self)
            // The name is its maker's; a photo of one's own is here already.
            let id = details.photo.isEmpty ? attachment.id.uuidString : details.photo
            attachments[id] = attachment
            guard receivedImages[id] == nil else { return }
            var image = try await attachment.load(DisplayImage.self)
            (image.id, image.details) = (id, details)
            receivedImages[id] = image
            onImage(image)
        } catch {
            logger.error("not loaded: \(error.localizedDescription)")
        }
    }
}
