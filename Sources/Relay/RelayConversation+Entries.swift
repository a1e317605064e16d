// Entries put and removed: what is permitted and fits is asked of the store; its answer gives the place in the order.

import Wire

extension RelayConversation {
    /// - Parameter relayFreeBytes: what the relay's total quota has left.
    mutating func put(_ entry: StoredEntry, relayFreeBytes: Int) {
        guard isMember(entry.putter, of: entry.session, for: .put, subject: entry.entry) else { return }
        if let refusal = objection(to: entry, relayFreeBytes: relayFreeBytes) { return refuse(refusal, to: entry.putter) }
        sessions[entry.session]?.change(entry.entry) { $0.begin(.put(EntrySlot.Form(StoredEntryHead(entry)))) }
        let life = sessions[entry.session]?.life ?? 0
        ask(.put(entry, syncsBody: entry.isBodyComplete && entry.bodyLengthBytes > 0), .put(entry, life: life))
    }

    private func objection(to entry: StoredEntry, relayFreeBytes: Int) -> Refusal? {
        func refusal(_ code: Refusal.Code, limit: Int = 0, value: Int = 0) -> Refusal {
            Refusal(
                frameType: FrameType.put.rawValue, session: entry.session, subject: entry.entry, code: code, limit: UInt64(clamping: limit),
                value: UInt64(clamping: value))
        }
        guard let session = sessions[entry.session] else { return refusal(.unknownSession) }
        guard entry.sealed.count <= Limits.entrySizeLimitBytes else {
            return refusal(.tooLarge, limit: Limits.entrySizeLimitBytes, value: entry.sealed.count)
        }
        guard entry.bodyLengthBytes <= Limits.bodySizeLimitBytes else {
            return refusal(.tooLarge, limit: Limits.bodySizeLimitBytes, value: entry.bodyLengthBytes)
        }
        if let (limit, value) = backlog(with: entry.sealed.count) { return refusal(.storageFailed, limit: limit, value: value) }
        let slot = session.slots[entry.entry]
        if let coming = slot?.coming {
            guard !coming.isPresenceBound || coming.putter == entry.putter else { return refusal(.notPermitted) }
            guard coming.bodyLengthBytes == entry.bodyLengthBytes else {
                return refusal(.notPermitted, limit: coming.bodyLengthBytes, value: entry.bodyLengthBytes)
            }
        } else if slot == nil, session.slots.count >= Limits.entryCountLimit {
            return refusal(.tooManyEntries, limit: Limits.entryCountLimit, value: session.slots.count + 1)
        }
        if entry.isBodyComplete {
            let partCount = PartSet.partCount(ofBody: entry.bodyLengthBytes)
            let heldCount = slot?.coming == nil ? 0 : slot?.held.count ?? 0
            guard heldCount == partCount else { return refusal(.bodyIncomplete, limit: partCount, value: heldCount) }
        }
        if entry.session == .own, !entry.isPresenceBound, isOver(SessionID(entry.entry.bytes)) { return refusal(.unknownEntry) }
        if entry.session == .own, !entry.isPresenceBound, slot?.coming?.isPresenceBound != false,
            sessions[SessionID(entry.entry.bytes)] == nil, announcedSessionCount >= Limits.sessionCountLimit
        {
            return tooManySessions(.put, entry.session, entry.entry)
        }
        var after = slot ?? EntrySlot()
        after.begin(.put(EntrySlot.Form(StoredEntryHead(entry))))
        let growth = after.chargeBytes - (slot?.chargeBytes ?? 0)
        guard growth > 0 else { return nil }
        guard reservedBytes + growth <= settings.conversationQuotaBytes else {
            return refusal(.conversationQuota, limit: settings.conversationQuotaBytes, value: reservedBytes + growth)
        }
        guard growth <= relayFreeBytes else {
            return refusal(.relayQuota, limit: settings.totalQuotaBytes, value: settings.totalQuotaBytes - relayFreeBytes + growth)
        }
        return nil
    }

    /// Whoever replaces an announcement while somebody ends its session, or has not yet heard of it, does not begin another under its name.
    private func isOver(_ session: SessionID) -> Bool { endedSessions.contains(session) || sessions[session]?.isEnding == true }

