// One thing that the ledger was asked to do, from the asking until its answer.

import Relay

enum LedgerEffect {
    case reads
    case writes
    /// Takes something away that is to be gone from the disk, not only from the tables.
    case erases
}

protocol LedgerWork: AnyObject, Sendable {
    var effect: LedgerEffect { get }
    /// May be run again, when the transaction it was first run in could not be committed.
    func run(_ rows: inout LedgerRows) throws(StoreError)
    /// Answers, once: with what the last run gave, or with the error.
    func settle(_ error: StoreError?)
}

/// Used by one thread at a time: made by the asker, then only on the ledger's own queue.
final class LedgerQuestion<Value: Sendable>: LedgerWork, @unchecked Sendable {
    typealias Body = @Sendable (inout LedgerRows) throws(StoreError) -> Value

    let effect: LedgerEffect
    private let body: Body
    private let answer: CheckedContinuation<Result<Value, StoreError>, Never>
    private var value: Value?

    init(_ effect: LedgerEffect, _ body: @escaping Body, answer: CheckedContinuation<Result<Value, StoreError>, Never>) {
        self.effect = effect
        self.body = body
        self.answer = answer
    }

    func run(_ rows: inout LedgerRows) throws(StoreError) { value = try body(&rows) }

    func settle(_ error: StoreError?) {
        if let error {
            answer.resume(returning: .failure(error))
        } else if let value {
            answer.resume(returning: .success(value))
        } else {
            answer.resume(returning: .failure(.failed("the ledger is closed")))
        }
    }
}
