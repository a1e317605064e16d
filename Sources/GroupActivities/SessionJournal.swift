// The attachments of one session as they stand, for every journal that is made of it.

import Conversations
import Sealing
import Synchronization
import Wire

/// An attachment as its entry says it is.
struct JournalEntry: Sendable {
    let entry: EntryID
    let manifest: Manifest
    let maker: ParticipantID
    let owner: Participant?
}

final class SessionJournal: Sendable {
    private struct State {
        var entries: [JournalEntry] = []
        /// The whole ledger has been seen once.
        var isKnown = false
        var isClosed = false
        var readers: [UInt64: AsyncStream<[JournalEntry]>.Continuation] = [:]
        var lastNumber: UInt64 = 0
        var uploads: [EntryID: Task<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    func show(_ ledger: [LedgerEntry], isInSync: Bool, owners: Set<Participant>) {
        let entries: [JournalEntry] = ledger.compactMap { entry in
            guard case .attachment(let manifest) = entry.body else { return nil }
            return JournalEntry(entry: entry.entry, manifest: manifest, maker: entry.maker, owner: owners.first { $0.name == entry.maker })
        }
        state.withLock { state in
            let isFirst = isInSync && !state.isKnown
            if isInSync { state.isKnown = true }
            // A list is told when it is whole; an entry that changes only in what is uploaded is the same attachment.
            let isChanged = Set(entries.map(\.entry)) != Set(state.entries.map(\.entry))
            state.entries = entries.sortedAsBefore(state.entries)
            guard state.isKnown, isFirst || isChanged else { return }
            for reader in state.readers.values { reader.yield(state.entries) }
        }
    }

    func read() -> (AsyncStream<[JournalEntry]>, UInt64) {
        // A list that nobody has looked at gives way to a newer one.
        let (stream, continuation) = AsyncStream.makeStream(of: [JournalEntry].self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastNumber += 1
            if state.isKnown { continuation.yield(state.entries) }
            if state.isClosed { continuation.finish() } else { state.readers[state.lastNumber] = continuation }
            return state.lastNumber
        }
        return (stream, number)
    }

    func stop(_ number: UInt64) {
        let reader = state.withLock { $0.readers.removeValue(forKey: number) }
        reader?.finish()
    }

    func close() {
        let (readers, uploads) = state.withLock { state in
            defer { (state.readers, state.uploads) = ([:], [:]) }
            state.isClosed = true
            return (Array(state.readers.values), Array(state.uploads.values))
        }
        for reader in readers { reader.finish() }
        for upload in uploads { upload.cancel() }
    }

    // MARK: Uploads

    func began(_ entry: EntryID, _ upload: Task<Void, any Error>) { state.withLock { $0.uploads[entry] = upload } }

    func ended(_ entry: EntryID) { state.withLock { $0.uploads[entry] = nil } }

    /// Those under way, stopped.
    func unfinishedUploads() -> [EntryID] {
        let uploads = state.withLock { state in
            defer { state.uploads = [:] }
            return state.uploads
        }
        for upload in uploads.values { upload.cancel() }
        return Array(uploads.keys)
    }
}

extension [JournalEntry] {
    /// In the order in which they were first seen: a final entry has a later version than the one it replaces, and stays where that was.
    fileprivate func sortedAsBefore(_ before: [JournalEntry]) -> [JournalEntry] {
        let places = Dictionary(before.enumerated().map { ($1.entry, $0) }, uniquingKeysWith: { first, _ in first })
        return enumerated().sorted { left, right in
            (places[left.element.entry] ?? before.count + left.offset) < (places[right.element.entry] ?? before.count + right.offset)
        }.map(\.element)
    }
}
