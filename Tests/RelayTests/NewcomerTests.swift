// What it costs when somebody comes to many who have much.

import Testing
import Wire

@testable import Relay

@Suite("A newcomer") struct NewcomerTests {
    private func sentBytes(_ line: Line) async -> Int { await line.hub.perform { _ in line.port.messageSizes.reduce(0, +) } }

    @Test("a newcomer is sent what there is once, in pieces below the limit of a message, and the others next to nothing") func once() async {
        let hub = withHub()
        var people: [Line] = []
        for number in 0..<10 {
            let line = await hub.connect(hello(participant(number), create: number == 0))
            if number == 0 { await line.say(announce()) }
            await line.say(.enter(session: gallery))
            people.append(line)
        }
        let (count, sizeBytes) = (50, 100_000)
        for number in 0..<count { await people[number % 10].say(put(number, [UInt8](repeating: UInt8(number), count: sizeBytes))) }
        var before: [Int] = []
        for line in people { before.append(await sentBytes(line)) }

        let newcomer = await hub.connect(hello(ana))
        await newcomer.say(.enter(session: gallery))
        #expect(await newcomer.frames.isComplete(gallery))
        #expect(await newcomer.frames.entries(of: gallery).map(\.entry) == (0..<count).map { entry($0) })
        let stateBytes = count * sizeBytes
        #expect((stateBytes...stateBytes * 6 / 5).contains(await sentBytes(newcomer)))
        #expect(await hub.perform { _ in newcomer.port.messageSizes.max() ?? 0 } <= Limits.socketMessageSizeLimitBytes)
        for (line, bytes) in zip(people, before) { #expect(await sentBytes(line) - bytes < 1_000) }
    }

    @Test("small entries and missed records come joined, in messages that a slow line carries long before it is taken for dead") func joined() async {
        let hub = withHub()
        let ana = await hub.connect(hello(participant(1), create: true))
        await ana.say(announce())
        await ana.say(.enter(session: gallery))
        for number in 0..<200 { await ana.say(put(number, [UInt8](repeating: 1, count: 2_000))) }

        let newcomer = await hub.connect(hello(participant(2)))
        await newcomer.say(.enter(session: gallery))
        #expect(await newcomer.frames.entries(of: gallery).count == 200)
        let sizes = await hub.perform { _ in newcomer.port.messageSizes }
        // Each page is a page of sealed bytes; what stands around them is less than a hundred for each.
        #expect(sizes.allSatisfy { $0 <= Limits.batchSizeLimitBytes * 11 / 10 })
        #expect(sizes.count { $0 > 50_000 } >= 5)
    }
}
