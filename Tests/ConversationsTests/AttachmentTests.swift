// Attachments between participants over the real relay core.

import Conversations
import Foundation
import Sealing
import Synchronization
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct AttachmentTests {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 11) } }

    func load(_ entry: EntryID, _ person: Person, in session: SessionID) async throws -> [UInt8]? {
        let sink = MemorySink()
        await person.until { await $0.conversation.session(session)?.entries.contains { $0.entry == entry } ?? false }
        try await person.conversation.load(entry, in: session, into: sink)
        return sink.bytes
    }

    @Test(arguments: [0, 1, 65_519, 1_048_269, 3_500_000])
    func `what one adds the others load, whatever its size`(_ size: Int) async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        let original = bytes(size)
        let sending = try await people[0].conversation.add(MemorySource(original), metadata: Array(#"{"name":"a"}"#.utf8), in: session)
        try await sending.upload.value
        for person in people { #expect(try await load(sending.entry, person, in: session) == original) }
        let entry = try #require(await people[1].conversation.session(session)?.entries.first)
        guard case .attachment(let manifest) = entry.body else { return #expect(Bool(false)) }
        #expect(manifest.metadata == Array(#"{"name":"a"}"#.utf8) && entry.isBodyComplete && entry.maker == people[0].id)
    }

    @Test func `a load that begins before the upload ends when the upload has ended`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let original = bytes(4_000_000)
        relay.holdParts(from: 1)
        let sending = try await people[0].conversation.add(MemorySource(original), metadata: [], in: session)
        await people[1].until { await !($0.conversation.session(session)?.entries.isEmpty ?? true) }
        let sink = MemorySink()
        let progress = ProgressLog()
        let loading = Task { try await people[1].conversation.load(sending.entry, in: session, into: sink, onProgress: progress.add) }
        // The first part is with the loader before the relay has the rest.
        await progress.until { $0.bytes >= Limits.partSizeBytes }
        #expect(sink.bytes == nil)
        relay.putGate.open()
        try await loading.value
        try await sending.upload.value
        #expect(sink.bytes == original)
        #expect(progress.all.last?.phase == .done && progress.all.last?.bytes == progress.all.last?.totalBytes)
    }

    @Test func `an upload goes on where it was after failures and a restart of the relay`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let original = bytes(6_000_000)
        relay.setFaults { $0.putFailureCount = 4 }
        relay.holdParts(from: 2)
        let sending = try await people[0].conversation.add(MemorySource(original), metadata: [], in: session)
        await relay.putGate.untilWaitedAt()
        try await relay.restart()
        relay.putGate.open()
        try await sending.upload.value
        #expect(relay.putCount == 6)
        #expect(try await load(sending.entry, people[1], in: session) == original)
    }

    @Test func `a load goes on in the middle of a part that broke off`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let original = bytes(2_500_000)
        let sending = try await people[0].conversation.add(MemorySource(original), metadata: [], in: session)
        try await sending.upload.value
        relay.setFaults { $0.cutGetAfterBytes = 700_001 }
        #expect(try await load(sending.entry, people[1], in: session) == original)
    }

    @Test func `a body that was changed is reported and never handed out`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let sending = try await people[0].conversation.add(MemorySource(bytes(200_000)), metadata: [], in: session)
        try await sending.upload.value
        relay.setFaults { $0.tampersWithParts = true }
        let path = NSTemporaryDirectory() + "hearth-\(UUID().uuidString)"
        let sink = try FileSink(path: path)
        let error = await #expect(throws: ConversationError.self) { try await people[1].conversation.load(sending.entry, in: session, into: sink) }
        #expect(error?.code == .tampered)
        #expect(try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).filter { path.hasSuffix($0) || $0.hasPrefix((path as NSString).lastPathComponent) }.isEmpty)
    }

    @Test func `an attachment that is removed is gone for all, and who loads it is told`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        relay.holdParts(from: 1)
        let sending = try await people[0].conversation.add(MemorySource(bytes(3_000_000)), metadata: [], in: session)
        await people[1].until { await !($0.conversation.session(session)?.entries.isEmpty ?? true) }
        let loading = Task { try await people[1].conversation.load(sending.entry, in: session, into: MemorySink()) }
        try await people[1].conversation.remove(sending.entry, in: session)
        relay.putGate.open()
        let loadError = await #expect(throws: ConversationError.self) { try await loading.value }
        let uploadError = await #expect(throws: ConversationError.self) { try await sending.upload.value }
        #expect(loadError?.code == .removed && uploadError?.code == .removed)
        for person in people { await person.until { await $0.conversation.session(session)?.entries.isEmpty ?? false } }
    }

    @Test func `files are sent from where they are and appear whole or not at all`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let directory = NSTemporaryDirectory() + "hearth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let original = Data(bytes(1_300_000))
        try original.write(to: URL(fileURLWithPath: directory + "/in"))
        let sending = try await people[0].conversation.add(FileSource(path: directory + "/in"), metadata: [], in: session)
        try await sending.upload.value
        await people[1].until { await !($0.conversation.session(session)?.entries.isEmpty ?? true) }
        try await people[1].conversation.load(sending.entry, in: session, into: FileSink(path: directory + "/out"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/out")) == original)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["in", "out"])
        #expect(throws: ConversationError.self) { try FileSink(path: directory + "/out") }
        #expect(throws: ConversationError.self) { try FileSource(path: directory) }
        #expect(throws: ConversationError.self) { try FileSource(path: directory + "/absent") }
    }

    @Test func `what is too large is refused before anything is sent, with limit and value`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana"], relay)
        let large = await #expect(throws: ConversationError.self) { try await people[0].conversation.add(EndlessSource(sizeBytes: 100_000_001), metadata: [], in: session) }
        #expect(large?.code == .attachmentTooLarge && large?.limit == 100_000_000 && large?.value == 100_000_001)
        let metadata = await #expect(throws: ConversationError.self) { try await people[0].conversation.add(MemorySource([]), metadata: [UInt8](repeating: 0, count: 65_537), in: session) }
        #expect(metadata?.code == .metadataTooLarge && metadata?.limit == 65_536 && metadata?.value == 65_537)
        let message = await #expect(throws: ConversationError.self) { try await people[0].conversation.send(.data([UInt8](repeating: 0, count: 262_145)[...]), in: session) }
        #expect(message?.code == .messageTooLarge && message?.limit == 262_144 && message?.value == 262_145)
    }

    @Test func `a proxy that takes no parts of this size ends the upload with its status, and the attachment is taken back`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        relay.setFaults { $0.putFailure = .refusedByProxy(status: 413) }
        let sending = try await people[0].conversation.add(MemorySource(bytes(2_000_000)), metadata: [], in: session)
        let error = await #expect(throws: ConversationError.self) { try await sending.upload.value }
        #expect(error?.code == .proxyLimit && error?.value == 413)
        for person in people { await person.until { await $0.conversation.session(session)?.entries.isEmpty ?? false } }
        #expect(relay.putCount == 0)
        relay.setFaults { $0.putFailure = nil }
        let next = try await people[0].conversation.add(MemorySource(bytes(2_000_000)), metadata: [], in: session)
        try await next.upload.value
        #expect(try await load(next.entry, people[1], in: session) == bytes(2_000_000))
    }

    @Test func `what the quota does not hold is refused with limit and value`() async throws {
        var settings = RelaySettingsBox()
        settings.conversationQuotaBytes = 1_000_000
        let relay = settings.relay
        let (people, session, _) = try await gathering(["Ana"], relay)
        let error = await #expect(throws: ConversationError.self) { try await people[0].conversation.add(MemorySource(bytes(2_000_000)), metadata: [], in: session) }
        #expect(error?.code == .conversationQuota && error?.limit == 1_000_000 && (error?.value ?? 0) > 2_000_000)
    }
}
