// The stores on disk keep the stores' contracts.

import Glibc
import Relay
import RelayStorage
import StoreContracts
import Testing

@Suite struct ContractTests {
    @Test(arguments: LedgerStoreContract.clauses)
    func `a ledger in SQLite`(_ clause: Clause<any LedgerStore>) async throws {
        try await withDirectory { directory in
            let store = try SQLiteLedgerStore(path: directory + "/ledger.sqlite")
            defer { store.close() }
            try await clause.check(store)
        }
    }

    @Test(arguments: AttachmentStoreContract.clauses)
    func `bodies in files`(_ clause: Clause<any AttachmentStore>) async throws {
        try await withDirectory { directory in try await clause.check(FileAttachmentStore(directory: directory + "/bodies")) }
    }
}
