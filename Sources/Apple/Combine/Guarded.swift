// A value behind a lock, for state that several threads touch. Combine's closures are not Sendable, so neither is what is kept here.

import Foundation

final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs `body` alone. It must call nothing that belongs to others: what is released is carried out and dropped by the caller.
    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}

/// Carries a value over a boundary that the compiler cannot see to be safe; a lock or a queue makes it so.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
}
