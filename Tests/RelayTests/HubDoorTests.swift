// Who waits at a door as the hub keeps them: what they may say, how they are kept alive, and what the relay counts.

import Testing
import Wire

@testable import Relay

@Suite("The hub's door") struct HubDoorTests {
    /// Somebody in a conversation in which newcomers have to knock.
    private func guarded(_ ledger: InMemoryLedgerStore = InMemoryLedgerStore(), wallSeconds: UInt64 = 0) async -> (hub: RelayHub, host: Line) {
        let hub = RelayHub(
            executor: LoopExecutor(), ledger: ledger, attachments: InMemoryAttachmentStore(), settings: RelaySettings(), headroomBytes: 16, incarnation: 77,
            wallSeconds: wallSeconds)
        let host = await hub.connect(hello(ana, create: true))
        await host.say(setting(.knock))
        return (hub, host)
    }

    @Test("who waits may ping and knock, hears pings, and is welcomed on the same connection") func life() async {
        let (hub, host) = await guarded()
        await hub.tick(nowNanoseconds: 0)
        let guest = await hub.connect(hello(ben))
        await guest.say(.ping(token: 3), .pong(token: 1), .knock(sealed: [5]))
        await hub.tick(nowNanoseconds: 11_000_000_000)
        #expect(await guest.frames == [.waiting(seconds: 120), .pong(token: 3), .ping(token: 2)])
        #expect(await hub.figures.waiting == 1)
        #expect(await hub.figures.knocks == 1)
        await host.say(.admit(participant: ben, admits: true))
        #expect(await guest.frames.welcome != nil)
        await guest.say(announce())
        #expect(await host.frames.entries(of: .own).count == 1)
        #expect(await hub.figures.waiting == 0)
    }

    @Test(
        "who waits and says anything else is closed, and the members' door is as it was",
        arguments: [.enter(session: gallery), record(0), announce(), .hello(hello(ben)), setting(.open), .admit(participant: ben, admits: true)].map(Sayable.init(frame:)))
    func otherwise(said: Sayable) async {
        let (hub, host) = await guarded()
        let guest = await hub.connect(hello(ben))
        await guest.say(said.frame)
        #expect(await guest.closed == .malformed)
        #expect(await host.frames.filter { if case .door = $0 { true } else { false } } == [.door(door(.knock))])
        #expect(await hub.figures.waiting == 0)
    }

    @Test("an introduction of 1,025 bytes is too large to knock with, one of 1,024 is not") func tooLarge() async {
        let (hub, host) = await guarded()
        let guest = await hub.connect(hello(ben))
        await guest.say(.knock(sealed: [UInt8](repeating: 1, count: 1_025)))
        #expect(await guest.closed == .frameTooLarge)
        let next = await hub.connect(hello(cleo))
        await next.say(.knock(sealed: [UInt8](repeating: 1, count: 1_024)))
        #expect(await host.frames.contains { if case .knocking(cleo, _) = $0 { true } else { false } })
    }

    @Test("who waits and leaves, or is silent, is gone for the members") func gone() async {
        let (hub, host) = await guarded()
        await hub.tick(nowNanoseconds: 0)
        let guest = await hub.connect(hello(ben))
        await guest.say(.knock(sealed: [5]), .leave)
        #expect(await guest.closed == .left)
        let silent = await hub.connect(hello(cleo))
        await silent.say(.knock(sealed: [5]))
        await host.say(.ping(token: 1))
        await hub.tick(nowNanoseconds: 31_000_000_000)
        await hub.quiet()
        #expect(await silent.closed == .silent)
        #expect(await host.frames.contains(.knocked(participant: ben, end: .gone)))
    }

    @Test("a relay that comes up again keeps the door that was on its disk, by its own clock") func restart() async throws {
        let ledger = InMemoryLedgerStore()
        let (_, host) = await guarded(ledger, wallSeconds: 1_000)
        await host.say(setting(.locked, until: 2_000))
        let next = RelayHub(
            executor: LoopExecutor(), ledger: ledger, attachments: InMemoryAttachmentStore(), settings: RelaySettings(), headroomBytes: 16, incarnation: 78,
            wallSeconds: 1_500)
        try await next.load()
        #expect(await next.connect(hello(ben)).closed == .locked)
        await next.tick(nowNanoseconds: 1, wallSeconds: 2_000)
        #expect(await next.connect(hello(ben)).closed == .invitationEnded)
        #expect(await next.connect(hello(ben, pass: goodPass)).frames.contains(.door(door(.locked, until: 2_000))))
    }
}

/// A frame as a test's argument.
struct Sayable: Sendable, CustomTestStringConvertible {
    let frame: Frame
    var testDescription: String { "\(frame.type)" }
}
