// Late in a large conversation: whoever comes as one of the last has all that the first have.

import Conversations
import Sealing
import Testing
import Wire

@Suite(.timeLimit(.minutes(2)))
struct ManyPeopleTests {
    @Test func `to sixty who share photos five come one by one, and each has every photo, every later message, and is known to all`() async throws {
        let relay = InMemoryRelay()
        let (first, session, invitation) = try await gathering((1...60).map { "Guest \($0)" }, relay)
        var photos: [EntryID: [UInt8]] = [:]
        for number in 0..<3 {
            let bytes = [UInt8](repeating: UInt8(number), count: 1_000 * (number + 1))
            let sending = try await first[number * 20].conversation.add(MemorySource(bytes), metadata: [], in: session)
            try await sending.upload.value
            photos[sending.entry] = bytes
        }
        var people = first
        for number in 61...65 {
            let newcomer = try await Person.joined("Guest \(number)", invitation, relay)
            await newcomer.enter(session)
            #expect(await Set(newcomer.conversation.session(session)?.entries.map(\.entry) ?? []) == Set(photos.keys))
            for (entry, bytes) in photos {
                let sink = MemorySink()
                try await newcomer.conversation.load(entry, in: session, into: sink)
                #expect(sink.bytes == bytes)
            }
            try await newcomer.say("\(number)", in: session)
            people.append(newcomer)
        }
        try await first[0].say("to all", in: session)
        let names = (1...65).map { "Guest \($0)" }
        for (index, person) in people.enumerated() {
            let own = index + 1
            let expected = (max(61, own + 1)..<66).map(String.init) + (index == 0 ? [] : ["to all"])
            await person.until { $0.texts(in: session).count >= expected.count }
            #expect(person.texts(in: session) == expected)
            await person.until { await $0.conversation.participants.count == 65 }
            #expect(await person.conversation.participants.map(\.name) == names)
            #expect(person.heard.ends.isEmpty && person.heard.closed == nil)
        }
    }
}
