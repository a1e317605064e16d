// One sentence of a store's contract, as a check that every implementation's tests run.

/// Use: `@Test(arguments: LedgerStoreContract.clauses) func holds(_ clause: Clause<any LedgerStore>) async throws { try await clause.check(store) }`
/// with a new, empty store for each clause.
public struct Clause<Store>: Sendable, CustomStringConvertible {
    public let claim: String
    public let check: @Sendable (Store) async throws -> Void

    public var description: String { claim }

    init(_ claim: String, _ check: @escaping @Sendable (Store) async throws -> Void) {
        self.claim = claim
        self.check = check
    }
}

/// What was expected and did not hold.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(description: message()) }
}
