// A prepared statement: values in by position, columns out by position.

import CSQLite

enum SQLiteValue {
    case integer(Int64)
    case bytes([UInt8])
}

final class SQLiteStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }
    deinit { sqlite3_finalize(handle) }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func bind(_ values: [SQLiteValue]) {
        // The destructor constant SQLITE_TRANSIENT (-1): SQLite copies before the call returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, value) in values.enumerated() {
            switch value {
            case .integer(let number): sqlite3_bind_int64(handle, Int32(index + 1), number)
            case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, Int32(index + 1), 0)
            case .bytes(let bytes): sqlite3_bind_blob64(handle, Int32(index + 1), bytes, UInt64(bytes.count), transient)
            }
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func bytes(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let base = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }
}
