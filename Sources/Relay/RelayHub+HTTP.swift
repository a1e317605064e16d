// What the HTTP side asks: who may, what is there, what has come, what is to go; and what the relay counts.

import Wire

extension RelayHub {
    /// False for an unknown conversation. Compares digests in constant time.
    public func authorizes(_ token: [UInt8], for conversation: ConversationID) -> Bool {
        guard let room = rooms[conversation], case .open = room.conversation.phase else { return false }
        return isEqualInConstantTime(sha256(token), room.conversation.tokenDigest)
    }

    /// False for a conversation that has ended, is about to, or never was.
    public func holds(_ conversation: ConversationID) -> Bool {
        guard let room = rooms[conversation], case .open = room.conversation.phase else { return false }
        return true
    }

    /// `nil`: no such attachment, or it is on its way out.
    public func attachment(_ name: AttachmentName) -> AttachmentHead? {
        rooms[name.conversation]?.conversation.attachment(name.entry, session: name.session)
    }

    /// To be called after `PartUpload.publish`. A part of an attachment that has gone meanwhile is erased.
    public func partStored(_ part: PartName) {
        let name = part.attachment
        if let room = rooms[name.conversation] {
            if !room.conversation.partStored(part.number, of: name.entry, session: name.session) { enqueue(.eraseStray(name), room) }
        } else {
            busyCount += 1
            Task { await eraseStray(name) }
        }
    }

    /// Does what the frame `remove` does. False: no such attachment. Throws when the disk did not do it; the attachment then stands.
    public func removeAttachment(_ name: AttachmentName) async throws(StoreError) -> Bool {
        guard let room = rooms[name.conversation] else { return false }
        waiterCount += 1
        let waiter = RemovalWaiter(number: waiterCount)
        guard room.conversation.remove(attachment: name.entry, session: name.session, for: waiter) else { return false }
        let isDone = await withCheckedContinuation { continuation in
            removalWaiters[waiter] = continuation
            carryOut(room)
        }
        guard isDone else { throw .failed("the attachment could not be removed from the disk") }
        return true
    }

    /// `handler` runs on the hub's executor, before the erasure begins. It must not call back into the hub.
    public func onErase(_ handler: @escaping @Sendable (RelayErasure) -> Void) { eraseHandler = handler }

    public var figures: RelayFigures {
        var figures = counted
        figures.conversations = rooms.count
        figures.reservedBytes = totalReservedBytes
        for room in rooms.values {
            let conversation = room.conversation
            figures.sessions += conversation.sessionCount
            figures.participants += conversation.participantCount
            figures.waiting += conversation.knockerCount
            figures.logBytes += conversation.logSizeBytes
            figures.records += conversation.figures.records
            figures.samples += conversation.figures.samples
            figures.entries += conversation.figures.entries
            figures.removals += conversation.figures.removals
            figures.refused += conversation.figures.refused
            figures.knocks += conversation.figures.knocks
        }
        for connection in openConnections { figures.samplesDropped += connection.droppedSamples }
        return figures
    }
}
