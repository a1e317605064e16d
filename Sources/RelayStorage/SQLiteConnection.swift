// One SQLite database handle, as Swift wants it: errors thrown, statements prepared once. Used on one thread at a time.

import CSQLite
import Relay

final class SQLiteConnection {
    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]

    init(path: String) throws(StoreError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw .failed("\(path): \(message)")
        }
        handle = opened
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs statements that give no rows, and pragmas whose rows do not matter.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }

    /// The prepared form of `sql`, reset and ready for its values. Kept for the next time.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let kept = statements[sql] {
            kept.reset()
            return kept
        }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw error(code) }
        let statement = SQLiteStatement(prepared)
        statements[sql] = statement
        return statement
    }

    /// Runs a statement to its end.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        statement.bind(values)
        while try step(statement) {}
    }

    /// True when there is a row to read, false at the end.
    func step(_ statement: SQLiteStatement) throws(StoreError) -> Bool {
        let code = sqlite3_step(statement.handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw error(code)
    }

    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try step(statement) ? statement.integer(0) : nil
    }

    var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// False once SQLite has rolled a transaction back by itself, as it does when the disk is full.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func error(_ code: Int32) -> StoreError {
        switch code & 0xff {
        case SQLITE_FULL: return .full
        case SQLITE_IOERR where sqlite3_system_errno(handle).meansFull: return .full
        default: return .failed("SQLite \(code): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}
