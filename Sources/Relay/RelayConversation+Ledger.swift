// Hands a ledger over to whoever has entered, page by page, while the log goes on beside it.

import Wire

extension RelayConversation {
    /// Sealed bytes of one page; the next is read when little waits for the connection.
    static let pageSizeLimitBytes = Limits.batchSizeLimitBytes

    mutating func beginLedger(_ session: SessionID, _ participant: ParticipantID) {
        guard sessions[session]?.members[participant] != nil else { return }
        let run = number()
        sessions[session]?.members[participant]?.ledgerRun = run
        if sessions[session]?.newestVersion == 0 {
            complete(session, participant, following: [])
        } else {
            readPage(session, participant, after: 0, run: run)
        }
    }

    private mutating func readPage(_ session: SessionID, _ participant: ParticipantID, after version: UInt64, run: UInt64) {
        guard let connection = participants[participant]?.connection else { return }
        act(.readPage(PageRequest(connection: connection, participant: participant, session: session, after: version, run: run)))
    }

    /// The answer to `readPage`.
    public mutating func pageRead(_ request: PageRequest, _ answer: Result<[StoredEntry], StoreError>) {
        guard participants[request.participant]?.connection == request.connection,
            sessions[request.session]?.members[request.participant]?.ledgerRun == request.run
        else { return }
        guard let page = try? answer.get() else {
            lost(request.connection, of: request.participant)
            return act(.close(request.connection, .overloaded))
        }
        // The page may be older than what has been said since it was read: what is gone or replaced by now is not said again.
        let current = page.filter { entry in
            guard let slot = sessions[request.session]?.slots[entry.entry], slot.stored != nil else { return false }
            return entry.version >= slot.version
        }
        let frames = current.map { Frame.entry(Entry($0, sequence: 0, version: $0.version)) }
        flush()
        guard let last = page.last?.version, last < sessions[request.session]?.newestVersion ?? 0 else {
            return complete(request.session, request.participant, following: frames)
        }
        if !frames.isEmpty { send(frames, to: request.participant) }
        readPage(request.session, request.participant, after: last, run: request.run)
    }

    private mutating func complete(_ session: SessionID, _ participant: ParticipantID, following frames: [Frame]) {
        sessions[session]?.members[participant]?.ledgerRun = nil
        send(frames + [.complete(session: session, sequence: sessions[session]?.log.last ?? 0)], to: participant)
        if session == .own { handOverWhatWaited(for: participant) }
    }
}
