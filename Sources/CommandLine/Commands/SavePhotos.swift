// `hearth photos save`: brings originals onto the disk, and stays for what others add.

import Conversations
import Foundation
import Wire

enum SavePhotos {
    private static let parallelLimit = 3

    static func run(_ circle: Circle, into directory: String, _ wanted: [String], follows: Bool) async throws(Program.Complaint) {
        let folder = try PhotoFolder(directory)
        var participation = try await circle.enter(try circle.invitation())
        let saving = PhotoSaving(folder, circle.report)
        while true {
            do throws(Program.Complaint) {
                try await save(wanted, follows: follows, saving, participation)
                break
            } catch {
                if follows, circle.interruption.isInterrupted { break }
                guard follows, error.exit == .tryAgain else {
                    await participation.leave()
                    throw error
                }
                participation = try await circle.comeBack(participation.conversation.invitation)
            }
        }
        await participation.leave()
        let counts = saving.counts
        circle.report.result(
            "\(Amounts.photos(counts.saved)) saved" + (counts.known > 0 ? ", \(counts.known) there already" : "") + (counts.lost > 0 ? ", \(counts.lost) not" : "") + ".", "done",
            [("saved", .int(counts.saved)), ("known", .int(counts.known)), ("lost", .int(counts.lost))])
        if let failure = saving.firstFailure { throw failure }
    }

    private static func save(_ wanted: [String], follows: Bool, _ saving: PhotoSaving, _ participation: Participation) async throws(Program.Complaint) {
        let conversation = participation.conversation
        if !follows {
            let session = try await participation.session(of: Command.galleryIdentifier, announcing: nil)
            var photos: [Photo] = []
            if let session { photos = await Photo.all(in: session, conversation) }
            let chosen = wanted.isEmpty ? photos : try PhotoChoice.find(wanted, in: photos, isOneEach: false)
            if let session { try await load(chosen, session, saving, participation) }
            return
        }
        participation.report.result("Saving what comes, until Ctrl-C.", "following", [("folder", .string(saving.folder.path))])
        var session: SessionID?
        for await _ in await conversation.updates().startingNow() {
            let current = await participation.first(Command.galleryIdentifier)
            if current != session {
                session = current
                if let current { try await participation.enter(current) }
            }
            guard let session else { continue }
            let photos = await Photo.all(in: session, conversation).filter { wanted.isEmpty || (try? PhotoChoice.find(wanted, in: [$0], isOneEach: false)) != nil }
            try await load(photos.filter { !saving.hasSeen($0.id) }, session, saving, participation)
        }
        throw await participation.over()
    }

    private static func load(_ photos: [Photo], _ session: SessionID, _ saving: PhotoSaving, _ participation: Participation) async throws(Program.Complaint) {
        guard !photos.isEmpty else { return }
        defer { saving.board.close() }
        for photo in photos { saving.board.expect(photo.hexadecimalID, totalBytes: photo.sizeBytes) }
        let failure = await withTaskGroup(of: Program.Complaint?.self) { group -> Program.Complaint? in
            var rest = photos[...]
            var fatal: Program.Complaint?
            func next() {
                guard fatal == nil, let photo = rest.popFirst() else { return }
                group.addTask { await saving.save(photo, session, participation) }
            }
            for _ in 0..<parallelLimit { next() }
            for await complaint in group {
                fatal = fatal ?? complaint
                next()
            }
            return fatal
        }
        if let failure { throw failure }
    }
}
