// The hub and its stores: what is kept, what is erased, what happens when a disk says no.

import Testing
import Wire

@testable import Relay

@Suite("Hub and stores") struct HubStoreTests {
    private let picture = AttachmentName(conversation: home, session: gallery, entry: entry(1))

    private func host(_ hub: RelayHub) async -> Line {
        let line = await hub.connect(hello(ana, create: true))
        await line.say(announce())
        await line.say(.enter(session: gallery))
        await line.forget()
        return line
    }

    private func store(_ number: Int, _ bytes: [UInt8], in attachments: InMemoryAttachmentStore) throws {
        let upload = try attachments.beginPart(PartName(attachment: picture, number: number), lengthBytes: bytes.count)
        try bytes.withUnsafeBytes { try upload.write($0) }
        try upload.publish()
    }

    @Test("a full disk refuses the put with storage failed, and the next one succeeds") func fullDisk() async {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let failures = Failures()
        await hub.onStoreFailure { failures.append($0) }
        let line = await host(hub)
        let reserved = await hub.figures.reservedBytes
        await ledger.fail(with: .full)
        await line.say(put(1, body: 100))
        #expect(await line.frames.refusals.map(\.code) == [.storageFailed])
        #expect(await hub.figures.reservedBytes == reserved)
        #expect(await hub.figures.storeFailures == 1)
        #expect(failures.all == [.full])
        await ledger.fail(with: nil)
        await line.say(put(1, body: 100))
        #expect(await line.frames.entries(of: gallery).count == 1)
    }

    @Test("records go on while the disk is slow") func slowDisk() async {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let line = await host(hub)
        await ledger.hold()
        await hub.perform { hub in
            hub.say([put(1), record(0)], on: line.connection)
            hub.endTurn()
        }
        #expect(await line.frames.counters == [0])
        #expect(await line.frames.entries(of: gallery).isEmpty)
        await ledger.release()
        await hub.quiet()
        #expect(await line.frames.entries(of: gallery).count == 1)
    }

    @Test("entries of one conversation reach the store one after the other, in order") func inOrder() async {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let line = await host(hub)
        await line.say((0..<200).map { put($0) })
        #expect(await line.frames.entries(of: gallery).map(\.entry) == (0..<200).map { entry($0) })
        #expect(await ledger.calls.suffix(200) == (0..<200).map { .put(entry($0), gallery) }[...])
    }

    @Test("a body is announced, stored, called complete after a sync, and erased with its entry") func body() async throws {
        let attachments = InMemoryAttachmentStore()
        let hub = withHub(attachments: attachments)
        let erased = Erasures()
        await hub.onErase { erased.append($0) }
        let line = await host(hub)
        #expect(await hub.attachment(picture) == nil)
        await line.say(put(1, body: 3))
        #expect(await hub.attachment(picture) == AttachmentHead(bodyLengthBytes: 3, partCount: 1, isBodyComplete: false, heldParts: []))
        try store(0, [1, 2, 3], in: attachments)
        await hub.partStored(PartName(attachment: picture, number: 0))
        await line.say(put(1, .bodyComplete, body: 3))
        #expect(await hub.attachment(picture)?.isBodyComplete == true)
        #expect(attachments.calls == [.sync(picture)])
        #expect(try await hub.removeAttachment(picture))
        #expect(attachments.calls.last == .erase(picture))
        #expect(erased.all == [.attachment(picture)])
        #expect(try await !hub.removeAttachment(picture))
        #expect(await hub.attachment(picture) == nil)
        await hub.quiet()
        #expect(await line.frames.contains(.removed(session: gallery, sequence: 4, remover: .relay, entry: entry(1), reason: .removed)))
    }

    @Test("a removal from outside that the disk does not do is an error, and the attachment stands") func removalFails() async throws {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let line = await host(hub)
        await line.say(put(1, body: 3))
        await ledger.fail(with: .failed("I/O error"))
        await #expect(throws: StoreError.self) { try await hub.removeAttachment(picture) }
        #expect(await hub.attachment(picture) != nil)
    }

    @Test("a part that arrives after its attachment has gone is erased") func stray() async throws {
        let attachments = InMemoryAttachmentStore()
        let hub = withHub(attachments: attachments)
        _ = await host(hub)
        try store(0, [1], in: attachments)
        await hub.partStored(PartName(attachment: picture, number: 0))
        await hub.quiet()
        #expect(try await attachments.attachments().isEmpty)
    }

    @Test("the end of a session erases its ledger and bodies") func sessionEnds() async throws {
        let (ledger, attachments) = (InMemoryLedgerStore(), InMemoryAttachmentStore())
        let hub = withHub(ledger: ledger, attachments: attachments)
        let erased = Erasures()
        await hub.onErase { erased.append($0) }
        let line = await host(hub)
        await line.say(put(1, body: 3))
        try store(0, [1, 2, 3], in: attachments)
        await hub.partStored(PartName(attachment: picture, number: 0))
        await line.say(.end(session: gallery))
        #expect(erased.all == [.session(gallery, home)])
        #expect(try await attachments.attachments().isEmpty)
        #expect(try await ledger.conversations().first?.entries.isEmpty == true)
        #expect(await hub.figures.reservedBytes == 0)
    }

