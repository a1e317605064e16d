// One connection as the hub keeps it: its port, its outbox, its clocks, and for whom it speaks.

import Wire

final class HubConnection {
    enum Stage {
        case fresh
        /// `hello` has come; its conversation waits for the store.
        case greeted
        /// At the door.
        case waiting(ParticipantID)
        case admitted(ParticipantID)
        case closed
    }

    let id: ConnectionID
    let port: any RelayPort
    let conversation: ConversationID
    var room: Room?
    var stage = Stage.fresh
    private(set) var outbox = Outbox()
    /// Ledger pages to be read once little waits: at most one for each session.
    private(set) var postponedPages: [PageRequest] = []
    /// One page is read at a time, so that asking again and again costs the disk no more than asking.
    var isReadingPage = false

    private let openedAt: UInt64
    var lastHeardAt: UInt64
    private(set) var lastWrittenAt: UInt64
    private var lastPingedAt: UInt64 = 0
    /// When it last took something that had to wait for it.
    private var lastTakenAt: UInt64 = 0
    var allowance = Allowance()
    private var isWritableRequested = false
    private(set) var droppedSamples: UInt64 = 0

    init(id: ConnectionID, port: any RelayPort, conversation: ConversationID, now: UInt64) {
        self.id = id
        self.port = port
        self.conversation = conversation
        openedAt = now
        lastHeardAt = now
        lastWrittenAt = now
    }

    var isClosed: Bool { if case .closed = stage { true } else { false } }
    private var isWaiting: Bool { if case .waiting = stage { true } else { false } }
    var participant: ParticipantID? { if case .admitted(let participant) = stage { participant } else { nil } }

    // MARK: Clocks

    /// Whether nothing has been heard for too long. Who takes a long ledger over a slow line has nothing to say meanwhile, and is alive.
    func isOverdue(now: UInt64, settings: RelaySettings) -> Bool {
        if case .fresh = stage { return now >= openedAt + UInt64(Limits.helloTimeLimitSeconds) * 1_000_000_000 }
        return now >= max(lastHeardAt, lastTakenAt) + UInt64(settings.silenceSeconds) * 1_000_000_000
    }

    /// The relay has been silent, or the other side has: who only listens says nothing by itself, however much it is sent.
    func needsPing(now: UInt64, settings: RelaySettings) -> Bool {
        guard participant != nil || isWaiting, outbox.isEmpty else { return false }
        return now >= min(lastWrittenAt, max(lastHeardAt, lastPingedAt)) + UInt64(settings.heartbeatSeconds) * 1_000_000_000
    }

    func pinged(now: UInt64) { lastPingedAt = now }

    /// What one message may be long.
    var messageSizeLimitBytes: Int { participant == nil ? Limits.helloSizeLimitBytes : Limits.socketMessageSizeLimitBytes }

    // MARK: Ledger pages

    /// A later request for the ledger of a session makes an earlier one pointless.
    func postpone(_ request: PageRequest) {
        postponedPages.removeAll { $0.session == request.session }
        postponedPages.append(request)
    }

    func nextPage() -> PageRequest? { postponedPages.isEmpty ? nil : postponedPages.removeFirst() }

    // MARK: Writing

    /// False: too much waits; the connection is to be closed.
    func send(_ batch: Batch, isReplay: Bool, now: UInt64) -> Bool {
        if outbox.isEmpty && port.isClear {
            port.send(batch)
            lastWrittenAt = now
            return true
        }
        guard outbox.append(batch, isReplay: isReplay) else { return false }
        requestWritable()
        return true
    }

    func send(sample: Batch, of session: SessionID, now: UInt64) {
        if outbox.isEmpty && port.isClear {
            port.send(sample)
            lastWrittenAt = now
            return
        }
        droppedSamples += UInt64(outbox.append(sample: sample, of: session))
        requestWritable()
    }

    func withdrawSamples(of session: SessionID) { outbox.withdrawSamples(of: session) }

    func drainOutbox(now: UInt64) {
        isWritableRequested = false
        if port.isClear, !outbox.isEmpty || !postponedPages.isEmpty { lastTakenAt = now }
        while port.isClear, let batch = outbox.next() {
            port.send(batch)
            lastWrittenAt = now
        }
        // Pages that wait are asked for again by whoever reads them: while the disk is at one, a line that is clear is no occasion.
        if !outbox.isEmpty { requestWritable() }
    }

    func requestWritable() {
        guard !isWritableRequested else { return }
        isWritableRequested = true
        port.requestWritable()
    }

    func close(_ reason: CloseReason) {
        stage = .closed
        outbox.removeAll()
        postponedPages = []
        port.close(reason)
    }
}

/// A conversation and what the hub has to do for it.
final class Room {
    var conversation: RelayConversation
    /// Asked of the store, one after the other, so that answers come in the order of the questions.
    var work: [StoreWork] = []
    var isWorking = false
    var isTouched = false
    /// Closed by the hub; the conversation is still to be told.
    var lost: [(ConnectionID, ParticipantID?)] = []
    /// What those whose connection was lost may still say: a new connection is no new allowance.
    var allowances: [ParticipantID: (allowance: Allowance, since: UInt64)] = [:]
    /// As last counted into the relay's total.
    var reservedBytes = 0

    init(_ conversation: RelayConversation) { self.conversation = conversation }
}

enum StoreWork {
    case request(StoreRequest)
    /// A part that was stored for an attachment that had gone meanwhile.
    case eraseStray(AttachmentName)
}
