// `hearth photos list`: one line for each photo that is shared.

import Conversations

enum ListPhotos {
    static func run(_ circle: Circle) async throws(Program.Complaint) {
        let participation = try await circle.enter(try circle.invitation())
        var photos: [Photo] = []
        if let session = try await participation.session(of: Command.galleryIdentifier, announcing: nil) { photos = await Photo.all(in: session, participation.conversation) }
        await participation.leave()
        let ownerWidth = photos.map(\.shownOwner.count).max() ?? 0
        for photo in photos {
            let size = Amounts.bytes(photo.sizeBytes)
            circle.report.result(
                [
                    photo.shortID, String(repeating: " ", count: max(0, 9 - size.count)) + size, photo.shownDate,
                    photo.shownOwner + String(repeating: " ", count: ownerWidth - photo.shownOwner.count), photo.shownName + (photo.isComplete ? "" : "  (still coming)"),
                ].joined(separator: "  "), "photo", photo.fields)
        }
        if photos.isEmpty { circle.report.remark("No photos are shared.") }
    }
}
