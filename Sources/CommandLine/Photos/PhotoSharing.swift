// Puts pictures into a session: the words about each, its preview, its bytes.

import Conversations
import Foundation
import Sealing
import Wire

struct PhotoSharing: Sendable {
    static let announcement = EntryBody.Announcement(
        activityIdentifier: Command.galleryIdentifier, activity: Array(#"{"title":"Shared photos"}"#.utf8),
        metadata: Array(#"{"title":"Shared photos","subtitle":"Photos for everyone who is here","type":"generic"}"#.utf8))

    let participation: Participation
    let session: SessionID
    let owner: String
    let caption: String
    let board: TransferBoard

    /// Returns once everything is on the relay's disk.
    func share(_ picture: PictureFile, addedAtMilliseconds: Int) async throws(Program.Complaint) -> EntryID {
        // Made on a thread that may block: decoding takes its time.
        let preview = await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: Preview.make(picture)) } }
        let metadata = Self.metadata(picture, preview: preview, owner: owner, caption: caption, addedAtMilliseconds: addedAtMilliseconds, name: Self.freshName())
        let source: any AttachmentSource
        do throws(ConversationError) { source = try picture.source() } catch { throw Program.Complaint(exit: .cannotRead, text: "It cannot be read.") }
        guard SeenFile(path: picture.path)?.sizeBytes == picture.fileSizeBytes else { throw Program.Complaint(exit: .cannotRead, text: "It changed while it was read. Add it again.") }
        let sending = try await participation.doing { () async throws(ConversationError) in
            try await participation.conversation.add(source, metadata: Array(metadata.text.utf8), in: session, onProgress: board.handler(for: picture.path))
        }
        do { try await sending.upload.value } catch {
            throw participation.complaint(error as? ConversationError ?? ConversationError(ofEnd: nil))
        }
        return sending.entry
    }

    static func metadata(_ picture: PictureFile, preview: [UInt8]?, owner: String, caption: String, addedAtMilliseconds: Int, name: String) -> JSONLine {
        .object([
            ("version", 1), ("photo", .string(name)), ("name", .string(travelling(picture.name))), ("type", .string(picture.format.type)), ("size", .int(picture.sizeBytes)),
            ("width", .int(picture.width)), ("height", .int(picture.height)), ("takenAt", JSONLine(picture.takenAt)), ("addedAt", .int(addedAtMilliseconds)), ("owner", .string(owner)),
            ("animated", .bool(picture.isAnimated)), ("digest", .string(picture.digest)), ("caption", .string(caption)),
            ("thumbnail", preview.map { .string(Data($0).base64EncodedString()) } ?? nil),
        ])
    }

    /// Cut to what a name may have on its way, with its ending kept and no character cut in two.
    static func travelling(_ name: String) -> String {
        guard name.utf16.count > Photo.nameLimitCharacters else { return name }
        let ending = name.firstMatch(of: /\.[A-Za-z0-9]{1,8}$/).map { String($0.output) } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf16.count + ending.utf16.count > Photo.nameLimitCharacters { stem.removeLast() }
        return stem + ending
    }

    private static func freshName() -> String { UUID().uuidString.replacing("-", with: "").lowercased() }
}
