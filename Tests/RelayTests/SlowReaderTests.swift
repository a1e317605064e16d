// Who takes much over a slow line, or from a slow disk, is alive, says nothing meanwhile, and gets all of it.

import Testing
import Wire

@testable import Relay

@Suite("Slow readers") struct SlowReaderTests {
    private let second: UInt64 = 1_000_000_000

    @Test("behind a big write no ping runs out: who takes it piece by piece is not closed however long that lasts, and is asked after once it has all")
    func bigWrite() async {
        let hub = withHub()
        await hub.tick(nowNanoseconds: 100 * second)
        let first = await hub.connect(hello(ana, create: true))
        await first.say(announce())
        await first.say(.enter(session: gallery))
        let slow = await hub.connect(hello(ben))
        await slow.say(.enter(session: gallery))
        await slow.forget()
        await slow.take(0)
        for counter in 0..<30 as Range<UInt64> { await first.say(record(counter, [UInt8](repeating: 3, count: 200_000)), .acknowledge(session: gallery, sequence: counter + 2)) }
        var now = 100 * second
        // 7 s for each piece: three and a half minutes in which nothing is heard.
        while await slow.closed == nil, await slow.frames.counters.count < 30 {
            now += 7 * second
            await first.say(.pong(token: 1))
            await hub.tick(nowNanoseconds: now)
            await slow.take(1)
        }
        #expect(await slow.closed == nil)
        #expect(await slow.frames.counters == Array(0..<30))
        #expect(await slow.pings == 0)
        await slow.take(nil)
        await first.say(.pong(token: 1))
        await hub.tick(nowNanoseconds: now + 11 * second)
        #expect(await slow.pings == 1)
        await hub.tick(nowNanoseconds: now + 31 * second)
        #expect(await slow.closed == .silent)
    }

    @Test("who takes nothing of a big write is closed after the time of silence") func deadReader() async {
        let hub = withHub()
        await hub.tick(nowNanoseconds: 100 * second)
        let first = await hub.connect(hello(ana, create: true))
        await first.say(announce())
        await first.say(.enter(session: gallery))
        let dead = await hub.connect(hello(ben))
        await dead.say(.enter(session: gallery))
        await dead.take(0)
        for counter in 0..<30 as Range<UInt64> { await first.say(record(counter, [UInt8](repeating: 3, count: 200_000)), .acknowledge(session: gallery, sequence: counter + 2)) }
        await hub.tick(nowNanoseconds: 129 * second)
        #expect(await dead.closed == nil)
        await first.say(.pong(token: 1))
        await hub.tick(nowNanoseconds: 131 * second)
        #expect(await dead.closed == .silent)
        #expect(await first.closed == nil)
    }

    @Test("while the disk is at one page of a ledger, a line that takes everything is not asked whether it does, though another page waits") func slowDisk() async {
        let ledger = SlowPages()
        let hub = RelayHub(executor: LoopExecutor(), ledger: ledger, attachments: InMemoryAttachmentStore(), settings: RelaySettings(), headroomBytes: 16, incarnation: 77)
        let first = await hub.connect(hello(ana, create: true))
        await first.say(announce())
        await first.say(.enter(session: gallery))
        await first.say(put(1), put(2))
        await ledger.hold()
        let next = await hub.connect(nil)
        await hub.perform { hub in
            hub.say([.hello(hello(ben)), .enter(session: gallery)], on: next.connection)
            hub.endTurn()
        }
        await ledger.untilAsked()
        let requests = await hub.perform { hub in
            hub.becameWritable(next.connection)
            hub.endTurn()
            return next.port.writableRequests
        }
        #expect(requests == 0)
        await ledger.release()
        await hub.quiet()
        #expect(await next.frames.entries(of: gallery).map(\.entry) == [entry(1), entry(2)])
        #expect(await next.frames.contains { if case .complete(gallery, _) = $0 { true } else { false } })
    }
}

/// Keeps what it is given at once, and takes its time to read.
private actor SlowPages: LedgerStore {
    private let kept = InMemoryLedgerStore()
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func hold() { isHeld = true }

    func release() {
        isHeld = false
        for waiting in held { waiting.resume() }
        held = []
    }

    /// Returns once a page is being read.
    func untilAsked() async { if held.isEmpty { await withCheckedContinuation { waiters.append($0) } } }

    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) async throws(StoreError) -> [StoredEntry] {
        if isHeld {
            await withCheckedContinuation { continuation in
                held.append(continuation)
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
        return try await kept.page(of: session, in: conversation, after: version, limitBytes: limitBytes)
    }

    func conversations() async throws(StoreError) -> [StoredConversation] { try await kept.conversations() }
    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError) { try await kept.create(conversation, tokenDigest: tokenDigest) }
    func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64 { try await kept.put(entry, in: conversation) }
    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError) { try await kept.remove(entry, session: session, in: conversation) }
    func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) { try await kept.removeSession(session, in: conversation) }
    func removeConversation(_ conversation: ConversationID) async throws(StoreError) { try await kept.removeConversation(conversation) }
    func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError) { try await kept.setDoor(door, in: conversation) }
}

extension Line {
    fileprivate var pings: Int { get async { await frames.count { if case .ping = $0 { true } else { false } } } }
}