    @Test("a conversation that everyone has left is erased after the grace time; a stranger then finds nothing") func conversationEnds() async throws {
        let (ledger, attachments) = (InMemoryLedgerStore(), InMemoryAttachmentStore())
        let hub = withHub(ledger: ledger, attachments: attachments)
        await hub.tick(nowNanoseconds: 1_000_000_000)
        let line = await host(hub)
        await line.say(put(1, body: 3), put(2))
        await line.say(.leave)
        #expect(await line.closed == .left)
        #expect(await hub.authorizes(goodToken, for: home))
        await hub.tick(nowNanoseconds: 602_000_000_000)
        await hub.quiet()
        #expect(try await ledger.conversations().isEmpty)
        #expect(attachments.calls.last == .eraseConversation(home))
        #expect(await !hub.authorizes(goodToken, for: home))
        let figures = await hub.figures
        #expect(figures.conversations == 0 && figures.reservedBytes == 0)
        #expect(figures.entries == 3)
        let late = await hub.connect(hello(ben))
        #expect(await late.closed == .unknownConversation)
    }

    @Test("a restarted relay has every entry, drops what was bound to who does not return, sweeps bodies without an entry") func restart() async throws {
        let (ledger, attachments) = (InMemoryLedgerStore(), InMemoryAttachmentStore())
        let line = await host(withHub(ledger: ledger, attachments: attachments))
        await line.say(put(1, body: 3), put(3), .put(session: .own, entry: EntryID(ana.bytes), flags: .presenceBound, bodyLength: 0, sealed: [1]))
        let guest = await line.hub.connect(hello(ben))
        await guest.say(.enter(session: gallery))
        await guest.say(put(2, .presenceBound))
        try store(0, [1, 2, 3], in: attachments)
        let orphan = AttachmentName(conversation: home, session: gallery, entry: entry(77))
        let upload = try attachments.beginPart(PartName(attachment: orphan, number: 0), lengthBytes: 0)
        try upload.publish()

        let hub = withHub(ledger: ledger, attachments: attachments, incarnation: 78)
        try await hub.load()
        await hub.quiet()
        #expect(try await attachments.attachments() == [picture])
        #expect(await hub.attachment(picture)?.heldParts == [0])
        #expect(await hub.authorizes(goodToken, for: home))
        #expect(await !hub.authorizes([UInt8](repeating: 0, count: 32), for: home))
        let places = [Hello.Place(session: .own, sequence: 2), Hello.Place(session: gallery, sequence: 4)]
        let back = await hub.connect(hello(ana, incarnation: 77, places: places))
        #expect(await back.frames.welcome?.resumed == false)
        #expect(Set(await back.frames.entries(of: gallery).map(\.entry)).isSuperset(of: [entry(1), entry(3)]))
        #expect(await back.frames.isComplete(gallery))
        await back.say(put(1, .bodyComplete, body: 3))
        #expect(await back.frames.entries(of: gallery).last?.flags == .bodyComplete)
        await hub.tick(nowNanoseconds: 0)
        await hub.tick(nowNanoseconds: 61_000_000_000)
        await hub.quiet()
        let kept = try await ledger.conversations().flatMap(\.entries).filter { $0.session == gallery }.map(\.entry)
        #expect(Set(kept) == [entry(1), entry(3)])
    }

    @Test("the total quota spans conversations and falls back after removal") func totalQuota() async {
        var settings = RelaySettings()
        settings.totalQuotaBytes = 1000
        let hub = withHub(settings: settings)
        let first = await host(hub)
        await first.say(put(1, body: 900))
        let elsewhere = ConversationID(Bytes16(high: 5, low: 2))
        let second = await hub.connect(hello(ben, create: true), to: elsewhere)
        await second.say(put(5, in: .own, [], body: 200))
        #expect(await second.frames.refusals.map(\.code) == [.relayQuota])
        #expect(await second.frames.refusals.map(\.limit) == [1000])
        await first.say(.remove(session: gallery, entry: entry(1)))
        await second.say(put(5, in: .own, [], body: 200))
        #expect(await second.frames.entries(of: .own).count == 1)
    }

    @Test("a large ledger is read page by page, as the newcomer takes it") func pages() async {
        let hub = withHub()
        let line = await host(hub)
        for number in 0..<60 { await line.say(put(number, [UInt8](repeating: UInt8(number), count: 100_000))) }
        let newcomer = await hub.connect(hello(ben))
        await newcomer.take(0)
        await newcomer.say(.enter(session: gallery))
        let waiting = await hub.perform { $0.live(newcomer.connection)?.outbox.waitingBytes ?? -1 }
        #expect((0..<700_000).contains(waiting))
        var takes = 0
        while await !newcomer.frames.isComplete(gallery), takes < 1000 {
            await newcomer.take(1)
            takes += 1
        }
        #expect(await newcomer.frames.entries(of: gallery).map(\.entry) == (0..<60).map { entry($0) })
        #expect(await newcomer.closed == nil)
    }

    @Test("a missed log larger than an outbox is replayed whole") func largeReplay() async {
        let hub = withHub()
        let line = await host(hub)
        let other = await hub.connect(hello(ben))
        await other.say(.enter(session: gallery))
        await other.cut()
        let large = [UInt8](repeating: 3, count: 262_144)
        for counter in 0..<50 as Range<UInt64> { await line.say(record(counter, large), .acknowledge(session: gallery, sequence: counter + 2)) }
        let places = [Hello.Place(session: .own, sequence: 3), Hello.Place(session: gallery, sequence: 2)]
        let back = await hub.connect(nil)
        await back.take(0)
        await back.say(.hello(hello(ben, incarnation: 77, places: places)))
        await back.take(nil)
        #expect(await back.closed == nil)
        #expect(await back.frames.counters == Array(0..<50))
    }
}

/// Written on the hub's executor, read when the hub is quiet.
private final class Failures: @unchecked Sendable {
    private(set) var all: [StoreError] = []
    func append(_ error: StoreError) { all.append(error) }
}

/// The same.
private final class Erasures: @unchecked Sendable {
    private(set) var all: [RelayErasure] = []
    func append(_ erasure: RelayErasure) { all.append(erasure) }
}
