// The door, as members set it and as newcomers find it, over the real relay core in one process.

import Conversations
import Sealing
import Testing
import Wire

@Suite("The door", .timeLimit(.minutes(1)))
struct DoorTests {
    /// Two who are in, the first of whom has said who else may come in.
    private func guarded(_ relay: InMemoryRelay, _ mode: DoorMode, closesAtSeconds: UInt64 = 0) async throws -> (people: [Person], invitation: Invitation) {
        let (people, _, invitation) = try await gathering(["Ana", "Ben"], relay)
        try await people[0].conversation.setDoor(mode, closesAtSeconds: closesAtSeconds)
        await people[1].until { await $0.conversation.door?.mode == mode }
        return (people, invitation)
    }

    private func newcomer(_ name: String, _ invitation: Invitation, _ relay: InMemoryRelay, pass: [UInt8]? = nil) async throws -> Person {
        try await Person(name, invitation, mayCreate: false, pass: pass, relay)
    }

    private func failure(_ person: Person) async -> ConversationError.Code? {
        do throws(ConversationError) { try await person.conversation.introduced() } catch { return error.code }
        return nil
    }

    @Test func `a locked conversation lets nobody in but who has the pass, and everybody sees who has locked it`() async throws {
        let relay = InMemoryRelay()
        let (people, invitation) = try await guarded(relay, .locked)
        let door = await people[1].conversation.door
        #expect(door?.mode == .locked && door?.closesAtSeconds == 0 && door?.setter == people[0].id)
        #expect(await failure(try await newcomer("Cleo", invitation, relay)) == .locked)
        let pass = await people[1].conversation.pass
        let cleo = try await newcomer("Cleo", invitation, relay, pass: pass)
        #expect(await failure(cleo) == nil)
        await cleo.until { await $0.conversation.door?.setter == people[0].id }
    }

    @Test func `who is in a locked conversation comes back after the relay has restarted`() async throws {
        let relay = InMemoryRelay()
        let (people, invitation) = try await guarded(relay, .locked)
        try await relay.restart()
        for person in people { await person.until { await $0.conversation.isConnected } }
        #expect(people.allSatisfy { $0.heard.closed == nil })
        #expect(await failure(try await newcomer("Cleo", invitation, relay)) == .locked)
    }

    @Test func `who has to knock waits, is named to the members, and comes in on the word of one`() async throws {
        let relay = InMemoryRelay()
        let (people, invitation) = try await guarded(relay, .knock)
        let cleo = try await newcomer("Cleo", invitation, relay)
        await people[1].until { await $0.conversation.knocks.map(\.name) == ["Cleo"] }
        await cleo.until { await $0.conversation.isWaiting }
        for knock in await people[1].conversation.knocks { await people[1].conversation.answer(knock, admits: true) }
        #expect(await failure(cleo) == nil)
        await people[0].until { await $0.conversation.participants.map(\.name) == ["Ana", "Ben", "Cleo"] }
        await people[0].until { await $0.conversation.knocks.isEmpty }
    }

    @Test func `who is declined is told so`() async throws {
        let relay = InMemoryRelay()
        let (people, invitation) = try await guarded(relay, .knock)
        let cleo = try await newcomer("Cleo", invitation, relay)
        await people[0].until { await !$0.conversation.knocks.isEmpty }
        for knock in await people[0].conversation.knocks { await people[0].conversation.answer(knock, admits: false) }
        #expect(await failure(cleo) == .declined)
    }

    @Test func `an end that is too far ahead is refused with the bound, and the door stays as it was`() async throws {
        let relay = InMemoryRelay()
        let (people, _) = try await guarded(relay, .locked)
        await #expect(throws: ConversationError.self) { try await people[0].conversation.setDoor(.open, closesAtSeconds: 1 << 50) }
        #expect(await people[0].conversation.door?.mode == .locked)
    }
}
