// Who takes much over a slow line is alive, says nothing meanwhile, and gets all of it.

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
}

extension Line {
    fileprivate var pings: Int { get async { await frames.count { if case .ping = $0 { true } else { false } } } }
}
