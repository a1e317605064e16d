// What outlives the relay: a ledger that is safe once it has answered, and bodies that are safe once they have been synced.

import Relay
import Wire

/// Used on the world's thread only.
final class SimulatedDisk {
    struct Part {
        let bytes: [UInt8]
        var isSynced = false
    }

    private struct Kept {
        let tokenDigest: [UInt8]
        var entries: [SessionID: [EntryID: StoredEntry]] = [:]
        var door: StoredDoor?
        var ended = EndedSessions()
    }

    private var kept: [ConversationID: Kept] = [:]
    private var lastVersion: UInt64 = 0
    /// A relay that dies at once has told nobody.
    private(set) var endedSessions: Set<SessionID> = []
    private(set) var parts: [AttachmentName: [Int: Part]] = [:]
    /// Names that were taken away and whose directory was not synced since.
    private var erased: [AttachmentName: [Int: Part]] = [:]
    var isFull = false

    var isEmpty: Bool { kept.isEmpty && parts.isEmpty }

    // MARK: Ledger

    func conversations() -> [StoredConversation] {
        kept.map { id, kept in
            let entries = kept.entries.values.flatMap(\.values).sorted { $0.version < $1.version }
            return StoredConversation(id: id, tokenDigest: kept.tokenDigest, entries: entries.map(StoredEntryHead.init), door: kept.door, endedSessions: kept.ended.inOrder)
        }
    }

    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) throws(StoreError) {
        if kept[conversation] != nil { throw .failed("the conversation is there already") }
        kept[conversation] = Kept(tokenDigest: tokenDigest)
    }

    func put(_ entry: StoredEntry, in conversation: ConversationID) throws(StoreError) -> UInt64 {
        if kept[conversation] == nil { throw .failed("no such conversation") }
        lastVersion += 1
        var stored = entry
        stored.version = lastVersion
        kept[conversation]?.entries[entry.session, default: [:]][entry.entry] = stored
        return lastVersion
    }

    func setDoor(_ door: StoredDoor, in conversation: ConversationID) throws(StoreError) {
        if kept[conversation] == nil { throw .failed("no such conversation") }
        kept[conversation]?.door = door
    }

    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) { kept[conversation]?.entries[session]?[entry] = nil }
    func removeSession(_ session: SessionID, in conversation: ConversationID) {
        kept[conversation]?.entries[session] = nil
        kept[conversation]?.entries[.own]?[EntryID(session.bytes)] = nil
        kept[conversation]?.ended.insert(session)
        endedSessions.insert(session)
    }

    func removeConversation(_ conversation: ConversationID) { kept[conversation] = nil }

    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) -> [StoredEntry] {
        var page: [StoredEntry] = []
        var sizeBytes = 0
        for entry in entries(of: session, in: conversation) where entry.version > version && (page.isEmpty || sizeBytes < limitBytes) {
            page.append(entry)
            sizeBytes += entry.sealed.count
        }
        return page
    }

    /// In order of version.
    func entries(of session: SessionID, in conversation: ConversationID) -> [StoredEntry] {
        (kept[conversation]?.entries[session] ?? [:]).values.sorted { $0.version < $1.version }
    }

    // MARK: Bodies

    func publish(_ bytes: [UInt8], as part: PartName) { parts[part.attachment, default: [:]][part.number] = Part(bytes: bytes) }

    func sync(_ attachment: AttachmentName) {
        for number in (parts[attachment] ?? [:]).keys { parts[attachment]?[number]?.isSynced = true }
    }

    func erase(where isMeant: (AttachmentName) -> Bool) {
        for name in parts.keys.filter(isMeant) { erased[name, default: [:]].merge(parts.removeValue(forKey: name) ?? [:]) { $1 } }
    }

    /// The machine stops: what was not synced may be gone, and what was erased may be back.
    func losePower(_ dice: inout Dice, noting note: (String) -> Void) {
        for name in parts.keys.sorted(by: Self.precedes) {
            for number in (parts[name] ?? [:]).keys.sorted() where parts[name]?[number]?.isSynced == false && dice.happens(0.5) {
                parts[name]?[number] = nil
                note("an unsynced part is lost")
            }
            if parts[name]?.isEmpty == true { parts[name] = nil }
        }
        for (name, lost) in erased.sorted(by: { Self.precedes($0.key, $1.key) }) where dice.happens(0.5) {
            parts[name, default: [:]].merge(lost) { now, _ in now }
            note("an erased body is back")
        }
        for name in parts.keys { for number in (parts[name] ?? [:]).keys { parts[name]?[number]?.isSynced = true } }
        erased = [:]
    }

    private static func precedes(_ left: AttachmentName, _ right: AttachmentName) -> Bool {
        (left.entry.bytes.high, left.entry.bytes.low) < (right.entry.bytes.high, right.entry.bytes.low)
    }
}
