// What the contract cannot ask of a store in memory: restarts, many at once, what stays on the disk.

import Glibc
import Relay
import Testing
import Wire

@testable import RelayStorage

@Suite struct LedgerOnDiskTests {
    private let conversation = ConversationID(Bytes16(high: 1, low: 2))
    private let digest = [UInt8](repeating: 7, count: 32)

    private func entry(_ number: UInt64, session: SessionID = .own, sealed: [UInt8] = [1, 2, 3]) -> StoredEntry {
        StoredEntry(session: session, entry: EntryID(Bytes16(high: 3, low: number)), putter: ParticipantID(Bytes16(high: 4, low: 5)), sealed: sealed)
    }

    private func open(_ directory: String) throws -> SQLiteLedgerStore { try SQLiteLedgerStore(path: directory + "/ledger.sqlite") }

    @Test func `everything is there after a restart, and versions go on growing`() async throws {
        try await withDirectory { directory in
            var store = try open(directory)
            try await store.create(conversation, tokenDigest: digest)
            let first = try await store.put(entry(1), in: conversation)
            let second = try await store.put(entry(2), in: conversation)
            try await store.remove(EntryID(Bytes16(high: 3, low: 2)), session: .own, in: conversation)
            store.close()
            store = try open(directory)
            defer { store.close() }
            let kept = try await store.conversations()
            #expect(kept.map(\.id) == [conversation])
            #expect(kept.first?.tokenDigest == digest)
            #expect(kept.first?.entries.map(\.version) == [first])
            #expect(kept.first?.entries.first?.sealedSizeBytes == 3)
            // The removed entry had the greatest version; it must not be given again.
            #expect(try await store.put(entry(3), in: conversation) > second)
        }
    }

