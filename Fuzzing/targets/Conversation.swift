// A whole relay between stores in memory, told by its input what four participants send, when lines break and disks fail, and when the relay itself dies.
// Whatever that is: it does not trap, every listener's sequence is without holes, reserved room is never negative, and no message is handed to a full port.

import Glibc
import Synchronization
import Wire

@testable import Relay

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let world = World(Input(UnsafeRawBufferPointer(start: start, count: min(count, 4_096))))
    world.run()
    return 0
}

/// Bytes as choices. At its end it gives zeros.
struct Input {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

    var isEmpty: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        defer { offset += 1 }
        return offset < bytes.count ? bytes[offset] : 0
    }

    mutating func below(_ limit: Int) -> Int { Int(byte()) % limit }

    mutating func take(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }
}

/// Runs jobs on the calling thread, and waits while a store that is asked elsewhere still owes an answer.
final class Loop: SerialExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    func checkIsolated() {}
    func isIsolatingCurrentContext() -> Bool? { true }

    func workOff(while isBusy: () -> Bool) {
        while true {
            let waiting = jobs.withLock { jobs in
                defer { jobs.removeAll() }
                return jobs
            }
            for job in waiting { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if waiting.isEmpty {
                guard isBusy() else { return }
                sched_yield()
            }
        }
    }
}

/// What one connection was sent, checked as it comes.
final class Port: RelayPort {
    var isClear = true
    private(set) var isClosed = false
    private(set) var isWritableWanted = false
    private(set) var places: [SessionID: UInt64] = [:]
    /// The last counter heard of each sender since both have been in the session.
    private var counters: [SessionID: [ParticipantID: UInt64]] = [:]
    private(set) var incarnation: UInt64 = 0
    private var isAtDoor = false
    /// How many messages it takes before it is full.
    var room = Int.max

    init(resuming places: [SessionID: UInt64], incarnation: UInt64) {
        self.places = places
        self.incarnation = incarnation
    }

    func send(_ batch: Batch) {
        precondition(isClear && !isClosed, "sent to a port that was full or closed")
        guard let frames = try? Frame.decode(message: batch.bytes) else { fatalError("the relay sent what cannot be read") }
        for frame in frames { hear(frame) }
        room -= 1
        if room <= 0 { isClear = false }
    }

    func requestWritable() { isWritableWanted = true }

    func close(_ reason: CloseReason) {
        precondition(!isClosed, "closed twice")
        isClosed = true
    }

    func drain() {
        room = .max
        isClear = true
        isWritableWanted = false
    }

    private func hear(_ frame: Frame) {
        switch frame {
        case .waiting: isAtDoor = true
        case .ping, .pong: break
        case .welcome(let welcome):
            precondition(welcome.incarnation != 0)
            isAtDoor = false
            if !welcome.resumed { (places, counters) = ([:], [:]) }
            incarnation = welcome.incarnation
        case .position(let session, let sequence, _):
            places[session] = sequence
            counters[session] = [:]
        case .stable(let session, let sequence):
            if let place = places[session] { precondition(sequence <= place, "stable before it was heard") }
        case .entered(let session, let sequence, _), .removed(let session, let sequence, _, _, _): follow(session, sequence)
        case .exited(let session, let sequence, let participant, _):
            follow(session, sequence)
            // Whose numbers go on when it comes again is a matter among participants: they keep them, the relay does not.
            counters[session]?[participant] = nil
        case .ended(let session, let sequence, _, _):
            follow(session, sequence)
            places[session] = nil
        case .ordered(let session, let sequence, let sender, let counter, _, _), .skipped(let session, let sequence, let sender, let counter):
            follow(session, sequence)
            if let last = counters[session]?[sender] { precondition(counter > last, "a sender's records are out of order") }
            counters[session, default: [:]][sender] = counter
        case .entry(let entry) where entry.sequence > 0: follow(entry.session, entry.sequence)
        default: break
        }
        precondition(!isAtDoor || !frame.tells, "who waits at the door is told something")
    }

    private func follow(_ session: SessionID, _ sequence: UInt64) {
        guard let place = places[session] else { return }
        precondition(sequence == place + 1, "a hole in the order")
        places[session] = sequence
    }
}

extension Frame {
    /// Whether anything of a conversation is in it.
    fileprivate var tells: Bool {
        switch self {
        case .waiting, .ping, .pong: false
        default: true
        }
    }
}

final class World {
    private struct Person {
        let id: ParticipantID
        var line: (connection: ConnectionID, port: Port)?
        var places: [SessionID: UInt64] = [:]
        var incarnation: UInt64 = 0
        var counter: UInt64 = 0
    }

