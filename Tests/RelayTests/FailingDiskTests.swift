// What a disk that takes nothing for a while leaves behind once it lets go: nothing.

import Testing
import Wire

@testable import Relay

@Suite("A failing disk") struct FailingDiskTests {
    private func room(_ number: Int) -> ConversationID { ConversationID(Bytes16(high: 6, low: UInt64(number))) }

    /// Somebody comes, shares one photo, part and all, and leaves.
    private func visit(_ hub: RelayHub, _ attachments: InMemoryAttachmentStore, _ number: Int) async throws {
        let line = await hub.connect(hello(ana, create: true), to: room(number))
        await line.say(announce())
        await line.say(.enter(session: gallery))
        await line.say(put(1, body: 3))
        let part = PartName(attachment: AttachmentName(conversation: room(number), session: gallery, entry: entry(1)), number: 0)
        let upload = try attachments.beginPart(part, lengthBytes: 3)
        try [1, 2, 3 as UInt8].withUnsafeBytes { try upload.write($0) }
        try upload.publish()
        await hub.partStored(part)
        await line.say(put(1, .bodyComplete, body: 3))
        #expect(await line.frames.entries(of: gallery).last?.flags == .bodyComplete)
        await line.say(.leave)
        await line.cut()
    }

    @Test("conversations go once a failing disk lets go") func lettingGo() async throws {
        let count = 1_000
        let (ledger, attachments) = (InMemoryLedgerStore(), InMemoryAttachmentStore())
        let hub = withHub(ledger: ledger, attachments: attachments)
        await hub.tick(nowNanoseconds: 1_000_000_000)
        for number in 0..<count { try await visit(hub, attachments, number) }
        let visited = await hub.figures
        #expect(visited.conversations == count && visited.connections == 0)
        await ledger.fail(with: .failed("read-only file system"))
        attachments.fail(with: .failed("read-only file system"))
        for second in 602...605 as ClosedRange<UInt64> {
            await hub.tick(nowNanoseconds: second * 1_000_000_000)
            await hub.quiet()
        }
        // It was asked again each second, and nobody is let in to what is about to go.
        #expect(await hub.figures.storeFailures >= UInt64(4 * count))
        #expect(await hub.connect(hello(ben), to: room(0)).closed == .unknownConversation)
        await ledger.fail(with: nil)
        attachments.fail(with: nil)
        await hub.tick(nowNanoseconds: 606_000_000_000)
        await hub.quiet()
        let figures = await hub.figures
        #expect(figures.conversations == 0 && figures.sessions == 0 && figures.participants == 0 && figures.reservedBytes == 0 && figures.logBytes == 0)
        #expect(await hub.perform { $0.rooms.isEmpty && $0.busyCount == 0 })
        #expect(try await ledger.conversations().isEmpty)
        #expect(try await attachments.attachments().isEmpty)
        try await visit(hub, attachments, 0)
    }

    @Test("conversations that a failing disk does not take leave nothing behind, and the next one is taken") func notTaken() async throws {
        let (ledger, attachments) = (InMemoryLedgerStore(), InMemoryAttachmentStore())
        let hub = withHub(ledger: ledger, attachments: attachments)
        await ledger.fail(with: .full)
        for number in 0..<1_000 {
            let line = await hub.connect(hello(ana, create: true), to: room(number))
            #expect(await line.closed == .overloaded)
            await line.cut()
        }
        let figures = await hub.figures
        #expect(figures.conversations == 0 && figures.connections == 0 && figures.participants == 0 && figures.reservedBytes == 0)
        #expect(figures.storeFailures == 1_000)
        #expect(await hub.perform { $0.rooms.isEmpty && $0.busyCount == 0 })
        await ledger.fail(with: nil)
        try await visit(hub, attachments, 0)
    }
}
