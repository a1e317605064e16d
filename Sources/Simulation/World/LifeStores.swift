// The disk as one life of the relay sees it: every call takes its time, and what a dead relay asks for is answered to nobody.

import Relay
import Synchronization
import Wire

/// One life's way to the disk. Used on the world's thread only.
final class LifeStores: LedgerStore, AttachmentStore, @unchecked Sendable {
    private let disk: SimulatedDisk
    private let loop: EventLoop
    private let delayMilliseconds: ClosedRange<Int>
    private var dice: Dice
    private let sabotage: Sabotage?
    var isDead = false
    private let note: (String) -> Void

    init(_ disk: SimulatedDisk, _ loop: EventLoop, delayMilliseconds: ClosedRange<Int>, dice: Dice, sabotage: Sabotage?, note: @escaping (String) -> Void) {
        self.note = note
        self.disk = disk
        self.loop = loop
        self.delayMilliseconds = delayMilliseconds
        self.dice = dice
        self.sabotage = sabotage
    }

    /// - Parameter likelihood: of failing when the disk is full.
    /// A crash in the midst finds the work either done or not done, but not answered.
    private func change<Value>(_ likelihood: Double = 0.3, _ apply: (SimulatedDisk) throws(StoreError) -> Value) async throws(StoreError) -> Value {
        if isDead { throw .failed("the relay is dead") }
        if disk.isFull, dice.happens(likelihood) {
            note("a change does not fit on the disk")
            throw .full
        }
        let isEarly = dice.happens(0.5)
        let early: Value? = isEarly ? try apply(disk) : nil
        let delay = dice.milliseconds(delayMilliseconds)
        if delay > .zero { await loop.pause(delay) }
        if isDead {
            note(isEarly ? "the relay dies over a change that is done" : "the relay dies over a change that is not done")
            throw .failed("the relay is dead")
        }
        if let early { return early }
        return try apply(disk)
    }

    private func read<Value>(_ body: (SimulatedDisk) -> Value) async throws(StoreError) -> Value {
        let delay = dice.milliseconds(delayMilliseconds)
        let value = body(disk)
        if delay > .zero { await loop.pause(delay) }
        if isDead { throw .failed("the relay is dead") }
        return value
    }

    // MARK: LedgerStore

    func conversations() async throws(StoreError) -> [StoredConversation] { disk.conversations() }

    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError) {
        try await change(1) { disk throws(StoreError) in try disk.create(conversation, tokenDigest: tokenDigest) }
    }

    func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64 {
        try await change(1) { disk throws(StoreError) in try disk.put(entry, in: conversation) }
    }

    func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError) {
        try await change(1) { disk throws(StoreError) in try disk.setDoor(door, in: conversation) }
    }

    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await change { $0.remove(entry, session: session, in: conversation) }
    }

    func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await change { $0.removeSession(session, in: conversation) }
    }

    func removeConversation(_ conversation: ConversationID) async throws(StoreError) { try await change { $0.removeConversation(conversation) } }

    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) async throws(StoreError) -> [StoredEntry] {
        let page = try await read { $0.page(of: session, in: conversation, after: version, limitBytes: limitBytes) }
        return sabotage == .hideEntry && session != .own ? Array(page.dropLast()) : page
    }

    // MARK: AttachmentStore

    func beginPart(_ part: PartName, lengthBytes: Int) throws(StoreError) -> any PartUpload {
        if isDead { throw .failed("the relay is dead") }
        if disk.isFull, lengthBytes > 0 { throw .full }
        return SimulatedPartUpload(part, lengthBytes: lengthBytes, self)
    }

    fileprivate func publish(_ bytes: [UInt8], as part: PartName) throws(StoreError) {
        if isDead { throw .failed("the relay is dead") }
        disk.publish(bytes, as: part)
    }

    func openPart(_ part: PartName) -> (any PartReader)? { disk.parts[part.attachment]?[part.number].map { SimulatedPartReader(bytes: $0.bytes) } }

    func heldParts(of attachment: AttachmentName) async throws(StoreError) -> Set<Int> { Set((disk.parts[attachment] ?? [:]).keys) }

    func sync(_ attachment: AttachmentName) async throws(StoreError) {
        try await change(1) { disk in if sabotage != .forgetSync { disk.sync(attachment) } }
    }

    func erase(_ attachment: AttachmentName) async throws(StoreError) {
        try await change(0) { disk in if sabotage != .keepBodies { disk.erase { $0 == attachment } } }
    }

    func eraseSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await change(0) { disk in disk.erase { $0.session == session && $0.conversation == conversation } }
    }

    func eraseConversation(_ conversation: ConversationID) async throws(StoreError) {
        try await change(0) { disk in disk.erase { $0.conversation == conversation } }
    }

    func attachments() async throws(StoreError) -> [AttachmentName] {
        disk.parts.keys.sorted { ($0.entry.bytes.high, $0.entry.bytes.low) < ($1.entry.bytes.high, $1.entry.bytes.low) }
    }
}

private final class SimulatedPartUpload: PartUpload {
    private let part: PartName
    private let lengthBytes: Int
    private let stores: LifeStores
    private let written = Mutex<[UInt8]>([])

    init(_ part: PartName, lengthBytes: Int, _ stores: LifeStores) {
        self.part = part
        self.lengthBytes = lengthBytes
        self.stores = stores
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let more = Array(bytes)
        written.withLock { $0 += more }
    }

    func publish() throws(StoreError) {
        let whole = written.withLock(\.self)
        guard whole.count == lengthBytes else { throw .failed("the part is not whole") }
        try stores.publish(whole, as: part)
    }

    func abandon() { written.withLock { $0 = [] } }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
}

private struct SimulatedPartReader: PartReader {
    let bytes: [UInt8]

    var lengthBytes: Int { bytes.count }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < bytes.count else { return 0 }
        let count = min(buffer.count, bytes.count - offset)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
        return count
    }
}
