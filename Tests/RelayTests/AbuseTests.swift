// What one participant may cost the relay: bytes as well as frames, the disk's patience, and memory before it is even let in.

import Testing
import Wire

@testable import Relay

@Suite("Abuse") struct AbuseTests {
    private let second: UInt64 = 1_000_000_000

    private func host(_ hub: RelayHub) async -> Line {
        await hub.tick(nowNanoseconds: second)
        let line = await hub.connect(hello(ana, create: true))
        await line.say(announce())
        await line.say(.enter(session: gallery))
        await line.forget()
        return line
    }

    private func large(_ counter: UInt64) -> Frame { record(counter, [UInt8](repeating: 1, count: 262_144)) }

    /// Sends large records and acknowledges them until the relay has had enough; says how many it took.
    private func flood(_ line: Line, from first: UInt64) async -> UInt64 {
        var counter = first
        while await line.closed == nil, counter < first + 200 {
            await line.say(large(counter))
            let heard = await line.frames.sequences(of: gallery).last ?? 0
            await line.say(.acknowledge(session: gallery, sequence: heard))
            counter += 1
        }
        return counter > first ? counter - first - 1 : 0
    }

    @Test("more bytes than one participant may send close the connection") func bytes() async {
        let hub = withHub()
        let line = await host(hub)
        let count = await flood(line, from: 0)
        #expect(await line.closed == .flooding)
        #expect((60...64).contains(count), "\(count) records of 256 KiB fit into a burst of 16 MiB")
    }

    @Test("who comes back does not bring a new allowance") func comingBack() async {
        let hub = withHub()
        let line = await host(hub)
        let count = await flood(line, from: 0)
        await line.cut()
        let places = [Hello.Place(session: .own, sequence: 2), Hello.Place(session: gallery, sequence: 1 + count)]
        let again = await hub.connect(hello(ana, incarnation: 77, places: places))
        #expect(await again.frames.welcome?.resumed == true)
        let more = await flood(again, from: count + 1)
        #expect(await again.closed == .flooding)
        #expect(more < 2)
    }

    @Test("the allowance fills with time") func refill() {
        var allowance = Allowance()
        var answers = [allowance.spend(bytes: Limits.byteBurstLimit + 1)]
        allowance.refill(elapsedNanoseconds: second)
        answers += [allowance.spend(bytes: Limits.bytesPerSecondLimit), allowance.spend(bytes: 1)]
        #expect(answers == [false, true, false])
        allowance.refill(elapsedNanoseconds: .max)
        #expect(allowance.isFull)
    }

    @Test("before it is let in a connection may not send long messages, nor name many sessions") func beforeWelcome() async {
        let hub = withHub()
        let long = await hub.connect(nil)
        await hub.perform { hub in
            #expect(hub.messageSizeLimitBytes(on: long.connection) == Limits.helloSizeLimitBytes)
            [UInt8](repeating: 0x80, count: Limits.helloSizeLimitBytes + 1).withUnsafeBytes { hub.received($0, on: long.connection) }
        }
        #expect(await long.closed == .frameTooLarge)
        let many = await hub.connect(hello(ana, create: true, places: (0..<18).map { Hello.Place(session: session($0), sequence: 0) }))
        #expect(await many.closed == .malformed)
        let line = await host(hub)
        #expect(await hub.perform { $0.messageSizeLimitBytes(on: line.connection) } == Limits.socketMessageSizeLimitBytes)
    }

    @Test("asking for a ledger a thousand times reads it from the disk once more, not a thousand times") func ledgers() async {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let line = await host(hub)
        await line.say(put(1))
        await line.forget()
        await hub.perform { hub in
            for _ in 0..<1_000 { hub.say([.enter(session: gallery)], on: line.connection) }
        }
        await hub.quiet()
        let frames = await line.frames
        #expect(frames.entries(of: gallery).count <= 2)
        #expect(frames.isComplete(gallery))
        #expect(await line.closed == nil)
    }

    @Test("puts that the disk does not keep up with are refused beyond a bound, and taken again later") func slowDisk() async {
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger)
        let line = await host(hub)
        await ledger.hold()
        await hub.perform { hub in
            for _ in 0..<Limits.unansweredChangeCountLimit + 10 { hub.say([put(1)], on: line.connection) }
            hub.endTurn()
        }
        let refusals = await line.frames.refusals
        #expect(refusals.count == 10)
        #expect(refusals.allSatisfy { $0.code == .storageFailed && $0.limit == UInt64(Limits.unansweredChangeCountLimit) })
        await ledger.release()
        await hub.quiet()
        await line.forget()
        await line.say(put(1))
        #expect(await line.frames.entries(of: gallery).count == 1)
    }

    @Test("large puts are bounded by their bytes") func slowDiskBytes() async {
        let story = Story.gallery(ana)
        story.holdsStore = true
        let sealed = [UInt8](repeating: 1, count: Limits.entrySizeLimitBytes)
        for _ in 0..<520 { story.murmur(ana, [put(1, sealed)]) }
        story.carryOut()
        #expect(story.heard(ana).refusals.map(\.limit) == [UInt64](repeating: UInt64(Limits.unansweredChangeSizeLimitBytes), count: 8))
    }

    @Test("what was still on its way to the disk when its conversation ended is counted no more") func endedWhileWriting() async {
        var settings = RelaySettings()
        settings.graceSeconds = 0
        let ledger = InMemoryLedgerStore()
        let hub = withHub(ledger: ledger, settings: settings)
        let line = await host(hub)
        await ledger.hold()
        await hub.perform { hub in
            hub.say([put(1, in: .own, .presenceBound, [1, 2, 3, 4, 5]), .leave], on: line.connection)
            hub.endTurn()
            hub.tick(nowNanoseconds: 3_000_000_000)
        }
        await ledger.release()
        await hub.quiet()
        let figures = await hub.figures
        #expect(figures.conversations == 0)
        #expect(figures.reservedBytes == 0)
    }
}
