// The stores in memory hold the contract too.

import Relay
import StoreContracts
import Testing

@Suite("Stores in memory") struct StoreContractTests {
    @Test("ledger:", arguments: LedgerStoreContract.clauses) func ledger(_ clause: Clause<any LedgerStore>) async throws {
        try await clause.check(InMemoryLedgerStore())
    }

    @Test("attachments:", arguments: AttachmentStoreContract.clauses) func attachments(_ clause: Clause<any AttachmentStore>) async throws {
        try await clause.check(InMemoryAttachmentStore())
    }
}
