// A conversation taken up from the disk by a new incarnation: the ledger is there, the log and the people are not.

import Wire

extension RelayConversation {
    /// - Parameter held: the parts on the disk of each body that is not complete.
    public init(
        restoring stored: StoredConversation, held: [AttachmentName: Set<Int>], incarnation: UInt64, settings: RelaySettings, headroomBytes: Int,
        nowNanoseconds: UInt64, wallSeconds: UInt64
    ) {
        self.init(blank: stored.id, stored.tokenDigest, incarnation, settings, headroomBytes, nowNanoseconds, wallSeconds)
        door = stored.door
        endedSessions = EndedSessions(stored.endedSessions)
        for head in stored.entries {
            if sessions[head.session] == nil { beginSession(head.session) }
            let parts = held[AttachmentName(conversation: id, session: head.session, entry: head.entry)] ?? []
            let set = head.isBodyComplete ? PartSet(allOf: PartSet.partCount(ofBody: head.bodyLengthBytes)) : PartSet(parts)
            sessions[head.session]?.change(head.entry) { $0 = EntrySlot(stored: head, held: set) }
            if head.session == .own, !head.isPresenceBound, sessions[SessionID(head.entry.bytes)] == nil { beginSession(SessionID(head.entry.bytes)) }
            let goesWithPutter = head.isPresenceBound || (head.bodyLengthBytes > 0 && !head.isBodyComplete)
            if goesWithPutter { awaited[head.putter] = after(seconds: settings.resumeWindowSeconds) }
        }
        returnsUntil = after(seconds: settings.resumeWindowSeconds)
        for session in sessions.keys {
            sessions[session]?.awaitsReturns = true
            sessions[session]?.outlivedRestart = true
        }
    }
}
