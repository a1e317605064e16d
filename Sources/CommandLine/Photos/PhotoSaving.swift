// Loads photos one by one into a folder, and counts what became of them.

import Conversations
import Synchronization
import Wire

/// May be used from any task.
final class PhotoSaving: Sendable {
    struct Counts: Equatable, Sendable {
        var saved = 0
        var known = 0
        var lost = 0
    }

    private struct State {
        var counts = Counts()
        var seen: Set<EntryID> = []
        var failure: Program.Complaint?
    }

    let folder: PhotoFolder
    let board: TransferBoard
    private let report: Report
    private let state = Mutex(State())

    init(_ folder: PhotoFolder, _ report: Report) {
        self.folder = folder
        self.report = report
        board = TransferBoard("saving", report)
    }

    var counts: Counts { state.withLock(\.counts) }
    var firstFailure: Program.Complaint? { state.withLock(\.failure) }

    func hasSeen(_ photo: EntryID) -> Bool { state.withLock { $0.seen.contains(photo) } }

    /// Returns a complaint only when nothing more can be saved at all.
    func save(_ photo: Photo, _ session: SessionID, _ participation: Participation) async -> Program.Complaint? {
        do throws(Program.Complaint) {
            let outcome: PhotoFolder.Outcome
            if let name = folder.known(photo) {
                outcome = .thereAlready(name: name)
            } else {
                let partial = folder.partialPath()
                try await participation.doing { () async throws(ConversationError) in
                    let sink = try FileSink(path: partial)
                    try await participation.conversation.load(photo.id, in: session, into: sink, onProgress: board.handler(for: photo.hexadecimalID))
                }
                outcome = try folder.settle(partial, photo)
            }
            tell(photo, outcome)
            return nil
        } catch {
            board.forget(photo.hexadecimalID)
            // Removed while it came, or damaged by its maker: the others can still be saved.
            guard [.notFound, .tampered].contains(error.exit), await participation.conversation.end == nil else { return error }
            state.withLock { state in
                state.seen.insert(photo.id)
                state.counts.lost += 1
                state.failure = state.failure ?? Program.Complaint(exit: error.exit, text: "Not everything was saved.")
            }
            if report.isJSON { report.result("", "lost", photo.fields + [("message", .string(error.text))]) } else { report.complaint("\(photo.shownName) is not saved: \(error.text)") }
            return nil
        }
    }

    private func tell(_ photo: Photo, _ outcome: PhotoFolder.Outcome) {
        board.done(photo.hexadecimalID)
        let (name, isSaved) =
            switch outcome {
            case .saved(let name): (name, true)
            case .thereAlready(let name): (name, false)
            }
        state.withLock { state in
            state.seen.insert(photo.id)
            if isSaved { state.counts.saved += 1 } else { state.counts.known += 1 }
        }
        let original = name == photo.name ? "" : "  (its name: \(photo.shownName))"
        report.result("\(isSaved ? "saved" : "there already")  \(ShownText.line(name))\(original)", isSaved ? "saved" : "known", [("file", .string("\(folder.path)/\(name)"))] + photo.fields)
    }
}
