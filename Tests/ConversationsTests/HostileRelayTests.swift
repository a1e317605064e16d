// What a relay that lies can do to those who use it: end a session, and no more.

import Conversations
import Sealing
import Synchronization
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct HostileRelayTests {
    /// Ana speaks over an honest line; what Ben hears goes through `rewrite` once it is armed.
    private func story(_ rewrite: @escaping @Sendable (Frame) -> [Frame]) async throws -> (ana: Person, ben: Person, session: SessionID) {
        let relay = InMemoryRelay()
        let (people, session, invitation) = try await gathering(["Ana"], relay)
        relay.setFaults { $0.rewrite = rewrite }
        let ben = try await Person.joined("Ben", invitation, relay)
        await ben.enter(session)
        await people[0].until { await $0.conversation.session(session)?.participants.count == 2 }
        return (people[0], ben, session)
    }

    @Test func `a record that was changed is not handed out`() async throws {
        let (ana, ben, session) = try await story { frame in
            guard case .ordered(let session, let sequence, let sender, let counter, let recipients, var sealed) = frame else { return [frame] }
            sealed[sealed.count / 2] ^= 1
            return [.ordered(session: session, sequence: sequence, sender: sender, counter: counter, recipients: recipients, sealed: sealed)]
        }
        try await ana.say("hello", in: session)
        await ben.until { $0.heard.ends == [.tampered] }
        #expect(ben.texts(in: session).isEmpty)
    }

    @Test func `a record that is passed off as another's is known as its sender's`() async throws {
        let nobody = ParticipantID(Bytes16(high: 1, low: 1))
        let (ana, ben, session) = try await story { frame in
            guard case .ordered(let session, let sequence, _, let counter, let recipients, let sealed) = frame else { return [frame] }
            return [.ordered(session: session, sequence: sequence, sender: nobody, counter: counter, recipients: recipients, sealed: sealed)]
        }
        try await ana.say("hello", in: session)
        await ben.until { !$0.texts(in: session).isEmpty }
        #expect(ben.heard.messages.map(\.sender) == [ana.id])
    }

    @Test func `a record that is said to be for fewer or more does not open`() async throws {
        let (ana, ben, session) = try await story { frame in
            guard case .ordered(let session, let sequence, let sender, let counter, _, let sealed) = frame else { return [frame] }
            return [.ordered(session: session, sequence: sequence, sender: sender, counter: counter, recipients: [], sealed: sealed)]
        }
        try await ana.say("for Ben alone", to: [ben], in: session)
        await ben.until { $0.heard.ends == [.tampered] }
    }

    @Test func `a record that is left out ends the session with an error that says so`() async throws {
        let count = Mutex(0)
        let (ana, ben, session) = try await story { frame in
            guard case .ordered(let session, let sequence, let sender, let counter, _, _) = frame else { return [frame] }
            let number = count.withLock { count in
                count += 1
                return count
            }
            // Said to be a record with another counter, so that the hole is hidden in the places but not in the counters.
            return number == 2 ? [.skipped(session: session, sequence: sequence, sender: sender, counter: counter + 1)] : [frame]
        }
        for text in ["one", "two", "three"] { try await ana.say(text, in: session) }
        await ben.until { $0.heard.ends == [.gap] }
        #expect(ben.texts(in: session) == ["one"])
    }

    @Test func `a record that is given twice is heard once`() async throws {
        let shift = Mutex(UInt64(0))
        let (ana, ben, session) = try await story { frame in
            guard case .ordered(let session, let sequence, let sender, let counter, let recipients, let sealed) = frame else { return [frame] }
            let offset = shift.withLock { shift in
                defer { shift += 1 }
                return shift
            }
            return (0...1).map { .ordered(session: session, sequence: sequence + offset + $0, sender: sender, counter: counter, recipients: recipients, sealed: sealed) }
        }
        for text in ["one", "two", "three"] { try await ana.say(text, in: session) }
        await ben.until { $0.texts(in: session).count == 3 }
        #expect(ben.texts(in: session) == ["one", "two", "three"] && ben.heard.ends.isEmpty)
    }
}
