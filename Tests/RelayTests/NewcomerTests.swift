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
}
