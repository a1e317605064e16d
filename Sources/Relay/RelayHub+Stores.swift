// Drives the stores: one call after the other for each conversation, answers back on the hub's executor.

import Wire

extension RelayHub {
    /// Takes up the conversations kept from before and sweeps bodies that no entry names. Call once, before the first connection.
    public func load() async throws(StoreError) {
        var named: Set<AttachmentName> = []
        for stored in try await ledger.conversations() {
            var held: [AttachmentName: Set<Int>] = [:]
            for head in stored.entries where head.bodyLengthBytes > 0 {
                let name = AttachmentName(conversation: stored.id, session: head.session, entry: head.entry)
                named.insert(name)
                if !head.isBodyComplete { held[name] = try await attachments.heldParts(of: name) }
            }
            let conversation = RelayConversation(
                restoring: stored, held: held, incarnation: incarnation, settings: settings, headroomBytes: headroomBytes, nowNanoseconds: now,
                wallSeconds: wallSeconds)
            let room = Room(conversation)
            rooms[stored.id] = room
            carryOut(room)
        }
        for name in try await attachments.attachments() where !named.contains(name) { try await attachments.erase(name) }
    }

    func enqueue(_ work: StoreWork, _ room: Room) {
        room.work.append(work)
        guard !room.isWorking else { return }
        room.isWorking = true
        busyCount += 1
        Task { await workOff(room) }
    }

    private func workOff(_ room: Room) async {
        while !room.work.isEmpty {
            let work = room.work.removeFirst()
            switch work {
            case .request(let request):
                let answer = await ask(request.work, room.conversation.id)
                if case .failure(let error) = answer { storeFailed(error) }
                room.conversation.storeAnswered(request.ticket, answer)
                touch(room)
                carryOut(room)
            case .eraseStray(let name):
                // It may have been announced anew meanwhile.
                guard room.conversation.attachment(name.entry, session: name.session) == nil else { continue }
                do throws(StoreError) { try await attachments.erase(name) } catch { storeFailed(error) }
            }
        }
        room.isWorking = false
        becameLessBusy()
    }

    /// Told on the executor whenever a store has not done what it was asked, before anything follows from it.
    public func onStoreFailure(_ handler: @escaping @Sendable (StoreError) -> Void) { storeFailureHandler = handler }

    private func storeFailed(_ error: StoreError) {
        counted.storeFailures += 1
        storeFailureHandler(error)
    }

    /// A part that came for a conversation that is gone.
    func eraseStray(_ name: AttachmentName) async {
        do throws(StoreError) { try await attachments.erase(name) } catch { storeFailed(error) }
        becameLessBusy()
    }

    private func ask(_ work: StoreRequest.Work, _ conversation: ConversationID) async -> Result<UInt64, StoreError> {
        do throws(StoreError) {
            switch work {
            case .create(let tokenDigest): try await ledger.create(conversation, tokenDigest: tokenDigest)
            case .put(let entry, let syncsBody):
                if syncsBody { try await attachments.sync(AttachmentName(conversation: conversation, session: entry.session, entry: entry.entry)) }
                return .success(try await ledger.put(entry, in: conversation))
            case .remove(let session, let entry, let hasBody):
                try await ledger.remove(entry, session: session, in: conversation)
                if hasBody { try await attachments.erase(AttachmentName(conversation: conversation, session: session, entry: entry)) }
            case .removeSession(let session): try await ledger.removeSession(session, in: conversation)
            case .removeBodies(let session): try await attachments.eraseSession(session, in: conversation)
            case .setDoor(let door): try await ledger.setDoor(door, in: conversation)
            case .removeConversation:
                // The ledger last: while it stands, a restart finds the conversation and erases it again.
                try await attachments.eraseConversation(conversation)
                try await ledger.removeConversation(conversation)
            }
            return .success(0)
        } catch {
            return .failure(error)
        }
    }

    // MARK: Ledger pages

    /// A page is read only while little waits for its connection, so that no ledger is ever in memory as a whole.
    func readPostponedPages(of connection: HubConnection) {
        guard !connection.isReadingPage, !connection.postponedPages.isEmpty, let room = connection.room else { return }
        guard connection.outbox.waitingBytes < RelayConversation.pageSizeLimitBytes, connection.outbox.isEmpty || connection.port.isClear else {
            return connection.requestWritable()
        }
        guard let request = connection.nextPage() else { return }
        connection.isReadingPage = true
        busyCount += 1
        Task { await readPage(request, room, connection) }
    }

    private func readPage(_ request: PageRequest, _ room: Room, _ connection: HubConnection) async {
        let answer: Result<[StoredEntry], StoreError>
        do throws(StoreError) {
            let page = try await ledger.page(
                of: request.session, in: room.conversation.id, after: request.after, limitBytes: RelayConversation.pageSizeLimitBytes)
            answer = .success(page)
        } catch {
            storeFailed(error)
            answer = .failure(error)
        }
        connection.isReadingPage = false
        room.conversation.pageRead(request, answer)
        touch(room)
        carryOut(room)
        if !connection.isClosed { readPostponedPages(of: connection) }
        becameLessBusy()
    }

    // MARK: Quiet

    /// Returns once every store call made so far, and whatever followed from it, has been answered.
    public func settled() async {
        guard busyCount > 0 else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private func becameLessBusy() {
        busyCount -= 1
        guard busyCount == 0 else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