    private static let conversation = ConversationID(Bytes16(high: 1, low: 1))
    private static let sessions = [SessionID.own] + (1...3).map { SessionID(Bytes16(high: 2, low: $0)) }
    private static let pass = [UInt8](repeating: 6, count: Hello.passSizeBytes)
    private var input: Input
    private let ledger = BreakableLedger()
    private let attachments = InMemoryAttachmentStore()
    private let loop = Loop()
    private var hub: RelayHub
    private var life: UInt64 = 1
    private var now: UInt64 = 1
    private var people = (0..<4).map { Person(id: ParticipantID(Bytes16(high: 3, low: $0 + 1))) }
    /// Asked by tasks that wait for an answer from outside, and not yet answered.
    private let removals = Tally()

    init(_ input: Input) {
        self.input = input
        hub = Self.makeHub(loop, ledger, attachments, life)
    }

    private static func makeHub(_ loop: Loop, _ ledger: BreakableLedger, _ attachments: InMemoryAttachmentStore, _ life: UInt64) -> RelayHub {
        var settings = RelaySettings()
        settings.conversationQuotaBytes = 6 << 20
        settings.totalQuotaBytes = 8 << 20
        settings.conversationCountLimit = 2
        return RelayHub(executor: loop, ledger: ledger, attachments: attachments, settings: settings, headroomBytes: 16, incarnation: life)
    }

    func run() {
        for index in 0..<2 { connect(index, create: true) }
        settle()
        say(0, [.put(session: .own, entry: EntryID(Self.sessions[1].bytes), flags: [], bodyLength: 0, sealed: [1])])
        settle()
        for index in 0..<2 { say(index, [.enter(session: Self.sessions[1])]) }
        settle()
        while !input.isEmpty { step() }
        (ledgerFails, bodiesFail) = (false, false)
        for index in people.indices { people[index].line?.port.drain() }
        for index in people.indices { writable(index) }
        settle()
        check()
        // Everybody goes; after the grace time nothing is left.
        for index in people.indices { cut(index) }
        for _ in 0..<4 {
            advance(seconds: 700)
            settle()
        }
        hub.assumeIsolated { hub in
            precondition(hub.rooms.isEmpty && hub.totalReservedBytes == 0, "something is kept of a conversation that is over")
        }
    }

    private var ledgerFails = false { didSet { ledger.fails.store(ledgerFails, ordering: .sequentiallyConsistent) } }
    private var bodiesFail = false { didSet { attachments.fail(with: bodiesFail ? .full : nil) } }

    private func settle() {
        let hub = hub
        hub.assumeIsolated { $0.endTurn() }
        loop.workOff { hub.assumeIsolated { $0.busyCount > 0 } || !removals.isZero }
        hub.assumeIsolated { $0.endTurn() }
        loop.workOff { hub.assumeIsolated { $0.busyCount > 0 } }
        check()
    }

    private func check() {
        hub.assumeIsolated { hub in
            precondition(hub.totalReservedBytes >= 0)
            var total = 0
            for room in hub.rooms.values {
                let conversation = room.conversation
                precondition(conversation.knockerCount <= Limits.knockCountLimit)
                precondition(conversation.reservedBytes >= 0 && conversation.reservedBytes <= hub.settings.conversationQuotaBytes)
                for session in conversation.sessions.values {
                    precondition(session.chargeBytes == session.slots.values.reduce(0) { $0 + $1.chargeBytes })
                    precondition(session.stable <= session.log.last && session.log.sizeBytes >= 0)
                    precondition(session.slots.count <= Limits.entryCountLimit)
                }
                total += room.reservedBytes
            }
            precondition(total == hub.totalReservedBytes, "\(hub.rooms.count) conversations reserve \(total), the relay counts \(hub.totalReservedBytes)")
        }
    }

    private func step() {
        let code = input.byte()
        let index = Int(code >> 6)
        switch code & 0x1f {
        case 0...11: speak(index)
        case 12: rawBytes(index)
        case 13: cut(index)
        case 14, 15: connect(index, create: code & 0x20 != 0)
        case 16: stranger()
        case 17: people[index].line?.port.room = input.below(4)
        case 18:
            people[index].line?.port.drain()
            writable(index)
        case 19: advance(seconds: [1, 11, 31, 61, 121][input.below(5)])
        case 20: ledgerFails.toggle()
        case 21: bodiesFail.toggle()
        case 22: upload()
        case 23: removeOverHTTP()
        case 24: restart()
        case 25...28: settle()
        case 29: say(index, [door()])
        case 30: say(index, [.knock(sealed: input.take(input.below(9)))])
        default: hub.assumeIsolated { $0.endTurn() }
        }
        collect()
    }

