// An attachment store without a disk, for tests and simulations.

import Synchronization
import Wire

public final class InMemoryAttachmentStore: AttachmentStore {
    public enum Call: Equatable, Sendable {
        case sync(AttachmentName)
        case erase(AttachmentName)
        case eraseSession(SessionID, ConversationID)
        case eraseConversation(ConversationID)
    }

    fileprivate struct State {
        var parts: [AttachmentName: [Int: [UInt8]]] = [:]
        var calls: [Call] = []
        var failure: StoreError?
    }

    fileprivate let state = Mutex(State())

    public init() {}

    public var calls: [Call] { state.withLock(\.calls) }

    /// Every later change fails with this error; `nil`: they succeed again.
    public func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    public func beginPart(_ part: PartName, lengthBytes: Int) throws(StoreError) -> any PartUpload {
        if let failure = state.withLock(\.failure) { throw failure }
        return InMemoryPartUpload(part, lengthBytes: lengthBytes, store: self)
    }

    public func openPart(_ part: PartName) -> (any PartReader)? {
        state.withLock { $0.parts[part.attachment]?[part.number] }.map(InMemoryPartReader.init)
    }

    public func heldParts(of attachment: AttachmentName) async throws(StoreError) -> Set<Int> {
        Set(state.withLock { $0.parts[attachment] ?? [:] }.keys)
    }

    public func sync(_ attachment: AttachmentName) async throws(StoreError) { try change(.sync(attachment)) { _ in } }

    public func erase(_ attachment: AttachmentName) async throws(StoreError) {
        try change(.erase(attachment)) { $0.parts[attachment] = nil }
    }

    public func eraseSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try change(.eraseSession(session, conversation)) {
            $0.parts = $0.parts.filter { $0.key.session != session || $0.key.conversation != conversation }
        }
    }

    public func eraseConversation(_ conversation: ConversationID) async throws(StoreError) {
        try change(.eraseConversation(conversation)) { $0.parts = $0.parts.filter { $0.key.conversation != conversation } }
    }

    public func attachments() async throws(StoreError) -> [AttachmentName] { Array(state.withLock(\.parts).keys) }

    private func change(_ call: Call, _ body: (inout State) -> Void) throws(StoreError) {
        let failure = state.withLock { state -> StoreError? in
            state.calls.append(call)
            if state.failure == nil { body(&state) }
            return state.failure
        }
        if let failure { throw failure }
    }

    fileprivate func publish(_ bytes: [UInt8], as part: PartName) {
        state.withLock { $0.parts[part.attachment, default: [:]][part.number] = bytes }
    }
}

final class InMemoryPartUpload: PartUpload {
    private let part: PartName
    private let lengthBytes: Int
    private let store: InMemoryAttachmentStore
    private let written = Mutex<[UInt8]?>([])

    init(_ part: PartName, lengthBytes: Int, store: InMemoryAttachmentStore) {
        self.part = part
        self.lengthBytes = lengthBytes
        self.store = store
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        if let failure = store.state.withLock(\.failure) { throw failure }
        let more = Array(bytes)
        let fits = written.withLock { written -> Bool in
            guard let count = written?.count, count + more.count <= lengthBytes else { return false }
            written?.append(contentsOf: more)
            return true
        }
        if !fits { throw .failed("more bytes than the part has, or the upload was abandoned") }
    }

    func publish() throws(StoreError) {
        guard let whole = written.withLock(\.self), whole.count == lengthBytes else { throw .failed("the part is not whole") }
        store.publish(whole, as: part)
    }

    func abandon() { written.withLock { $0 = nil } }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { copy(written.withLock(\.self) ?? [], from: offset, into: buffer) }
}

struct InMemoryPartReader: PartReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var lengthBytes: Int { bytes.count }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { copy(bytes, from: offset, into: buffer) }
}

private func copy(_ bytes: [UInt8], from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= 0, offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    return count
}