    @Test func `a thousand entries put at once are all kept, each with a version of its own, in few transactions`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            defer { store.close() }
            try await store.create(conversation, tokenDigest: digest)
            let before = store.transactionCount
            let versions = try await withThrowingTaskGroup(of: UInt64.self) { group in
                for number in 0..<1_000 { group.addTask { try await store.put(entry(UInt64(number)), in: conversation) } }
                return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
            }
            #expect(versions.count == 1_000)
            #expect(store.transactionCount - before < 900)
            #expect(try await store.page(of: .own, in: conversation, after: 0, limitBytes: 1 << 20).count == 1_000)
        }
    }

    @Test func `one change that cannot be made does not take those beside it down`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            defer { store.close() }
            try await store.create(conversation, tokenDigest: digest)
            let unknown = ConversationID(Bytes16(high: 9, low: 9))
            let kept = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask { (try? await store.put(entry(UInt64(number)), in: number % 10 == 0 ? unknown : conversation)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(kept == 90)
            #expect(try await store.page(of: .own, in: conversation, after: 0, limitBytes: 1 << 20).count == 90)
        }
    }

    @Test func `what was removed is gone from the files too`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            defer { store.close() }
            let secret = Array("a sealed entry that nobody is to find again".utf8)
            try await store.create(conversation, tokenDigest: digest)
            for number in 0..<50 { _ = try await store.put(entry(UInt64(number), sealed: secret + [UInt8](repeating: UInt8(number), count: 5_000)), in: conversation) }
            func isOnDisk() -> Bool { names(in: directory).contains { contents("\(directory)/\($0)").contains(secret) } }
            #expect(isOnDisk())
            try await store.removeConversation(conversation)
            #expect(!isOnDisk())
            #expect(contents(directory + "/ledger.sqlite").count < 100_000)
        }
    }

    @Test func `a ledger of a newer relay is refused and left as it is`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            store.close()
            do {
                let connection = try SQLiteConnection(path: directory + "/ledger.sqlite")
                try connection.execute("PRAGMA user_version = 99")
            }
            #expect(throws: StoreError.self) { try open(directory) }
        }
    }

    @Test(arguments: [1, 2])
    func `a ledger of an earlier version is taken up with all that it has, and has room for doors and for names of sessions that are over`(version: Int) async throws {
        try await withDirectory { directory in
            do {
                let connection = try SQLiteConnection(path: directory + "/ledger.sqlite")
                try connection.execute(
                    """
                    CREATE TABLE conversation (id BLOB PRIMARY KEY NOT NULL, token_digest BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE entry (
                        conversation BLOB NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
                        session BLOB NOT NULL, entry BLOB NOT NULL, putter BLOB NOT NULL,
                        version INTEGER NOT NULL, flags INTEGER NOT NULL, body_length INTEGER NOT NULL, sealed BLOB NOT NULL,
                        PRIMARY KEY (conversation, session, entry));
                    CREATE INDEX entry_by_version ON entry (conversation, session, version);
                    CREATE TABLE counter (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
                    INSERT INTO counter VALUES ('version', 41);
                    INSERT INTO conversation VALUES (x'00000000000000010000000000000002', x'07');
                    INSERT INTO entry VALUES (x'00000000000000010000000000000002', zeroblob(16), zeroblob(16), zeroblob(16), 41, 0, 0, x'010203');
                    \(version == 1 ? "" : "CREATE TABLE door (conversation BLOB PRIMARY KEY NOT NULL REFERENCES conversation (id) ON DELETE CASCADE, mode INTEGER NOT NULL, closes_at INTEGER NOT NULL, pass_digest BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;")
                    PRAGMA user_version = \(version);
                    """)
            }
            var store = try open(directory)
            let door = StoredDoor(door: Door(mode: .locked, closesAtSeconds: 5, sealed: [6]), passDigest: digest)
            try await store.setDoor(door, in: conversation)
            try await store.removeSession(SessionID(Bytes16(high: 8, low: 8)), in: conversation)
            store.close()
            store = try open(directory)
            defer { store.close() }
            let kept = try await store.conversations()
            #expect(kept.map(\.id) == [conversation])
            #expect(kept.first?.entries.map(\.version) == [41])
            #expect(kept.first?.door == door)
            #expect(kept.first?.endedSessions == [SessionID(Bytes16(high: 8, low: 8))])
        }
    }

    @Test func `the pass of a door is gone from the files with its conversation`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            defer { store.close() }
            let sealed = Array("a sealed pass that nobody is to find again".utf8)
            try await store.create(conversation, tokenDigest: digest)
            try await store.setDoor(StoredDoor(door: Door(mode: .knock, closesAtSeconds: 0, sealed: sealed), passDigest: digest), in: conversation)
            func isOnDisk() -> Bool { names(in: directory).contains { contents("\(directory)/\($0)").contains(sealed) } }
            #expect(isOnDisk())
            try await store.removeConversation(conversation)
            #expect(!isOnDisk())
        }
    }

    @Test func `a full disk is told as such, and what was kept before is still there`() async throws {
        try await withDirectory { directory in
            let store = try open(directory)
            defer { store.close() }
            try await store.create(conversation, tokenDigest: digest)
            _ = try await store.put(entry(1), in: conversation)
            store.limitPages(to: 40)
            let large = [UInt8](repeating: 1, count: 120_000)
            await #expect(throws: StoreError.full) { for number in UInt64(2)..<10 { _ = try await store.put(entry(number, sealed: large), in: conversation) } }
            #expect(try await store.page(of: .own, in: conversation, after: 0, limitBytes: 1).map(\.entry) == [EntryID(Bytes16(high: 3, low: 1))])
            store.limitPages(to: 100_000)
            _ = try await store.put(entry(20, sealed: large), in: conversation)
        }
    }

    @Test func `a file that is no database is refused with its name`() async throws {
        try await withDirectory { directory in
            let file = fopen(directory + "/ledger.sqlite", "w")!
            fputs(String(repeating: "not a database. ", count: 100), file)
            fclose(file)
            #expect(throws: StoreError.self) { try open(directory) }
        }
    }
}