    private func session() -> SessionID { Self.sessions[input.below(Self.sessions.count)] }
    private func entry() -> EntryID { input.below(4) == 0 ? EntryID(Self.sessions[input.below(4)].bytes) : EntryID(Bytes16(high: 4, low: UInt64(input.below(6)))) }
    private func recipients() -> [ParticipantID] { (0..<max(0, input.below(6) - 3)).map { _ in people[input.below(4)].id } }

    private func frame(_ index: Int) -> Frame {
        switch input.below(16) {
        case 0...3:
            people[index].counter += 1
            return .record(session: session(), counter: people[index].counter, recipients: recipients(), sealed: input.take(input.below(40)))
        case 4: return .record(session: session(), counter: UInt64(input.byte()), recipients: recipients(), sealed: [])
        case 5: return .sample(session: session(), recipients: recipients(), sealed: [UInt8](repeating: 1, count: input.below(250) * 700))
        case 6...7:
            return .put(session: session(), entry: entry(), flags: EntryFlags(rawValue: input.byte() & 3), bodyLength: UInt64(input.below(3)) * 1_500_000, sealed: input.take(input.below(9)))
        case 8: return .put(session: session(), entry: entry(), flags: EntryFlags(rawValue: input.byte()), bodyLength: UInt64(input.below(80)) << UInt64(input.below(46)), sealed: [])
        case 9: return .remove(session: session(), entry: entry())
        case 10:
            let session = session()
            return .acknowledge(session: session, sequence: people[index].line?.port.places[session] ?? UInt64(input.byte()))
        case 11: return .acknowledge(session: session(), sequence: UInt64(input.byte()) << UInt64(input.below(46)))
        case 12: return .enter(session: session())
        case 13: return .exit(session: session())
        case 14: return input.below(4) == 0 ? .end(session: session()) : .ping(token: UInt64(input.byte()))
        default: return input.below(6) == 0 ? .leave : .record(session: session(), counter: 1 << 53 - 1, recipients: [], sealed: [1])
        }
    }

    private func door() -> Frame {
        if input.below(4) == 0 { return .admit(participant: people[input.below(4)].id, admits: input.below(2) == 0) }
        let closesAt = input.below(3) == 0 ? now / 1_000_000_000 + UInt64(input.byte()) : 0
        let door = Door(mode: DoorMode(rawValue: UInt8(input.below(4))), closesAtSeconds: closesAt, sealed: input.take(input.below(9)))
        return .setDoor(door, passDigest: sha256(Self.pass))
    }

    private func speak(_ index: Int) { say(index, (0...input.below(3)).map { _ in frame(index) }) }

    private func say(_ index: Int, _ frames: [Frame]) {
        guard let line = people[index].line else { return }
        receive(Frame.encode(frames), on: line.connection)
    }

    private func receive(_ bytes: [UInt8], on connection: ConnectionID) {
        bytes.withUnsafeBytes { message in
            nonisolated(unsafe) let message = message
            hub.assumeIsolated { $0.received(message, on: connection) }
        }
    }

    private func rawBytes(_ index: Int) {
        guard let line = people[index].line else { return }
        receive([input.byte()] + [0, 0, 0, UInt8(input.below(60))] + input.take(input.below(60)), on: line.connection)
    }

    private func connect(_ index: Int, create: Bool) {
        cut(index, tellsRelay: input.below(2) == 0)
        let person = people[index]
        let port = Port(resuming: person.places, incarnation: person.incarnation)
        let connection = open(port)
        people[index].line = (connection, port)
        let places = person.places.map { Hello.Place(session: $0.key, sequence: $0.value) }
        let secret = Bytes16(high: 9, low: person.id.bytes.low)
        // Half of them have been told the pass.
        let hello = Hello(
            create: create, participant: person.id, secret: secret, relayToken: [UInt8](repeating: 7, count: 32), incarnation: person.incarnation, places: places,
            pass: index % 2 == 0 ? Self.pass : nil)
        say(index, [.hello(hello)])
    }

    private func open(_ port: Port) -> ConnectionID {
        nonisolated(unsafe) let port = port
        return hub.assumeIsolated { $0.connected(port, to: Self.conversation) }
    }

    private func cut(_ index: Int, tellsRelay: Bool = true) {
        guard let line = people[index].line else { return }
        people[index].places = line.port.places
        people[index].incarnation = line.port.incarnation
        people[index].line = nil
        // Otherwise the relay has not heard that the line broke.
        guard tellsRelay || line.port.isClosed else { return }
        let connection = line.connection
        hub.assumeIsolated { $0.disconnected(connection) }
    }

