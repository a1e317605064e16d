// Whole conversations over the real relay core, in one process.

import Conversations
import Sealing
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct WholeConversationTests {
    @Test func `people see one another, by name and in order of coming`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        for person in people {
            #expect(await person.conversation.participants.map(\.name) == ["Ana", "Ben", "Cleo"])
            #expect(await person.conversation.session(session)?.participants.map(\.id) == people.map(\.id))
            #expect(person.conversation.sessionCode == people[0].conversation.sessionCode)
            let activity = await person.conversation.activities.first
            #expect(activity?.announcement == drawing && activity?.initiator == people[0].id)
        }
    }

    @Test func `everyone hears everyone's messages once and in one order, but not their own`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        try await speakAll(people, count: 40, in: session)
        for person in people { await person.until { $0.texts(in: session).count == 80 } }
        expectAgreement(people, count: 40, in: session)
    }

    @Test func `a message to some reaches those and nobody else, and breaks no count`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        try await people[0].say("for Ben", to: [people[1]], in: session)
        try await people[0].say("for both", in: session)
        try await people[0].say("for Cleo", to: [people[2]], in: session)
        try await people[0].say("end", in: session)
        for person in people[1...] { await person.until { $0.texts(in: session).last == "end" } }
        #expect(people[1].texts(in: session) == ["for Ben", "for both", "end"])
        #expect(people[2].texts(in: session) == ["for both", "for Cleo", "end"])
    }

    @Test func `samples arrive, and are told apart from messages`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        try await people[0].conversation.sendSample(.message(identifier: "Cursor", json: Array("[1,2]".utf8)[...]), in: session)
        await people[1].until { !$0.heard.messages.isEmpty }
        #expect(people[1].heard.messages.first?.isReliable == false && people[1].heard.messages.first?.text == "[1,2]")
    }

    @Test func `messages come once and in order through lost connections`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        async let speaking: Void = speakAll(people, count: 60, in: session)
        for round in 1...8 {
            await people[round % 3].until { $0.texts(in: session).count >= round * 10 }
            relay.cut()
        }
        try await speaking
        for person in people { await person.until { $0.texts(in: session).count >= 120 } }
        expectAgreement(people, count: 60, in: session)
    }

    @Test func `messages come once and in each sender's order through restarts of the relay`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben", "Cleo"], relay)
        async let speaking: Void = speakAll(people, count: 60, in: session)
        for round in 1...4 {
            await people[round % 3].until { $0.texts(in: session).count >= round * 20 }
            try await relay.restart()
        }
        try await speaking
        for person in people { await person.until { $0.texts(in: session).count >= 120 } }
        for person in people {
            for other in people where other.id != person.id {
                #expect(person.heard.messages.filter { $0.sender == other.id }.map(\.text) == (0..<60).map { "\(other.name) \($0)" })
            }
            #expect(person.heard.ends.isEmpty && person.heard.closed == nil)
        }
    }

    @Test func `who comes late is given the whole ledger and the messages from then on`() async throws {
        let relay = InMemoryRelay()
        let (people, session, invitation) = try await gathering(["Ana", "Ben"], relay)
        try await people[0].say("too early for Cleo", in: session)
        var added: [EntryID] = []
        for number in 0..<5 {
            let sending = try await people[number % 2].conversation.add(MemorySource([UInt8(number)]), metadata: Array("\(number)".utf8), in: session)
            try await sending.upload.value
            added.append(sending.entry)
        }
        try await people[0].conversation.remove(added[1], in: session)
        let cleo = try await Person.joined("Cleo", invitation, relay)
        await cleo.enter(session)
        let entries = await cleo.conversation.session(session)?.entries ?? []
        #expect(Set(entries.map(\.entry)) == Set(added).subtracting([added[1]]))
        #expect(Set(entries.map(\.maker)) == Set(people.map(\.id)))
        try await people[1].say("hello Cleo", in: session)
        await cleo.until { !$0.texts(in: session).isEmpty }
        #expect(cleo.texts(in: session) == ["hello Cleo"])
    }

    @Test func `who leaves a session can enter again and hears what is said from then on`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        try await people[0].say("one", in: session)
        await people[1].until { $0.texts(in: session) == ["one"] }
        await people[1].conversation.exit(session)
        await people[1].until { $0.heard.ends == [.left] }
        await people[0].until { await $0.conversation.session(session)?.participants.count == 1 }
        try await people[0].say("missed", in: session)
        await people[1].enter(session)
        try await people[0].say("two", in: session)
        try await people[1].say("back", in: session)
        await people[1].until { $0.texts(in: session).count == 2 }
        await people[0].until { $0.texts(in: session) == ["back"] }
        #expect(people[1].texts(in: session) == ["one", "two"])
    }

    @Test func `a session that somebody ends is over for everyone, and its announcement is gone`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        await people[1].conversation.end(session)
        for person in people {
            await person.until { $0.heard.ends == [.ended] }
            await person.until { await $0.conversation.activities.isEmpty }
        }
        await #expect(throws: ConversationError.self) { try await people[0].say("into the void", in: session) }
    }

    @Test func `an activity that is replaced is replaced for all, and who began it stays`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        var next = drawing
        next.activity = Array(#"{"title":"Other"}"#.utf8)
        try await people[1].conversation.announce(next, as: session)
        for person in people {
            await person.until { [next] in await $0.conversation.activities.first?.announcement == next }
            #expect(await person.conversation.activities.first?.initiator == people[0].id)
        }
    }

    @Test func `who leaves is gone for the others, and cannot speak any more`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        await people[1].conversation.leave()
        #expect(await people[1].conversation.end == .left)
        await people[0].until { await $0.conversation.participants.count == 1 }
        await #expect(throws: ConversationError.self) { try await people[1].say("still here?", in: session) }
    }

    @Test func `without an invitation that fits nobody comes in`() async throws {
        let relay = InMemoryRelay()
        let (_, _, invitation) = try await gathering(["Ana"], relay)
        let unknown = try await Person("Ben", Invitation(relay: "https://relay.example"), mayCreate: false, relay)
        await #expect(throws: ConversationError.self) { try await unknown.conversation.introduced() }
        #expect(await unknown.conversation.end == .unknownConversation)
        // Another secret for the same conversation.
        var link = Array(invitation.link)
        let index = link.count - 10
        link[index] = link[index] == "A" ? "B" : "A"
        let impostor = try await Person("Eve", Invitation(String(link)), relay)
        await #expect(throws: ConversationError.self) { try await impostor.conversation.introduced() }
        #expect(await impostor.conversation.end == .notInvited)
    }

    private func speakAll(_ people: [Person], count: Int, in session: SessionID) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people {
                group.addTask { for number in 0..<count { try await person.say("\(person.name) \(number)", in: session) } }
            }
            try await group.waitForAll()
        }
    }

    private func expectAgreement(_ people: [Person], count: Int, in session: SessionID) {
        for person in people {
            for other in people where other.id != person.id {
                #expect(person.heard.messages.filter { $0.sender == other.id }.map(\.text) == (0..<count).map { "\(other.name) \($0)" })
            }
            #expect(person.heard.ends.isEmpty && person.heard.closed == nil)
        }
        // What two have both heard they have heard in the same order.
        for (first, second) in zip(people, people.dropFirst()) {
            let common = Set(first.texts(in: session)).intersection(second.texts(in: session))
            #expect(first.texts(in: session).filter(common.contains) == second.texts(in: session).filter(common.contains))
        }
    }
}
