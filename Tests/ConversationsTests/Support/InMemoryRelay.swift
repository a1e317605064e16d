// The real relay core without a network: connections are queues, its death is a call.

import Conversations
import Dispatch
import Relay
import Synchronization
import Wire

/// Runs the hub's jobs one after the other on a queue and ends a turn after each.
final class TurnExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "relay")
    private let afterTurn = Mutex<(@Sendable () -> Void)?>(nil)

    func onTurnEnd(_ body: @escaping @Sendable () -> Void) { afterTurn.withLock { $0 = body } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.afterTurn.withLock(\.self)?()
        }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// A relay's life after life over the same stores, and what can happen to a network in between.
final class InMemoryRelay: RelayTransport {
    struct Faults: Sendable {
        /// Connections come to nothing.
        var isUnreachable = false
        /// So many requests to store a part fail before any succeeds.
        var putFailureCount = 0
        /// What these fail by.
        var passingPutFailure = PartFailure.unreachable
        /// Every request to store a part fails like this.
        var putFailure: PartFailure?
        /// Parts from this one on are stored only once `putGate` is open.
        var heldFromPart: Int?
        /// The way of a part to the relay, however long it takes.
        var travel: (@Sendable (AttachmentAddress) async -> Void)?
        /// The way of a part from the relay.
        var travelBack: (@Sendable (AttachmentAddress) async -> Void)?
        /// A part's answer breaks off after so many bytes, once for each part.
        var cutGetAfterBytes: Int?
        /// Bytes of every part that is loaded are changed.
        var tampersWithParts = false
        /// What each message from the relay becomes.
        var rewrite: (@Sendable (Frame) -> [Frame])?
    }

    private struct Life {
        var hub: RelayHub
        var executor: TurnExecutor
        var connections: [InMemoryConnection] = []
    }

    let ledger: any LedgerStore
    let attachments: any AttachmentStore
    let settings: RelaySettings
    private let life: Mutex<Life>
    private let faults = Mutex(Faults())
    let putGate = Gate()
    private let cutParts = Mutex<Set<PartName>>([])
    private let counts = Mutex((puts: 0, incarnation: UInt64(1)))

    init(settings: RelaySettings = RelaySettings()) {
        ledger = InMemoryLedgerStore()
        attachments = InMemoryAttachmentStore()
        self.settings = settings
        life = Mutex(Self.begin(ledger, attachments, settings, incarnation: 1))
    }

    private static func begin(_ ledger: any LedgerStore, _ attachments: any AttachmentStore, _ settings: RelaySettings, incarnation: UInt64) -> Life {
        let executor = TurnExecutor()
        let hub = RelayHub(executor: executor, ledger: ledger, attachments: attachments, settings: settings, headroomBytes: 0, incarnation: incarnation)
        // The hub keeps its executor; the other way round it would stay for ever.
        executor.onTurnEnd { [weak hub] in hub?.assumeIsolated { $0.endTurn() } }
        return Life(hub: hub, executor: executor)
    }

    var hub: RelayHub { life.withLock(\.hub) }
    /// Parts that were stored.
    var putCount: Int { counts.withLock(\.puts) }
    func holdParts(from part: Int) {
        putGate.shut()
        setFaults { $0.heldFromPart = part }
    }

