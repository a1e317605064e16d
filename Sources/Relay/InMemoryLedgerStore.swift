// A ledger store without a disk, for tests and simulations: keeps what was put, can be told to fail, records what it was asked.

import Wire

public actor InMemoryLedgerStore: LedgerStore {
    public enum Call: Equatable, Sendable {
        case create(ConversationID)
        case put(EntryID, SessionID)
        case remove(EntryID, SessionID)
        case removeSession(SessionID)
        case removeConversation(ConversationID)
        case setDoor(ConversationID)
    }

    private struct Kept {
        let tokenDigest: [UInt8]
        var entries: [SessionID: [EntryID: StoredEntry]] = [:]
        var door: StoredDoor?
        var ended = EndedSessions()
    }

    private var kept: [ConversationID: Kept] = [:]
    private var lastVersion: UInt64 = 0
    public private(set) var calls: [Call] = []
    private var failure: StoreError?
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []

    public init() {}

    /// Every later change fails with this error; `nil`: they succeed again.
    public func fail(with error: StoreError?) { failure = error }

    /// Changes wait, as on a slow disk, until `release`.
    public func hold() { isHeld = true }

    public func release() {
        isHeld = false
        for waiting in held { waiting.resume() }
        held = []
    }

    private func change(_ call: Call) async throws(StoreError) {
        calls.append(call)
        if isHeld { await withCheckedContinuation { held.append($0) } }
        if let failure { throw failure }
    }

    public func conversations() async throws(StoreError) -> [StoredConversation] {
        kept.map { id, kept in
            let entries = kept.entries.values.flatMap(\.values).sorted { $0.version < $1.version }
            return StoredConversation(id: id, tokenDigest: kept.tokenDigest, entries: entries.map(StoredEntryHead.init), door: kept.door, endedSessions: kept.ended.inOrder)
        }
    }

    public func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError) {
        try await change(.create(conversation))
        guard kept[conversation] == nil else { throw .failed("the conversation is there already") }
        kept[conversation] = Kept(tokenDigest: tokenDigest)
    }

    public func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64 {
        try await change(.put(entry.entry, entry.session))
        guard kept[conversation] != nil else { throw .failed("no such conversation") }
        lastVersion += 1
        var stored = entry
        stored.version = lastVersion
        kept[conversation]?.entries[entry.session, default: [:]][entry.entry] = stored
        return lastVersion
    }

    public func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await change(.remove(entry, session))
        kept[conversation]?.entries[session]?[entry] = nil
    }

    public func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await change(.removeSession(session))
        kept[conversation]?.entries[session] = nil
        kept[conversation]?.entries[.own]?[EntryID(session.bytes)] = nil
        kept[conversation]?.ended.insert(session)
    }

    public func removeConversation(_ conversation: ConversationID) async throws(StoreError) {
        try await change(.removeConversation(conversation))
        kept[conversation] = nil
    }

    public func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError) {
        try await change(.setDoor(conversation))
        guard kept[conversation] != nil else { throw .failed("no such conversation") }
        kept[conversation]?.door = door
    }

    public func page(
        of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int
    ) async throws(StoreError) -> [StoredEntry] {
        let entries = (kept[conversation]?.entries[session] ?? [:]).values.filter { $0.version > version }.sorted { $0.version < $1.version }
        var page: [StoredEntry] = []
        var sizeBytes = 0
        for entry in entries where page.isEmpty || sizeBytes < limitBytes {
            page.append(entry)
            sizeBytes += entry.sealed.count
        }
        return page
    }
}
