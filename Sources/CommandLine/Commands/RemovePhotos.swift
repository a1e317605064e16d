// `hearth photos remove`: takes photos away, for everyone.

import Conversations

enum RemovePhotos {
    static func run(_ circle: Circle, _ wanted: [String]) async throws(Program.Complaint) {
        let participation = try await circle.enter(try circle.invitation())
        let conversation = participation.conversation
        let session = try await participation.session(of: Command.galleryIdentifier, announcing: nil)
        do throws(Program.Complaint) {
            var all: [Photo] = []
            if let session { all = await Photo.all(in: session, conversation) }
            let photos = try PhotoChoice.find(wanted, in: all, isOneEach: true)
            for photo in photos {
                guard let session else { break }
                try await participation.doing { () async throws(ConversationError) in try await conversation.remove(photo.id, in: session) }
                circle.report.result("removed  \(photo.shortID)  \(photo.shownName)", "removed", photo.fields)
            }
        } catch {
            await participation.leave()
            throw error
        }
        await participation.leave()
    }
}
