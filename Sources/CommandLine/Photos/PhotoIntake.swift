// Judges each file on its own, so that one that is refused does not keep the others away, and counts what became of them.

import Conversations
import Foundation
import Synchronization

/// May be used from any task.
final class PhotoIntake: Sendable {
    struct Counts: Equatable, Sendable {
        var added = 0
        var known = 0
        var refused = 0
        /// Other files in folders.
        var passedOver = 0
        var located = 0
        /// Shared with all that stands in the file, though that was not asked for.
        var untouched = 0
    }

    private struct State {
        var counts = Counts()
        var digests: Set<String> = []
        var failure: Program.Complaint?
        var lastAddedAtMilliseconds = 0
    }

    private let report: Report
    private let isTwiceWanted: Bool
    private let keepsMetadata: Bool
    private let state = Mutex(State())

    init(_ report: Report, isTwiceWanted: Bool, keepsMetadata: Bool) {
        self.keepsMetadata = keepsMetadata
        self.report = report
        self.isTwiceWanted = isTwiceWanted
    }

    var counts: Counts { state.withLock(\.counts) }
    /// By which the program ends when everything else is done.
    var firstFailure: Program.Complaint? { state.withLock(\.failure) }

    /// What the session has already.
    func know(_ photos: [Photo]) { state.withLock { $0.digests.formUnion(photos.map(\.digest).filter { !$0.isEmpty }) } }

    /// Returns a complaint only when nothing more can be added at all.
    func take(_ candidate: PathWalk.Candidate, _ sharing: PhotoSharing) async -> Program.Complaint? {
        let shown = ShownText.line(candidate.path)
        let picture: PictureFile
        do throws(PictureFile.Refusal) { picture = try PictureFile(path: candidate.path, keepsMetadata: keepsMetadata) } catch {
            sharing.board.forget(candidate.path)
            guard candidate.isNamed || error != .noPicture else {
                state.withLock { $0.counts.passedOver += 1 }
                return nil
            }
            refuse(candidate.path, "\(shown) is not added: \(error.words).", error.exit, reason: "\(error)")
            return nil
        }
        let isNew = state.withLock { $0.digests.insert(picture.digest).inserted }
        guard isNew || isTwiceWanted else {
            sharing.board.forget(candidate.path)
            state.withLock { $0.counts.known += 1 }
            report.result("there already  \(ShownText.line(picture.name))", "known", [("path", .string(candidate.path)), ("name", .string(picture.name))])
            return nil
        }
        do throws(Program.Complaint) {
            let entry = try await sharing.share(picture, addedAtMilliseconds: nextTime())
            let photo = await Photo.all(in: sharing.session, sharing.participation.conversation).first { $0.id == entry }
            sharing.board.done(candidate.path)
            state.withLock { state in
                state.counts.added += 1
                if picture.hasLocation { state.counts.located += 1 }
                if picture.metadata == .stays, !keepsMetadata { state.counts.untouched += 1 }
            }
            report.result(
                "added  \(photo?.shortID ?? "")  \(Amounts.bytes(picture.sizeBytes))  \(ShownText.line(picture.name))", "added",
                [("path", .string(candidate.path))] + (photo?.fields ?? [("name", .string(picture.name))]))
            return nil
        } catch {
            sharing.board.forget(candidate.path)
            state.withLock { _ = $0.digests.remove(picture.digest) }
            // What concerns this file alone lets the others go on.
            guard [.refusedFile, .cannotRead, .cannotWrite, .notFound].contains(error.exit) else { return error }
            refuse(candidate.path, "\(shown) is not added: \(error.text)", error.exit, reason: "\(error.exit)")
            return nil
        }
    }

    /// No two alike, so that files added together keep their order.
    private func nextTime() -> Int {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        return state.withLock { state in
            state.lastAddedAtMilliseconds = max(state.lastAddedAtMilliseconds + 1, now)
            return state.lastAddedAtMilliseconds
        }
    }

    private func refuse(_ path: String, _ text: String, _ exit: Program.Exit, reason: String) {
        state.withLock { state in
            state.counts.refused += 1
            state.failure = state.failure ?? Program.Complaint(exit: exit, text: "Not everything was added.")
        }
        if report.isJSON {
            report.result("", "refused", [("path", .string(path)), ("reason", .string(reason.prefix { $0 != "(" }.description)), ("message", .string(text))])
        } else {
            report.complaint(text)
        }
    }
}
