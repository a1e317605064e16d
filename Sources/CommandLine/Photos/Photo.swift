// A photo as its entry tells of it: what a stranger says, checked field by field, and no more believed than that.

import Conversations
import Foundation
import Sealing
import Wire

struct Photo: Equatable, Sendable {
    let id: EntryID
    let version: UInt64
    /// As it travelled; a stranger's text.
    let name: String
    /// Of the file, as its manifest binds it.
    let sizeBytes: Int
    /// `nil` for a type that is not known here.
    let format: PictureFormat?
    let width: Int
    let height: Int
    let takenAt: String?
    let addedAtMilliseconds: Int
    let owner: String
    let caption: String
    /// 64 hexadecimal digits, or nothing.
    let digest: String
    /// Everything is on the relay.
    let isComplete: Bool

    static let nameLimitCharacters = 255
    private static let captionLimitCharacters = 300
    private static let edgeLimitPixels = 1_000_000

    /// - Parameter maker: the name of whoever signed it, where it is known; it counts before what the metadata says.
    init?(_ entry: LedgerEntry, maker: String?) {
        guard case .attachment(let manifest) = entry.body else { return nil }
        let fields = (try? JSONSerialization.jsonObject(with: Data(manifest.metadata))) as? [String: Any] ?? [:]
        func text(_ key: String, _ limit: Int) -> String { (fields[key] as? String).flatMap { $0.utf16.count <= limit ? $0 : nil } ?? "" }
        func number(_ key: String, _ limit: Int) -> Int { (fields[key] as? NSNumber).flatMap { Int(exactly: $0.doubleValue) }.flatMap { (1...limit).contains($0) ? $0 : nil } ?? 0 }
        let taken = text("takenAt", 25)
        let digest = text("digest", 64)
        id = entry.entry
        version = entry.version
        name = text("name", Self.nameLimitCharacters)
        sizeBytes = manifest.plainSizeBytes
        format = PictureFormat(type: text("type", 64))
        width = number("width", Self.edgeLimitPixels)
        height = number("height", Self.edgeLimitPixels)
        takenAt = taken.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([+\-][0-9]{2}:[0-9]{2})?/) != nil && Exif.isOnCalendar(String(taken.prefix(19))) ? taken : nil
        addedAtMilliseconds = number("addedAt", 1 << 53 - 1)
        owner = maker ?? text("owner", Self.nameLimitCharacters)
        caption = text("caption", Self.captionLimitCharacters)
        self.digest = digest.wholeMatch(of: /[0-9a-f]{64}/) != nil ? digest : ""
        isComplete = entry.isBodyComplete
    }

    static func all(_ snapshot: SessionSnapshot, _ conversation: Conversation) async -> [Photo] {
        var photos: [Photo] = []
        for entry in snapshot.entries { if let photo = Photo(entry, maker: await conversation.name(of: entry.maker)) { photos.append(photo) } }
        return photos
    }

    static func all(in session: SessionID, _ conversation: Conversation) async -> [Photo] {
        guard let snapshot = await conversation.session(session) else { return [] }
        return await all(snapshot, conversation)
    }

    /// 32 hexadecimal digits: no character in it means anything to a shell.
    var hexadecimalID: String { Self.hexadecimal(id.bytes.high) + Self.hexadecimal(id.bytes.low) }
    var shortID: String { String(hexadecimalID.prefix(8)) }
    var shownName: String { name.isEmpty ? "(without a name)" : ShownText.line(name) }
    var shownOwner: String { owner.isEmpty ? "somebody" : ShownText.line(owner) }
    var shownDate: String { takenAt.map { String($0.prefix(16)).replacing("T", with: " ") } ?? Moment.day(milliseconds: addedAtMilliseconds) }

    var fields: [(String, JSONLine)] {
        [
            ("id", .string(hexadecimalID)), ("name", .string(name)), ("owner", .string(owner)), ("bytes", .int(sizeBytes)), ("type", JSONLine(format?.type)), ("width", .int(width)),
            ("height", .int(height)), ("takenAt", JSONLine(takenAt)), ("addedAt", .int(addedAtMilliseconds)), ("caption", .string(caption)), ("isComplete", .bool(isComplete)),
        ]
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
