// Who is alive: also who only listens, and who has much to take over a slow line. Who is not: whose program stands still, whatever its machine takes.

import Testing
import Wire

@testable import Relay

@Suite("Signs of life") struct LivenessTests {
    private func second(_ number: UInt64) -> UInt64 { number * 1_000_000_000 }

    /// Answers what it has been asked since the last time. Returns how often.
    private func answer(_ line: Line) async -> Int {
        let tokens = await line.frames.compactMap { if case .ping(let token) = $0 { token } else { nil } }
        await line.forget()
        if !tokens.isEmpty { await line.say(tokens.map { .pong(token: $0) }) }
        return tokens.count
    }

    @Test("who only listens to samples is asked for a sign of life and kept for it; who gives none is closed after 30 s") func listening() async {
        let hub = withHub()
        await hub.tick(nowNanoseconds: second(100))
        let speaker = await hub.connect(hello(ana, create: true))
        await speaker.say(announce())
        await speaker.say(.enter(session: gallery))
        var listeners: [Line] = []
        for person in [ben, cleo] {
            listeners.append(await hub.connect(hello(person)))
            await listeners.last?.say(.enter(session: gallery))
        }
        var askedCount = 0
        for number in 101...200 as ClosedRange<UInt64> {
            await speaker.say(.sample(session: gallery, recipients: [], sealed: [1, 2, 3]))
            await hub.tick(nowNanoseconds: second(number))
            if number == 129 { #expect(await listeners[1].closed == nil) }
            if number == 130 { #expect(await listeners[1].closed == .silent) }
            askedCount += await answer(listeners[0])
        }
        #expect(await listeners[0].closed == nil)
        #expect((9...10).contains(askedCount))
        #expect(await speaker.closed == nil)
    }

    @Test("who takes a long ledger over a slow line is not given up while it takes it, and is when it takes no more") func slowLedger() async {
        let hub = withHub()
        await hub.tick(nowNanoseconds: second(100))
        let host = await hub.connect(hello(ana, create: true))
        await host.say(announce())
        await host.say(.enter(session: gallery))
        for number in 0..<60 { await host.say(put(number, [UInt8](repeating: UInt8(number), count: 100_000))) }
        let (slow, stuck) = (await hub.connect(hello(ben)), await hub.connect(hello(cleo)))
        for line in [slow, stuck] {
            await line.take(0)
            await line.say(.enter(session: gallery))
        }
        var now: UInt64 = 100
        while await !slow.frames.isComplete(gallery), now < 1_000 {
            now += 7
            await slow.take(1)
            await host.say(.ping(token: now))
            await hub.tick(nowNanoseconds: second(now))
        }
        #expect(now > 200)
        #expect(await slow.frames.entries(of: gallery).map(\.entry) == (0..<60).map { entry($0) })
        #expect(await slow.closed == nil)
        #expect(await stuck.closed == .silent)
        await hub.tick(nowNanoseconds: second(now + 31))
        #expect(await slow.closed == .silent)
    }
}