    func setFaults(_ change: @Sendable (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    // MARK: What happens to it

    /// Every connection is lost without a word.
    func cut() { for connection in life.withLock({ $0.connections }) { connection.cut() } }

    /// Only those of one participant's transport calls: the newest connection, or all with `count`.
    func cutNewest() { life.withLock { $0.connections.last }?.cut() }

    /// The process dies and another starts over what is on the disk.
    func restart() async throws {
        setFaults { $0.isUnreachable = true }
        let (dying, connections) = life.withLock { life in
            defer { life.connections = [] }
            return (life.hub, life.connections)
        }
        for connection in connections { connection.cut() }
        // What the dead process had asked of the disk is done before the next one reads it.
        await dying.settled()
        let incarnation = counts.withLock { counts in
            counts.incarnation += 1
            return counts.incarnation
        }
        let next = Self.begin(ledger, attachments, settings, incarnation: incarnation)
        let hub = next.hub
        try await hub.load()
        life.withLock { $0 = next }
        setFaults { $0.isUnreachable = false }
    }

    // MARK: RelayTransport

    func connect(to conversation: ConversationID) -> any RelayConnection {
        let rewrite = faults.withLock(\.rewrite)
        let (connection, isReachable) = life.withLock { life in
            let connection = InMemoryConnection(hub: life.hub, executor: life.executor, rewrite: rewrite)
            // Looked at under the lock, so that no connection is made to a relay that is about to die.
            let isReachable = !faults.withLock(\.isUnreachable)
            if isReachable { life.connections.append(connection) }
            return (connection, isReachable)
        }
        if isReachable { connection.open(conversation) } else { connection.cut() }
        return connection
    }

    func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure) {
        if let travel = faults.withLock(\.travel) { await travel(attachment) }
        if let held = faults.withLock(\.heldFromPart), part >= held { await putGate.pass() }
        if let failure = faults.withLock(\.putFailure) { throw failure }
        let failure = faults.withLock { faults -> PartFailure? in
            defer { faults.putFailureCount = max(0, faults.putFailureCount - 1) }
            return faults.isUnreachable ? .unreachable : faults.putFailureCount > 0 ? faults.passingPutFailure : nil
        }
        if let failure { throw failure }
        let hub = hub
        guard await hub.authorizes(relayToken, for: attachment.conversation) else { throw .notInvited }
        guard let head = await hub.attachment(attachment.name), part < head.partCount else { throw .gone }
        guard !head.heldParts.contains(part) else { return }
        let name = PartName(attachment: attachment.name, number: part)
        let isStored: Bool
        do throws(StoreError) {
            let upload = try attachments.beginPart(name, lengthBytes: bytes.count)
            let outcome = bytes.withUnsafeBytes { bytes in Result { () throws(StoreError) in try upload.write(bytes) } }
            try outcome.get()
            isStored = try publish(upload, by: hub)
        } catch { throw .diskFull }
        guard isStored else { throw .unreachable }
        await hub.partStored(name)
    }

    /// A process that has died stores nothing any more: the next one finds all that it has stored.
    private func publish(_ upload: any PartUpload, by hub: RelayHub) throws(StoreError) -> Bool {
        let outcome: Result<Bool, StoreError> = life.withLock { life in
            guard life.hub === hub, !faults.withLock(\.isUnreachable) else { return .success(false) }
            return Result { () throws(StoreError) in
                try upload.publish()
                return true
            }
        }
        let isStored = try outcome.get()
        if isStored { counts.withLock { $0.puts += 1 } }
        return isStored
    }

    func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [self] in
                do throws(PartFailure) {
                    for piece in try await pieces(part, attachment, relayToken) { continuation.yield(piece) }
                    continuation.finish(throwing: cutAfter(part, attachment) ? PartFailure.unreachable : nil)
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func cutAfter(_ part: Int, _ attachment: AttachmentAddress) -> Bool {
        guard faults.withLock(\.cutGetAfterBytes) != nil else { return false }
        return cutParts.withLock { $0.insert(PartName(attachment: attachment.name, number: part)).inserted }
    }

    private func pieces(_ part: Int, _ attachment: AttachmentAddress, _ token: [UInt8]) async throws(PartFailure) -> [[UInt8]] {
        let faults = faults.withLock(\.self)
        if let travel = faults.travelBack { await travel(attachment) }
        guard !faults.isUnreachable else { throw .unreachable }
        let hub = hub
        guard await hub.authorizes(token, for: attachment.conversation) else { throw .notInvited }
        guard let head = await hub.attachment(attachment.name), part < head.partCount else { throw .gone }
        guard let reader = attachments.openPart(PartName(attachment: attachment.name, number: part)) else { throw .notYetThere }
        var bytes = [UInt8](repeating: 0, count: reader.lengthBytes)
        _ = bytes.withUnsafeMutableBytes { reader.read(at: 0, into: $0) }
        if faults.tampersWithParts { bytes[bytes.count / 2] ^= 1 }
        if let count = faults.cutGetAfterBytes, !cutParts.withLock({ $0.contains(PartName(attachment: attachment.name, number: part)) }) { bytes = Array(bytes.prefix(count)) }
        return stride(from: 0, to: bytes.count, by: 100_000).map { Array(bytes[$0..<min(bytes.count, $0 + 100_000)]) }
    }

    func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding {
        guard !faults.withLock(\.isUnreachable) else { throw .unreachable }
        let hub = hub
        guard await hub.authorizes(relayToken, for: attachment.conversation) else { throw .notInvited }
        guard let head = await hub.attachment(attachment.name) else { throw .gone }
        return BodyStanding(bodySizeBytes: head.bodyLengthBytes, missingParts: (0..<head.partCount).filter { !head.heldParts.contains($0) })
    }
}

extension AttachmentAddress {
    var name: AttachmentName { AttachmentName(conversation: conversation, session: session, entry: entry) }
}
