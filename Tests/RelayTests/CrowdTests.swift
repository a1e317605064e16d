// Many who draw at once, and some of them on slow lines.

import Testing
import Wire

@testable import Relay

@Suite("A crowd") struct CrowdTests {
    private struct Stroke: Equatable { let sender: ParticipantID, counter: UInt64 }

    private func strokes(_ line: Line) async -> [Stroke] {
        await line.frames.compactMap { if case .ordered(gallery, _, let sender, let counter, _, _) = $0 { Stroke(sender: sender, counter: counter) } else { nil } }
    }

    private func points(_ line: Line) async -> [[UInt8]] { await line.frames.compactMap { if case .sampled(_, _, _, let sealed) = $0 { sealed } else { nil } } }

    @Test("of forty-five who draw and point at once everybody sees every stroke, in one order; of the points who is slow sees the last ones") func board() async {
        let (count, slowCount, rounds, pointsEach) = (45, 3, 10, 10)
        let hub = withHub()
        var people: [Line] = []
        for number in 0..<count {
            let line = await hub.connect(hello(participant(number), create: number == 0))
            if number == 0 { await line.say(announce()) }
            await line.say(.enter(session: gallery))
            await line.forget()
            people.append(line)
        }
        let (quick, slow) = (people.dropLast(slowCount), people.suffix(slowCount))
        for line in slow { await line.take(0) }
        for round in 0..<rounds {
            await hub.perform { [people] hub in
                for line in people {
                    for point in 0..<pointsEach {
                        hub.say([.sample(session: gallery, recipients: [], sealed: [UInt8(round), UInt8(point)] + [UInt8](repeating: 0, count: 400))], on: line.connection)
                    }
                    hub.say([record(UInt64(round))], on: line.connection)
                }
                hub.endTurn()
            }
            await hub.quiet()
            for line in slow { await line.take(1) }
            let waiting = await hub.perform { [slow] hub in slow.map { hub.live($0.connection)?.outbox.waitingBytes ?? .max } }
            #expect(waiting.allSatisfy { $0 <= Limits.outboxSampleSizeLimitBytes + Limits.batchSizeLimitBytes })
        }
        for line in slow { await line.take(nil) }
        let order = await strokes(people[0])
        #expect(order.count == count * rounds)
        for line in people {
            #expect(await strokes(line) == order)
            #expect(await line.closed == nil)
        }
        for line in quick { #expect(await points(line).count == (count - 1) * rounds * pointsEach) }
        for line in slow {
            let seen = await points(line)
            #expect(seen.count < (count - 1) * rounds * pointsEach)
            #expect(seen.last?.prefix(2) == [UInt8(rounds - 1), UInt8(pointsEach - 1)])
        }
    }
}
