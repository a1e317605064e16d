// `hearth photos add`: shares files, tells what was refused, and follows folders.

import Conversations
import Foundation
import Wire

enum AddPhotos {
    private static let parallelLimit = 3
    private static let lookPause: Duration = .milliseconds(500)

    static func run(_ circle: Circle, _ order: AddOrder) async throws(Program.Complaint) {
        let walk = try PathWalk(order.paths, isRecursive: order.isRecursive)
        guard !walk.directories.isEmpty || !order.follows else { throw Program.Complaint(exit: .usage, text: "--follow needs a folder.") }
        let intake = PhotoIntake(circle.report, isTwiceWanted: order.isTwiceWanted, keepsMetadata: order.keepsMetadata)
        // Looked at before they are added, so that nothing that changes meanwhile is missed.
        let ready = order.follows ? walk.candidates.filter { $0.isNamed || FolderWatch.writers(of: $0.path) != .some } : walk.candidates
        var watch = FolderWatch(known: ready.compactMap { SeenFile(path: $0.path) })
        var participation = try await circle.enter(try circle.invitation())
        var isFirst = true
        while true {
            do throws(Program.Complaint) {
                try await add(isFirst ? ready : [], participation, circle, order, intake)
                isFirst = false
                if order.follows { try await follow(walk.directories, &watch, participation, circle, order, intake) }
                break
            } catch {
                if !isFirst, circle.interruption.isInterrupted { break }
                guard order.follows, !isFirst, error.exit == .tryAgain else { throw error }
                participation = try await circle.comeBack(participation.conversation.invitation)
            }
        }
        await tell(participation, intake, circle)
        if order.stays, !order.follows {
            circle.report.remark("Staying until Ctrl-C.")
            var staying = Staying(circle)
            try await staying.stay(participation)
        } else {
            await participation.leave()
        }
        if let failure = intake.firstFailure { throw failure }
    }

    /// Takes the files in, a few at a time.
    private static func add(
        _ candidates: [PathWalk.Candidate], _ participation: Participation, _ circle: Circle, _ order: AddOrder, _ intake: PhotoIntake
    ) async throws(Program.Complaint) {
        let board = TransferBoard("adding", circle.report)
        defer { board.close() }
        guard let session = try await participation.session(of: Command.galleryIdentifier, announcing: PhotoSharing.announcement) else { throw await participation.over() }
        intake.know(await Photo.all(in: session, participation.conversation))
        let sharing = PhotoSharing(participation: participation, session: session, owner: circle.setting.name, caption: order.caption, board: board)
        for candidate in candidates { board.expect(candidate.path, totalBytes: SeenFile(path: candidate.path)?.sizeBytes ?? 0) }
        let failure = await withTaskGroup(of: Program.Complaint?.self) { group -> Program.Complaint? in
            var rest = candidates[...]
            var fatal: Program.Complaint?
            func next() {
                guard fatal == nil, let candidate = rest.popFirst() else { return }
                group.addTask { await intake.take(candidate, sharing) }
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

    /// Ends by throwing.
    private static func follow(
        _ directories: [String], _ watch: inout FolderWatch, _ participation: Participation, _ circle: Circle, _ order: AddOrder, _ intake: PhotoIntake
    ) async throws(Program.Complaint) {
        circle.report.result(
            "Following \(directories.map { ShownText.line($0) }.joined(separator: ", ")) until Ctrl-C.", "following", [("folders", .array(directories.map { .string($0) }))])
        while true {
            if circle.interruption.isInterrupted { throw .interrupted }
            if await participation.conversation.end != nil { throw await participation.over() }
            let seen = directories.flatMap { PathWalk.files(in: $0, isRecursive: order.isRecursive) }.compactMap { SeenFile(path: $0) }
            let ready = watch.look(seen, writers: FolderWatch.writers)
            if !ready.isEmpty { try await add(ready.map { .init(path: $0, isNamed: false) }, participation, circle, order, intake) }
            try? await Task.sleep(for: lookPause)
        }
    }

    private static func tell(_ participation: Participation, _ intake: PhotoIntake, _ circle: Circle) async {
        let counts = intake.counts
        let grace = participation.terms.graceSeconds
        let isAlone = await participation.isAlone
        circle.report.result(
            ["\(Amounts.photos(counts.added)) added", counts.known > 0 ? "\(counts.known) there already" : nil, counts.refused > 0 ? "\(counts.refused) refused" : nil].compactMap { $0 }
                .joined(separator: ", ") + ".", "done",
            [
                ("added", .int(counts.added)), ("known", .int(counts.known)), ("refused", .int(counts.refused)), ("passedOver", .int(counts.passedOver)), ("isAlone", .bool(isAlone)),
                ("graceSeconds", .int(grace)),
            ])
        if counts.passedOver > 0 { circle.report.remark(counts.passedOver == 1 ? "One other file there is no picture." : "\(counts.passedOver) other files there are no pictures.") }
        if counts.untouched > 0 {
            circle.report.remark(
                "\(Amounts.photos(counts.untouched)) went out with whatever the camera wrote beside the picture: it can be taken out of JPEG, PNG and WebP alone, when they are not damaged.")
        }
        if counts.located > 0 {
            circle.report.remark(
                "\(Amounts.photos(counts.located)) say\(counts.located == 1 ? "s" : "") inside where \(counts.located == 1 ? "it was" : "they were") taken, and everyone here can read it.")
        }
        if Preview.maker == nil, counts.added > 0 { circle.report.remark("Without a program for previews the others see plain tiles at first: install libvips-tools or imagemagick.") }
        guard counts.added > 0 else { return }
        if isAlone {
            let after = "when this command has left, the relay keeps the photos for \(Amounts.seconds(grace))"
            circle.report.remark("Nobody else is here: \(after). `hearth join --background` or --stay keeps them longer.")
        } else {
            circle.report.remark("The relay keeps the photos while somebody is here, and \(Amounts.seconds(grace)) longer.")
        }
    }
}