    /// What the disk has not yet answered, when one more change is more than may wait.
    func backlog(with sizeBytes: Int) -> (limit: Int, value: Int)? {
        if tickets.count >= Limits.unansweredChangeCountLimit { return (Limits.unansweredChangeCountLimit, tickets.count + 1) }
        let bytes = unansweredBytes + sizeBytes
        return bytes > Limits.unansweredChangeSizeLimitBytes ? (Limits.unansweredChangeSizeLimitBytes, bytes) : nil
    }

    mutating func remove(_ entry: EntryID, _ session: SessionID, by participant: ParticipantID) {
        guard isMember(participant, of: session, for: .remove, subject: entry) else { return }
        if let (limit, value) = backlog(with: 0) {
            let refusal = Refusal(
                frameType: FrameType.remove.rawValue, session: session, subject: entry, code: .storageFailed, limit: UInt64(limit), value: UInt64(value))
            return refuse(refusal, to: participant)
        }
        let coming = sessions[session]?.slots[entry]?.coming
        if coming == nil, follow(participant, removalOf: entry, session) { return }
        guard let coming, !coming.isPresenceBound || coming.putter == participant else {
            let code: Refusal.Code = coming == nil ? .unknownEntry : .notPermitted
            return refuse(Refusal(frameType: FrameType.remove.rawValue, session: session, subject: entry, code: code), to: participant)
        }
        beginRemoval(entry, session, remover: participant, reason: .removed, asker: .participant)
    }

    /// A removal that somebody outside asks for. False: there is no such attachment, and no answer will come.
    public mutating func remove(attachment entry: EntryID, session: SessionID, for waiter: RemovalWaiter) -> Bool {
        guard let coming = sessions[session]?.slots[entry]?.coming, coming.bodyLengthBytes > 0, !coming.isPresenceBound else { return false }
        beginRemoval(entry, session, remover: .relay, reason: .removed, asker: .outside(waiter))
        return true
    }

    mutating func beginRemoval(_ entry: EntryID, _ session: SessionID, remover: ParticipantID, reason: RemovalReason, asker: Removal.Asker) {
        guard let life = sessions[session]?.life, let hasBody = sessions[session]?.slots[entry]?.coming.map({ $0.bodyLengthBytes > 0 }) else { return }
        sessions[session]?.change(entry) { $0.begin(.remove) }
        let removal = Removal(session: session, life: life, entry: entry, remover: remover, reason: reason, asker: asker)
        ask(.remove(session, entry, hasBody: hasBody), .remove(removal))
    }

    /// Entries whose body nobody can finish: who put them is out of the session.
    mutating func removeUnfinished(in session: SessionID, ofWhom isOut: (ParticipantID) -> Bool) {
        let going = sessions[session]?.slots.compactMap { entry, slot in slot.coming.flatMap { $0.isUnfinished && isOut($0.putter) ? (entry: entry, maker: $0.putter) : nil } }
        for (entry, maker) in (going ?? []).sorted(by: { precedes(SessionID($0.entry.bytes), SessionID($1.entry.bytes)) }) {
            beginRemoval(entry, session, remover: maker, reason: .putterLeft, asker: .nobody)
        }
    }

    /// Presence-bound entries, and entries whose body nobody else can finish.
    mutating func removeWhatGoes(with participant: ParticipantID) {
        for session in sessions.keys.sorted(by: precedes) {
            let going = sessions[session]?.slots.filter { $0.value.coming?.putter == participant && $0.value.coming?.goesWithPutter == true }
            for entry in (going ?? [:]).keys.sorted(by: { precedes(SessionID($0.bytes), SessionID($1.bytes)) }) {
                beginRemoval(entry, session, remover: participant, reason: .putterLeft, asker: .nobody)
            }
        }
    }

    // MARK: Bodies

    /// `nil`: no such attachment, or it is on its way out.
    public func attachment(_ entry: EntryID, session: SessionID) -> AttachmentHead? {
        guard let slot = sessions[session]?.slots[entry], let stored = slot.stored, stored.bodyLengthBytes > 0, !slot.isOnItsWayOut else { return nil }
        return AttachmentHead(
            bodyLengthBytes: stored.bodyLengthBytes, partCount: PartSet.partCount(ofBody: stored.bodyLengthBytes), isBodyComplete: stored.isBodyComplete,
            heldParts: slot.held.numbers)
    }

    /// False: there is nothing that the part could belong to.
    public mutating func partStored(_ number: Int, of entry: EntryID, session: SessionID) -> Bool {
        guard let head = attachment(entry, session: session), (0..<head.partCount).contains(number) else { return false }
        sessions[session]?.change(entry) { $0.held.insert(number) }
        return true
    }
}
