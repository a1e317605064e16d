// A disk that is full: said with its own status, and over as soon as there is room again.

import Relay
import RelayStorage
import Synchronization
import Testing
import Wire

@testable import RelayServer

/// Plain files, but full when a test says so.
private final class FillableStore: AttachmentStore {
    enum Fullness: Sendable { case roomy, fullAtStart, fullInTheMiddle }

    let fullness = Mutex(Fullness.roomy)
    private let files: FileAttachmentStore

    init(directory: String) throws { files = try FileAttachmentStore(directory: directory) }

    func beginPart(_ part: PartName, lengthBytes: Int) throws(StoreError) -> any PartUpload {
        let fullness = fullness.withLock { $0 }
        if fullness == .fullAtStart { throw .full }
        let upload = try files.beginPart(part, lengthBytes: lengthBytes)
        return fullness == .fullInTheMiddle ? FillingUpload(upload) : upload
    }

    func openPart(_ part: PartName) -> (any PartReader)? { files.openPart(part) }
    func heldParts(of attachment: AttachmentName) async throws(StoreError) -> Set<Int> { try await files.heldParts(of: attachment) }
    func sync(_ attachment: AttachmentName) async throws(StoreError) { try await files.sync(attachment) }
    func erase(_ attachment: AttachmentName) async throws(StoreError) { try await files.erase(attachment) }
    func eraseSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await files.eraseSession(session, in: conversation)
    }
    func eraseConversation(_ conversation: ConversationID) async throws(StoreError) { try await files.eraseConversation(conversation) }
    func attachments() async throws(StoreError) -> [AttachmentName] { try await files.attachments() }
}

private final class FillingUpload: PartUpload {
    private let upload: any PartUpload
    private let written = Mutex(0)

    init(_ upload: any PartUpload) { self.upload = upload }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let total = written.withLock { written in
            written += bytes.count
            return written
        }
        if total > 500_000 { throw .full }
        try upload.write(bytes)
    }

    func publish() throws(StoreError) { try upload.publish() }
    func abandon() { upload.abandon() }
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { upload.read(at: offset, into: buffer) }
}

@Suite struct FullDiskTests {
    @Test func `a full disk is 507, leaves no file, and is over when there is room`() async throws {
        let holder = StoreHolder()
        try await withRelay(RelayPlan { $0.attachments = { directory in try holder.make(directory) } }) { relay in
            let store = holder.store!
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            for fullness in [FillableStore.Fullness.fullAtStart, .fullInTheMiddle] {
                store.fullness.withLock { $0 = fullness }
                let answer = try body.put(socket, 0)
                #expect(answer.status == 507)
                #expect(answer.text.contains("\"error\":\"disk full\""))
                #expect(answer.headers["hearth"] == "1")
                try eventually("nothing is left") { relay.bodyFiles.isEmpty }
            }
            store.fullness.withLock { $0 = .roomy }
            #expect(try body.put(socket, 0).status == 201)
            #expect(try body.get(socket, 0).body == body.parts[0])
        }
    }

    private final class StoreHolder: @unchecked Sendable {
        private(set) var store: FillableStore?
        func make(_ directory: String) throws -> FillableStore {
            let made = try FillableStore(directory: directory + "/bodies")
            store = made
            return made
        }
    }
}
