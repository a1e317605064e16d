// The relay's rules in motion: holds the conversations, carries out what they decide, and knows neither sockets nor disks.

import Wire

/// Names one connection for as long as the hub knows it.
public struct ConnectionID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// What the HTTP side may know of an attachment that is announced and not on its way out.
public struct AttachmentHead: Equatable, Sendable {
    public let bodyLengthBytes: Int
    public let partCount: Int
    public let isBodyComplete: Bool
    public let heldParts: Set<Int>
}

/// What is about to be erased: readers and uploads of it are to be cut off before the hub goes on.
public enum RelayErasure: Equatable, Sendable {
    case attachment(AttachmentName)
    case session(SessionID, ConversationID)
    case conversation(ConversationID)
}

public actor RelayHub {
    public nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let ledger: any LedgerStore
    let attachments: any AttachmentStore
    let settings: RelaySettings
    let headroomBytes: Int
    let incarnation: UInt64

    /// Since the first tick; all clocks of the hub start at 0.
    var now: UInt64 = 0
    /// The time of day in seconds since 1970, as last told.
    private(set) var wallSeconds: UInt64
    private var firstTick: UInt64?
    var rooms: [ConversationID: Room] = [:]
    var touchedRooms: [Room] = []
    var totalReservedBytes = 0
    private(set) var isDraining = false

    private var slots: [(generation: UInt32, connection: HubConnection?)] = []
    private var freeSlots: [UInt32] = []
    private var pingCount: UInt64 = 0

    var eraseHandler: @Sendable (RelayErasure) -> Void = { _ in }
    var storeFailureHandler: @Sendable (StoreError) -> Void = { _ in }
    var removalWaiters: [RemovalWaiter: CheckedContinuation<Bool, Never>] = [:]
    var waiterCount: UInt64 = 0
    /// Store calls that have not returned.
    var busyCount = 0
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    var counted = RelayFigures()

    /// - Parameters:
    ///   - executor: the loop on which every synchronous call below is made (through `assumeIsolated`).
    ///   - headroomBytes: spare bytes that the transport wants in front of each batch.
    ///   - incarnation: a random number, never 0, new in each life of the process.
    ///   - wallSeconds: the time of day in seconds since 1970, by which invitations end.
    public init(
        executor: any SerialExecutor, ledger: any LedgerStore, attachments: any AttachmentStore, settings: RelaySettings, headroomBytes: Int,
        incarnation: UInt64, wallSeconds: UInt64 = 0
    ) {
        self.executor = executor
        self.ledger = ledger
        self.attachments = attachments
        self.settings = settings
        self.headroomBytes = headroomBytes
        self.incarnation = incarnation
        self.wallSeconds = wallSeconds
    }

    // MARK: Connections (synchronous, on the executor)

    public func connected(_ port: any RelayPort, to conversation: ConversationID) -> ConnectionID {
        let slot = freeSlots.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append((0, nil)) }
        let id = ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
        let connection = HubConnection(id: id, port: port, conversation: conversation, now: now)
        slots[Int(slot)].connection = connection
        counted.connections += 1
        counted.connectionsOpened += 1
        if isDraining { shut(connection, .shuttingDown) }
        return id
    }

    /// One whole binary WebSocket message. The bytes are not kept.
    public func received(_ message: UnsafeRawBufferPointer, on connection: ConnectionID) {
        guard let connection = live(connection) else { return }
        take(message, on: connection)
    }

    /// A text message or anything else that cannot be a frame: the connection is closed with 4100.
    public func receivedGarbage(on connection: ConnectionID) { shut(connection, .malformed) }

    /// The longest message that this connection may send now. A transport that joins pieces keeps no more of them than this.
    public func messageSizeLimitBytes(on connection: ConnectionID) -> Int { live(connection)?.messageSizeLimitBytes ?? 0 }

    /// A message larger than `messageSizeLimitBytes`: the connection is closed with 4108.
    public func receivedTooLarge(on connection: ConnectionID) { shut(connection, .frameTooLarge) }

    public func becameWritable(_ connection: ConnectionID) {
        guard let connection = live(connection) else { return }
        connection.drainOutbox(now: now)
        readPostponedPages(of: connection)
    }

    public func disconnected(_ id: ConnectionID) {
        guard let connection = known(id) else { return }
        slots[Int(id.slot)] = (id.generation &+ 1, nil)
        freeSlots.append(id.slot)
        counted.connections -= 1
        counted.samplesDropped += connection.droppedSamples
        guard !connection.isClosed else { return }
        let participant = connection.participant
        keepAllowance(of: connection)
        connection.stage = .closed
        if let room = connection.room {
            room.lost.append((id, participant))
            carryOut(room)
        }
    }

    /// Called once before the loop waits: sends what was batched in this turn.
    public func endTurn() {
        while !touchedRooms.isEmpty {
            let rooms = touchedRooms
            touchedRooms.removeAll(keepingCapacity: true)
            for room in rooms {
                room.isTouched = false
                room.conversation.flush()
                carryOut(room)
            }
        }
    }

    /// Called about once a second with a monotonic time and the time of day; `nil`: as told before.
    public func tick(nowNanoseconds: UInt64, wallSeconds told: UInt64? = nil) {
        if let told { wallSeconds = told }
        let start = firstTick ?? nowNanoseconds
        firstTick = start
        let elapsed = nowNanoseconds > start + now ? nowNanoseconds - start - now : 0
        now += elapsed
        for slot in slots {
            guard let connection = slot.connection, !connection.isClosed else { continue }
            connection.allowance.refill(elapsedNanoseconds: elapsed)
            if connection.isOverdue(now: now, settings: settings) {
                shut(connection, .silent)
            } else if connection.needsPing(now: now, settings: settings) {
                pingCount += 1
                connection.pinged(now: now)
                transmit(Batch([.ping(token: pingCount)], headroomBytes: headroomBytes), to: connection, isReplay: false)
            }
        }
        for room in Array(rooms.values) {
            room.allowances = room.allowances.filter { now - $0.value.since < 60_000_000_000 }
            room.conversation.tick(nowNanoseconds: now, wallSeconds: wallSeconds)
            touch(room)
            carryOut(room)
        }
    }

    /// Closes every connection with 4200 and every later one at once.
    public func drain() {
        isDraining = true
        for slot in slots { if let connection = slot.connection { shut(connection, .shuttingDown) } }
    }

    // MARK: Finding and closing connections

    private func known(_ id: ConnectionID) -> HubConnection? {
        guard id.slot < slots.count, slots[Int(id.slot)].generation == id.generation else { return nil }
        return slots[Int(id.slot)].connection
    }

    /// The connection, unless it is gone or being closed.
    func live(_ id: ConnectionID) -> HubConnection? {
        guard let connection = known(id), !connection.isClosed else { return nil }
        return connection
    }

    var openConnections: [HubConnection] { slots.compactMap(\.connection) }

    private func shut(_ id: ConnectionID, _ reason: CloseReason) {
        if let connection = live(id) { shut(connection, reason) }
    }

    /// Closes, and lets the conversation know.
    func shut(_ connection: HubConnection, _ reason: CloseReason) {
        guard !connection.isClosed else { return }
        let participant = connection.participant
        keepAllowance(of: connection)
        connection.close(reason)
        counted.closed[reason, default: 0] += 1
        guard let room = connection.room else { return }
        room.lost.append((connection.id, participant))
        touch(room)
    }

    private func keepAllowance(of connection: HubConnection) {
        guard let participant = connection.participant, !connection.allowance.isFull else { return }
        connection.room?.allowances[participant] = (connection.allowance, now)
    }

    func touch(_ room: Room) {
        guard !room.isTouched else { return }
        room.isTouched = true
        touchedRooms.append(room)
    }
}
