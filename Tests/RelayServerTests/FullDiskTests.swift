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
    func sync(_ attachment: AttachmentName) async throws(StoreError) {
        if fullness.withLock({ $0 }) != .roomy { throw .failed("\(attachment.conversation.base64URL)/\(attachment.entry.base64URL): read-only file system") }
        try await files.sync(attachment)
    }
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

    @Test func `what the disk does not keep is refused, told to the operator once a minute without a name, and kept when it is asked again`() async throws {
        let holder = StoreHolder()
        let lines = Lines()
        try await withRelay(
            RelayPlan {
                $0.attachments = { directory in try holder.make(directory) }
                $0.log = Log { lines.add($0) }
            }
        ) { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            for number in body.parts.indices { #expect(try body.put(socket, number).status == 201) }
            holder.store!.fullness.withLock { $0 = .fullAtStart }
            for _ in 0..<20 {
                let refused = #expect(throws: TestParticipant.Refused.self) { try body.putEntry(isComplete: true) }
                #expect(refused?.refusal.code == .storageFailed)
            }
            try eventually("it is in the log") { !lines.all.isEmpty }
            #expect(lines.all == ["the disk did not take what was to be kept or erased: …/…: read-only file system"])
            holder.store!.fullness.withLock { $0 = .roomy }
            try body.putEntry(isComplete: true)
        }
    }

    @Test func `a disk that goes on failing is told once a minute, with how often it has failed since`() {
        var trouble = StoreTrouble()
        let second: UInt64 = 1_000_000_000
        #expect(trouble.line(for: .full, nowNanoseconds: second) == "the disk did not take what was to be kept or erased: it is full")
        for number in 2...60 as ClosedRange<UInt64> { #expect(trouble.line(for: .full, nowNanoseconds: number * second) == nil) }
        #expect(trouble.line(for: .full, nowNanoseconds: 61 * second)?.hasSuffix("it is full (and 59 more since the last such line)") == true)
        #expect(trouble.line(for: .failed("fsync: Input/output error"), nowNanoseconds: 200 * second)?.hasSuffix(": fsync: Input/output error") == true)
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
