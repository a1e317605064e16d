// The hub's own work: outboxes, clocks, stores, connections that misbehave.

import Testing
import Wire

@testable import Relay

@Suite("Hub") struct HubTests {
    /// Two people in the gallery.
    private func pair(_ hub: RelayHub) async -> (Line, Line) {
        let first = await hub.connect(hello(ana, create: true))
        await first.say(announce())
        await first.say(.enter(session: gallery))
        let second = await hub.connect(hello(ben))
        await second.say(.enter(session: gallery))
        await first.forget()
        await second.forget()
        return (first, second)
    }

    @Test("frames of one turn go out as one message, the sender's copy too") func coalescing() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await hub.perform { hub in
            first.port.messageSizes = []
            second.port.messageSizes = []
            for counter in 0..<100 as Range<UInt64> { hub.say([record(counter)], on: counter % 2 == 0 ? first.connection : second.connection) }
            hub.endTurn()
        }
        #expect(await first.frames.counters == Array(0..<100))
        #expect(await second.frames == first.frames)
        #expect(await hub.perform { _ in first.port.messageSizes.count } == 1)
    }

    @Test("who reads nothing is closed with 4201 while the other gets everything") func slow() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await second.take(0)
        let large = [UInt8](repeating: 3, count: 262_144)
        for counter in 0..<40 as Range<UInt64> {
            await first.say(record(counter, large), .acknowledge(session: gallery, sequence: counter + 2))
        }
        #expect(await second.closed == .tooSlow)
        #expect(await first.closed == nil)
        #expect(await first.frames.counters == Array(0..<40))
        #expect(await first.frames.contains(.presence(participant: ben, presence: .away)))
        #expect(await hub.figures.closed[.tooSlow] == 1)
    }

    @Test("who reads slowly gets everything in order") func slowly() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await second.take(1)
        for counter in 0..<50 as Range<UInt64> { await first.say(record(counter)) }
        #expect(await second.frames.counters == [0])
        while await second.frames.counters.count < 50 { await second.take(3) }
        #expect(await second.frames.counters == Array(0..<50))
        #expect(await second.closed == nil)
    }

    @Test("of samples that cannot be written the oldest go; records stay") func samples() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await second.take(0)
        for number in 0..<100 {
            await first.say(.sample(session: gallery, recipients: [], sealed: [UInt8](repeating: UInt8(number), count: 20_000)), record(UInt64(number)))
        }
        await second.take(nil)
        let frames = await second.frames
        #expect(frames.counters == Array(0..<100))
        let samples = frames.compactMap { if case .sampled(_, _, _, let sealed) = $0 { sealed[0] } else { nil } }
        #expect(samples.count == 26)
        #expect(samples == Array(74..<100))
        #expect(await hub.figures.samplesDropped == 74)
        #expect(await second.closed == nil)
    }

    @Test("malformed input closes that connection only", arguments: [[0x05, 0, 0, 0, 9, 1], [0x0e, 0, 0, 0, 0], [], [0x21, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
    func malformed(bytes: [UInt8]) async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await hub.perform { hub in bytes.withUnsafeBytes { hub.received($0, on: second.connection) } }
        await hub.quiet()
        #expect(await second.closed == (bytes.first == 0x0e ? .unknownFrame : .malformed))
        await first.say(record(0))
        #expect(await first.frames.counters == [0])
        #expect(await first.closed == nil)
    }

    @Test("a text message and one that is too large close that connection only") func garbage() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await hub.receivedGarbage(on: second.connection)
        #expect(await second.closed == .malformed)
        await hub.receivedTooLarge(on: first.connection)
        #expect(await first.closed == .frameTooLarge)
    }

    @Test("who greets and leaves in one breath is gone, as a newcomer and as the first of all, whose conversation is still being made") func inAndOut() async {
        let hub = withHub()
        let (first, _) = await pair(hub)
        await first.forget()
        let third = await hub.connect(nil)
        await third.say(.hello(hello(cleo)), .leave)
        #expect(await third.closed == .left)
        #expect(await hub.figures.participants == 2)
        let gone = await first.frames.compactMap { if case .exited(.own, _, let participant, _) = $0 { participant } else { nil } }
        #expect(gone == [cleo])

        let alone = withHub()
        let only = await alone.connect(nil)
        await only.say(.hello(hello(ana, create: true)), .leave)
        #expect(await only.closed == .left)
        #expect(await alone.figures.participants == 0)
    }

    @Test("frames before hello, a second hello, and hello of another version are refused") func wrongState() async {
        let hub = withHub()
        let early = await hub.connect(nil)
        await early.say(record(0))
        #expect(await early.closed == .malformed)
        let (first, _) = await pair(hub)
        await first.say(.hello(hello(ana)))
        #expect(await first.closed == .malformed)
        let other = await hub.connect(nil)
        await hub.perform { hub in
            var bytes = Frame.encode([.hello(hello(cleo))])
            bytes[5] = 9
            bytes.withUnsafeBytes { hub.received($0, on: other.connection) }
        }
        #expect(await other.closed == .unsupportedVersion)
    }

    @Test("frames that may be skipped are skipped") func skipped() async {
        let hub = withHub()
        let (first, _) = await pair(hub)
        await hub.perform { hub in
            let bytes: [UInt8] = [0xfe, 0, 0, 0, 2, 1, 1] + Frame.encode([.presence(participant: ana, presence: .away), record(0)])
            bytes.withUnsafeBytes { hub.received($0, on: first.connection) }
        }
        await hub.quiet()
        #expect(await first.frames.counters == [0])
    }

    @Test("10,000 refused hellos leave nothing behind") func refusedHellos() async {
        let hub = withHub()
        _ = await pair(hub)
        let before = await hub.figures
        for number in 0..<10_000 {
            let isUnknown = number % 2 == 0
            let line = await hub.perform { hub in
                let port = RecordingPort()
                let connection = hub.connected(port, to: isUnknown ? ConversationID(Bytes16(high: 9, low: UInt64(number))) : home)
                hub.say([.hello(hello(participant(number), token: [UInt8](repeating: 1, count: 32)))], on: connection)
                hub.endTurn()
                return Line(hub: hub, port: port, connection: connection)
            }
            guard await line.closed == (isUnknown ? .unknownConversation : .notInvited) else {
                Issue.record("hello \(number) was not refused")
                return
            }
            await hub.disconnected(line.connection)
        }
        let after = await hub.figures
        #expect(after.conversations == before.conversations && after.participants == before.participants && after.connections == before.connections)
        #expect(after.reservedBytes == before.reservedBytes)
        #expect(await hub.perform { $0.openConnections.count } == 2)
    }

    @Test("of 150 who come at once exactly 100 are let in") func race() async {
        let hub = withHub()
        let lines = await withTaskGroup(of: Line.self) { group in
            for number in 0..<150 { group.addTask { await hub.connect(hello(participant(number), create: true)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await hub.quiet()
        var (welcomed, full) = (0, 0)
        for line in lines {
            if await line.frames.welcome != nil { welcomed += 1 }
            if await line.closed == .conversationFull { full += 1 }
        }
        #expect(welcomed == 100)
        #expect(full == 50)
        #expect(await hub.figures.participants == 100)
    }

    @Test("the limit of conversations is a limit") func conversationLimit() async {
        var settings = RelaySettings()
        settings.conversationCountLimit = 1
        let hub = withHub(settings: settings)
        _ = await hub.connect(hello(ana, create: true))
        let second = await hub.connect(hello(ben, create: true), to: ConversationID(Bytes16(high: 9, low: 9)))
        #expect(await second.closed == .conversationFull)
    }

    @Test("more frames than one participant may send close the connection") func flooding() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await second.say((0..<3000).map { _ in Frame.ping(token: 1) })
        await second.say((0..<3000).map { _ in Frame.ping(token: 1) })
        #expect(await second.closed == .flooding)
        #expect(await first.closed == nil)
    }

    @Test("time lets a participant send on at the permitted rate") func notFlooding() async {
        let hub = withHub()
        let (first, _) = await pair(hub)
        for second in 0..<12 as Range<UInt64> {
            await hub.tick(nowNanoseconds: second * 1_000_000_000)
            await first.say((0..<950).map { _ in Frame.pong(token: 1) })
        }
        #expect(await first.closed == nil)
    }

    @Test("silence is asked after with a ping, then closed") func heartbeat() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        for seconds in [100, 109, 110, 125] as [UInt64] {
            await hub.tick(nowNanoseconds: seconds * 1_000_000_000)
            if seconds == 109 { #expect(await first.frames.isEmpty) }
        }
        let pings = await first.frames.compactMap { if case .ping(let token) = $0 { token } else { nil } }
        #expect(pings.count == 2)
        await first.say(.pong(token: pings.last ?? 0))
        await hub.tick(nowNanoseconds: 130 * 1_000_000_000)
        #expect(await first.closed == nil)
        #expect(await second.closed == .silent)
        await first.say(.ping(token: 42))
        #expect(await first.frames.contains(.pong(token: 42)))
    }

    @Test("who does not say hello within 10 s is closed") func noHello() async {
        let hub = withHub()
        await hub.tick(nowNanoseconds: 5_000_000_000)
        let line = await hub.connect(nil)
        await hub.tick(nowNanoseconds: 14_000_000_000)
        #expect(await line.closed == nil)
        await hub.tick(nowNanoseconds: 15_000_000_000)
        #expect(await line.closed == .silent)
    }

    @Test("draining closes everyone with 4200, and whoever comes after") func drain() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await hub.drain()
        let late = await hub.connect(hello(cleo))
        for line in [first, second, late] { #expect(await line.closed == .shuttingDown) }
    }

    @Test("a connection name that is used up does nothing") func staleName() async {
        let hub = withHub()
        let (first, second) = await pair(hub)
        await second.cut()
        let third = await hub.connect(nil)
        #expect(third.connection != second.connection && third.connection.slot == second.connection.slot)
        await second.say(record(0))
        await second.cut()
        #expect(await first.frames.counters.isEmpty)
        #expect(await third.closed == nil)
    }
}
