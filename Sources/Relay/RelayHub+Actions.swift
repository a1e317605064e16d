// Carries out what conversations decide.

import Wire

extension RelayHub {
    /// Until the conversation has nothing more to say.
    func carryOut(_ room: Room) {
        while true {
            let lost = room.lost
            room.lost.removeAll(keepingCapacity: true)
            for (connection, participant) in lost { room.conversation.lost(connection, of: participant) }
            let actions = room.conversation.takeActions()
            if actions.isEmpty && room.lost.isEmpty { break }
            for action in actions { carryOut(action, room) }
        }
        // What could not be erased piece by piece has gone with the conversation.
        let reserved = rooms[room.conversation.id] === room ? room.conversation.reservedBytes : 0
        totalReservedBytes += reserved - room.reservedBytes
        room.reservedBytes = reserved
    }

    private func carryOut(_ action: RelayAction, _ room: Room) {
        switch action {
        case .send(let batch, let connections, let isReplay):
            for id in connections { if let connection = live(id) { transmit(batch, to: connection, isReplay: isReplay) } }
        case .sample(let batch, let session, let connections):
            for id in connections {
                guard let connection = live(id) else { continue }
                connection.send(sample: batch, of: session, now: now)
                counted.sentBatches += 1
                counted.sentBytes += UInt64(batch.countBytes)
            }
        case .withdrawSamples(let session, let id): live(id)?.withdrawSamples(of: session)
        case .admitted(let id, let participant):
            guard let connection = live(id) else { return }
            connection.stage = .admitted(participant)
            if let kept = room.allowances.removeValue(forKey: participant) {
                connection.allowance = kept.allowance
                connection.allowance.refill(elapsedNanoseconds: now - kept.since)
            }
        case .waits(let id, let participant): live(id)?.stage = .waiting(participant)
        case .close(let id, let reason): if let connection = live(id) { shut(connection, reason) }
        case .store(let request):
            announceErasure(request, room)
            enqueue(.request(request), room)
        case .readPage(let request):
            guard let connection = live(request.connection) else { return }
            connection.postpone(request)
            readPostponedPages(of: connection)
        case .removalAnswered(let waiter, let done): removalWaiters.removeValue(forKey: waiter)?.resume(returning: done)
        case .over: forget(room)
        }
    }

    func transmit(_ batch: Batch, to connection: HubConnection, isReplay: Bool) {
        guard connection.send(batch, isReplay: isReplay, now: now) else { return shut(connection, .tooSlow) }
        counted.sentBatches += 1
        counted.sentBytes += UInt64(batch.countBytes)
    }

    private func announceErasure(_ request: StoreRequest, _ room: Room) {
        let conversation = room.conversation.id
        switch request.work {
        case .create, .put, .setDoor, .remove(_, _, hasBody: false), .removeSession: break
        case .remove(let session, let entry, hasBody: true):
            eraseHandler(.attachment(AttachmentName(conversation: conversation, session: session, entry: entry)))
        case .removeBodies(let session): eraseHandler(.session(session, conversation))
        case .removeConversation: eraseHandler(.conversation(conversation))
        }
    }

    private func forget(_ room: Room) {
        guard rooms[room.conversation.id] === room else { return }
        rooms[room.conversation.id] = nil
        let figures = room.conversation.figures
        counted.records += figures.records
        counted.samples += figures.samples
        counted.entries += figures.entries
        counted.removals += figures.removals
        counted.refused += figures.refused
        counted.knocks += figures.knocks
    }
}
