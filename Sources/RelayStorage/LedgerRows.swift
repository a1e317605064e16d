// The statements of the ledger: one function for each thing that the store is asked to do.

import Relay
import Wire

struct LedgerRows {
    let connection: SQLiteConnection
    /// The last version given, so that none is given twice even when a transaction is rolled back.
    private(set) var lastVersion: UInt64

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        lastVersion = UInt64(try connection.integer("SELECT value FROM counter WHERE name = 'version'") ?? 0)
    }

    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) throws(StoreError) {
        try connection.run("INSERT INTO conversation VALUES (?, ?)", .id(conversation), .bytes(tokenDigest))
    }

    mutating func put(_ entry: StoredEntry, in conversation: ConversationID) throws(StoreError) -> UInt64 {
        lastVersion += 1
        let version = Int64(lastVersion)
        try connection.run("UPDATE counter SET value = ? WHERE name = 'version'", .integer(version))
        try connection.run(
            """
            INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET putter = excluded.putter, version = excluded.version,
            flags = excluded.flags, body_length = excluded.body_length, sealed = excluded.sealed
            """,
            .id(conversation), .id(entry.session), .id(entry.entry), .id(entry.putter), .integer(version), .integer(flags(entry)),
            .integer(Int64(entry.bodyLengthBytes)), .bytes(entry.sealed))
        return lastVersion
    }

    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) throws(StoreError) {
        try connection.run("DELETE FROM entry WHERE conversation = ? AND session = ? AND entry = ?", .id(conversation), .id(session), .id(entry))
    }

    func removeSession(_ session: SessionID, in conversation: ConversationID) throws(StoreError) {
        try connection.run(
            "DELETE FROM entry WHERE conversation = ? AND (session = ? OR session = ? AND entry = ?)", .id(conversation), .id(session), .id(SessionID.own), .id(session))
        // Of a conversation that is not there nothing is kept.
        try connection.run(
            "INSERT INTO ended_session (conversation, session) SELECT id, ? FROM conversation WHERE id = ? ON CONFLICT DO NOTHING", .id(session), .id(conversation))
        try connection.run(
            "DELETE FROM ended_session WHERE number IN (SELECT number FROM ended_session WHERE conversation = ? ORDER BY number DESC LIMIT -1 OFFSET ?)",
            .id(conversation), .integer(Int64(Limits.endedSessionCountLimit)))
    }

    func removeConversation(_ conversation: ConversationID) throws(StoreError) {
        try connection.run("DELETE FROM conversation WHERE id = ?", .id(conversation))
    }

    func setDoor(_ door: StoredDoor, in conversation: ConversationID) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO door VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET mode = excluded.mode, closes_at = excluded.closes_at,
            pass_digest = excluded.pass_digest, sealed = excluded.sealed
            """,
            .id(conversation), .integer(Int64(door.door.mode.rawValue)), .integer(Int64(clamping: door.door.closesAtSeconds)), .bytes(door.passDigest),
            .bytes(door.door.sealed))
    }

    private func door(of conversation: ConversationID) throws(StoreError) -> StoredDoor? {
        let statement = try connection.statement("SELECT mode, closes_at, pass_digest, sealed FROM door WHERE conversation = ?")
        defer { statement.reset() }
        statement.bind([.id(conversation)])
        guard try connection.step(statement) else { return nil }
        let mode = DoorMode(rawValue: UInt8(clamping: statement.integer(0)))
        let door = Door(mode: mode, closesAtSeconds: UInt64(clamping: statement.integer(1)), sealed: statement.bytes(3))
        return StoredDoor(door: door, passDigest: statement.bytes(2))
    }

    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) throws(StoreError) -> [StoredEntry] {
        let statement = try connection.statement(
            """
            SELECT session, entry, putter, version, flags, body_length, sealed FROM entry
            WHERE conversation = ? AND session = ? AND version > ? ORDER BY version
            """)
        defer { statement.reset() }
        statement.bind([.id(conversation), .id(session), .integer(Int64(clamping: version))])
        var page: [StoredEntry] = []
        var sizeBytes = 0
        while try connection.step(statement) {
            let flags = statement.integer(4)
            let entry = StoredEntry(
                session: statement.id(0), entry: statement.id(1), putter: statement.id(2), version: UInt64(statement.integer(3)),
                isPresenceBound: flags & 1 != 0, isBodyComplete: flags & 2 != 0, bodyLengthBytes: Int(statement.integer(5)), sealed: statement.bytes(6))
            sizeBytes += entry.sealed.count
            if !page.isEmpty && sizeBytes > limitBytes { break }
            page.append(entry)
        }
        return page
    }

    func conversations() throws(StoreError) -> [StoredConversation] {
        var found: [StoredConversation] = []
        let conversations = try connection.statement("SELECT id, token_digest FROM conversation ORDER BY id")
        defer { conversations.reset() }
        while try connection.step(conversations) {
            found.append(StoredConversation(id: conversations.id(0), tokenDigest: conversations.bytes(1), entries: []))
        }
        for index in found.indices {
            found[index].entries = try heads(of: found[index].id)
            found[index].door = try door(of: found[index].id)
            found[index].endedSessions = try endedSessions(of: found[index].id)
        }
        return found
    }

    private func endedSessions(of conversation: ConversationID) throws(StoreError) -> [SessionID] {
        let statement = try connection.statement("SELECT session FROM ended_session WHERE conversation = ? ORDER BY number")
        defer { statement.reset() }
        statement.bind([.id(conversation)])
        var sessions: [SessionID] = []
        while try connection.step(statement) { sessions.append(statement.id(0)) }
        return sessions
    }

    private func heads(of conversation: ConversationID) throws(StoreError) -> [StoredEntryHead] {
        let statement = try connection.statement(
            "SELECT session, entry, putter, version, flags, body_length, length(sealed) FROM entry WHERE conversation = ? ORDER BY version")
        defer { statement.reset() }
        statement.bind([.id(conversation)])
        var heads: [StoredEntryHead] = []
        while try connection.step(statement) {
            let flags = statement.integer(4)
            var head = StoredEntryHead(
                StoredEntry(
                    session: statement.id(0), entry: statement.id(1), putter: statement.id(2), version: UInt64(statement.integer(3)),
                    isPresenceBound: flags & 1 != 0, isBodyComplete: flags & 2 != 0, bodyLengthBytes: Int(statement.integer(5)), sealed: []))
            head.sealedSizeBytes = Int(statement.integer(6))
            heads.append(head)
        }
        return heads
    }

    private func flags(_ entry: StoredEntry) -> Int64 { (entry.isPresenceBound ? 1 : 0) | (entry.isBodyComplete ? 2 : 0) }
}

extension SQLiteValue {
    static func id(_ identifier: some Identifier) -> SQLiteValue {
        .bytes(
            (0..<16).map { index in
                UInt8(truncatingIfNeeded: (index < 8 ? identifier.bytes.high : identifier.bytes.low) >> UInt64(56 - 8 * (index % 8)))
            })
    }
}

extension SQLiteStatement {
    func id<ID: Identifier>(_ column: Int32) -> ID {
        let bytes = bytes(column)
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return ID(Bytes16(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8).prefix(8))))
    }
}
