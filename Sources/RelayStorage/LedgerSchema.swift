// The ledger's tables, and the step from an older form of them to this one.

import Relay

enum LedgerSchema {
    static let version: Int64 = 3

    private static let door = """
        CREATE TABLE door (
            conversation BLOB PRIMARY KEY NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
            mode INTEGER NOT NULL, closes_at INTEGER NOT NULL, pass_digest BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;
        """

    /// `number` is the order of the ends.
    private static let ended = """
        CREATE TABLE ended_session (
            number INTEGER PRIMARY KEY NOT NULL, conversation BLOB NOT NULL REFERENCES conversation (id) ON DELETE CASCADE, session BLOB NOT NULL,
            UNIQUE (conversation, session));
        """

    /// Makes the tables in a new database and adds what an older one lacks; refuses one that a newer relay has written.
    static func prepare(_ connection: SQLiteConnection) throws(StoreError) {
        // auto_vacuum counts only before the first table is made; secure_delete overwrites what is removed.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA journal_size_limit = 16777216")
        let found = try connection.integer("PRAGMA user_version") ?? 0
        switch found {
        case version: return
        case 0: try create(connection)
        case 1: try connection.execute("BEGIN IMMEDIATE; \(door) \(ended) PRAGMA user_version = \(version); COMMIT;")
        case 2: try connection.execute("BEGIN IMMEDIATE; \(ended) PRAGMA user_version = \(version); COMMIT;")
        default: throw .failed("the data directory was written by a newer relay (ledger schema \(found), this one knows \(version))")
        }
    }

    private static func create(_ connection: SQLiteConnection) throws(StoreError) {
        try connection.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE conversation (id BLOB PRIMARY KEY NOT NULL, token_digest BLOB NOT NULL) WITHOUT ROWID;
            CREATE TABLE entry (
                conversation BLOB NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
                session BLOB NOT NULL, entry BLOB NOT NULL, putter BLOB NOT NULL,
                version INTEGER NOT NULL, flags INTEGER NOT NULL, body_length INTEGER NOT NULL, sealed BLOB NOT NULL,
                PRIMARY KEY (conversation, session, entry));
            CREATE INDEX entry_by_version ON entry (conversation, session, version);
            CREATE TABLE counter (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO counter VALUES ('version', 0);
            \(door)
            \(ended)
            PRAGMA user_version = \(version);
            COMMIT;
            """)
    }
}
