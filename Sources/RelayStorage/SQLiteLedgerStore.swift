// Ledgers in one SQLite database. A queue of its own works off what is asked; what waits together is committed together,
// so that a hundred entries put at once cost one write to the disk and not a hundred.

import Dispatch
import Relay
import Synchronization
import Wire

public final class SQLiteLedgerStore: LedgerStore {
    private struct Waiting {
        var work: [any LedgerWork] = []
        var isScheduled = false
    }

    /// Opened rows, on `queue` only.
    private final class Desk: @unchecked Sendable {
        var rows: LedgerRows?
        var transactionCount = 0
        init(_ rows: LedgerRows) { self.rows = rows }
    }

    private let queue = DispatchQueue(label: "hearth.ledger")
    private let waiting = Mutex(Waiting())
    private let desk: Desk

    /// Opens or makes the database. Blocks; throws when it cannot be read, or was written by a newer relay.
    public init(path: String) throws(StoreError) {
        let connection = try SQLiteConnection(path: path)
        try LedgerSchema.prepare(connection)
        desk = Desk(try LedgerRows(connection))
    }

    /// Works off what waits, then closes the database. Whatever is asked afterwards fails.
    public func close() {
        queue.sync {
            workOff()
            desk.rows = nil
        }
    }

    public func conversations() async throws(StoreError) -> [StoredConversation] {
        try await ask(.reads) { rows throws(StoreError) in try rows.conversations() }
    }

    public func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError) {
        try await ask(.writes) { rows throws(StoreError) in try rows.create(conversation, tokenDigest: tokenDigest) }
    }

    public func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64 {
        try await ask(.writes) { rows throws(StoreError) in try rows.put(entry, in: conversation) }
    }

    public func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await ask(.erases) { rows throws(StoreError) in try rows.remove(entry, session: session, in: conversation) }
    }

    public func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await ask(.erases) { rows throws(StoreError) in try rows.removeSession(session, in: conversation) }
    }

    public func removeConversation(_ conversation: ConversationID) async throws(StoreError) {
        try await ask(.erases) { rows throws(StoreError) in try rows.removeConversation(conversation) }
    }

    public func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError) {
        try await ask(.writes) { rows throws(StoreError) in try rows.setDoor(door, in: conversation) }
    }

    public func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) async throws(StoreError) -> [StoredEntry] {
        try await ask(.reads) { rows throws(StoreError) in
            try rows.page(of: session, in: conversation, after: version, limitBytes: limitBytes)
        }
    }

    /// How many transactions there were, for tests of what waits together.
    var transactionCount: Int { queue.sync { desk.transactionCount } }

    /// Lets the database grow to this many pages only, for tests of a full disk.
    func limitPages(to count: Int) { queue.sync { _ = attempt { () throws(StoreError) in try desk.rows?.connection.execute("PRAGMA max_page_count = \(count)") } } }

    private func ask<Value: Sendable>(_ effect: LedgerEffect, _ body: @escaping LedgerQuestion<Value>.Body) async throws(StoreError) -> Value {
        let answer = await withCheckedContinuation { continuation in
            let question = LedgerQuestion(effect, body, answer: continuation)
            let isFirst = waiting.withLock { waiting in
                waiting.work.append(question)
                defer { waiting.isScheduled = true }
                return !waiting.isScheduled
            }
            if isFirst { queue.async { self.workOff() } }
        }
        return try answer.get()
    }

    /// Takes everything that waits and answers it.
    private func workOff() {
        let work = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.work
        }
        guard !work.isEmpty else { return }
        guard let rows = desk.rows else {
            for item in work { item.settle(.failed("the ledger is closed")) }
            return
        }
        if work.allSatisfy({ $0.effect == .reads }) {
            for item in work { item.settle(attempt { () throws(StoreError) in try item.run(&desk.rows!) }) }
            return
        }
        if attempt({ () throws(StoreError) in try commit(work, rows.connection) }) == nil {
            for item in work { item.settle(nil) }
        } else {
            // One of them, or all together, could not be stored: each on its own, so that one does not take the others down.
            for item in work { item.settle(attempt { () throws(StoreError) in try commit([item], rows.connection) }) }
        }
    }

    /// Runs `work` in one transaction. When this returns it is on the disk; when it throws nothing of it is.
    private func commit(_ work: [any LedgerWork], _ connection: SQLiteConnection) throws(StoreError) {
        desk.transactionCount += 1
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            for item in work { try item.run(&desk.rows!) }
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { _ = attempt { () throws(StoreError) in try connection.execute("ROLLBACK") } }
            throw error
        }
        if work.contains(where: { $0.effect == .erases }) {
            // Give the room back and empty the write-ahead log, where what was removed still stands. Done again at the next
            // removal if the disk does not let it happen now.
            _ = attempt { () throws(StoreError) in
                try connection.execute("PRAGMA incremental_vacuum")
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    private func attempt(_ body: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try body()
            return nil
        } catch { return error }
    }
}