    private func stranger() {
        let port = Port(resuming: [:], incarnation: 0)
        let connection = open(port)
        let claimed = people[input.below(4)].id
        let places = (0..<input.below(4)).map { _ in Hello.Place(session: session(), sequence: UInt64(input.byte())) }
        let token = [UInt8](repeating: input.below(2) == 0 ? 7 : 8, count: 32)
        let hello = Hello(create: input.below(2) == 0, participant: claimed, secret: Bytes16(high: 8, low: 8), relayToken: token, incarnation: UInt64(input.below(3)), places: places)
        receive(Frame.encode([.hello(hello)]), on: connection)
        settle()
        hub.assumeIsolated { $0.disconnected(connection) }
    }

    private func writable(_ index: Int) {
        guard let connection = people[index].line?.connection else { return }
        hub.assumeIsolated { $0.becameWritable(connection) }
    }

    private func advance(seconds: UInt64) {
        now += seconds * 1_000_000_000
        let time = now
        hub.assumeIsolated { $0.tick(nowNanoseconds: time, wallSeconds: time / 1_000_000_000) }
    }

    private func upload() {
        let name = AttachmentName(conversation: Self.conversation, session: session(), entry: entry())
        guard let head = hub.assumeIsolated({ $0.attachment(name) }) else { return }
        precondition(head.partCount > 0 && head.heldParts.allSatisfy { (0..<head.partCount).contains($0) })
        let part = PartName(attachment: name, number: input.below(head.partCount))
        let length = min(Limits.partSizeBytes, head.bodyLengthBytes - part.number * Limits.partSizeBytes)
        guard let upload = try? attachments.beginPart(part, lengthBytes: length) else { return }
        do {
            try [UInt8](repeating: 5, count: length).withUnsafeBytes { try upload.write($0) }
            try upload.publish()
        } catch { return }
        hub.assumeIsolated { $0.partStored(part) }
    }

    private func removeOverHTTP() {
        let name = AttachmentName(conversation: Self.conversation, session: session(), entry: entry())
        removals.add()
        Task { [hub, removals] in
            _ = try? await hub.removeAttachment(name)
            removals.subtract()
        }
        settle()
    }

    /// The relay dies with all that it had in memory, and starts anew on the same disks.
    private func restart() {
        settle()
        for index in people.indices { cut(index, tellsRelay: false) }
        life += 1
        (ledgerFails, bodiesFail) = (false, false)
        hub = Self.makeHub(loop, ledger, attachments, life)
        let fresh = hub
        let loads = Tally()
        loads.add()
        Task {
            try? await fresh.load()
            loads.subtract()
        }
        loop.workOff { !loads.isZero }
        now += 1_000_000_000
        advance(seconds: 1)
        for index in people.indices where input.below(3) > 0 { connect(index, create: false) }
        settle()
    }

    /// Lines that the relay has closed are gone a moment later.
    private func collect() {
        for index in people.indices where people[index].line?.port.isClosed == true { cut(index) }
    }
}

final class Tally: Sendable {
    private let value = Atomic<Int>(0)
    var isZero: Bool { value.load(ordering: .sequentiallyConsistent) == 0 }
    func add() { value.add(1, ordering: .sequentiallyConsistent) }
    func subtract() { value.subtract(1, ordering: .sequentiallyConsistent) }
}

/// The ledger in memory on a disk that can be full.
final class BreakableLedger: LedgerStore {
    let fails = Atomic<Bool>(false)
    private let ledger = InMemoryLedgerStore()

    private func check() throws(StoreError) { if fails.load(ordering: .sequentiallyConsistent) { throw .full } }

    func conversations() async throws(StoreError) -> [StoredConversation] { try await ledger.conversations() }

    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError) {
        try check()
        try await ledger.create(conversation, tokenDigest: tokenDigest)
    }

    func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64 {
        try check()
        return try await ledger.put(entry, in: conversation)
    }

    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try check()
        try await ledger.remove(entry, session: session, in: conversation)
    }

    func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try check()
        try await ledger.removeSession(session, in: conversation)
    }

    func removeConversation(_ conversation: ConversationID) async throws(StoreError) {
        try check()
        try await ledger.removeConversation(conversation)
    }

    func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError) {
        try check()
        try await ledger.setDoor(door, in: conversation)
    }

    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) async throws(StoreError) -> [StoredEntry] {
        try check()
        return try await ledger.page(of: session, in: conversation, after: version, limitBytes: limitBytes)
    }
}
