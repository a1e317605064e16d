// Coming back after restarts of the relay that follow each other closely.

import Conversations
import Sealing
import Synchronization
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct ReturnTests {
    @Test(arguments: [true, false])
    func `who is cut off after the welcome of a restarted relay and before a position misses nothing`(isOwnSession: Bool) async throws {
        let relay = InMemoryRelay()
        let (people, session, invitation) = try await gathering(["Ana"], relay)
        let line = FragileLine(relay)
        let ben = try await Person("Ben", invitation, line)
        try await ben.conversation.introduced()
        await ben.enter(session)
        try await people[0].say("0", in: session)
        await ben.until { $0.texts(in: session) == ["0"] }

        line.cut(at: isOwnSession ? .own : session)
        try await relay.restart()
        for number in 1...3 { try await people[0].say("\(number)", in: session) }
        await line.untilCut()
        try await relay.restart()
        try await people[0].say("4", in: session)
        line.mend()
        try await people[0].say("5", in: session)
        await ben.until { $0.texts(in: session).count >= 6 || !$0.heard.ends.isEmpty || $0.heard.closed != nil }
        #expect(ben.texts(in: session) == (0...5).map(String.init))
        #expect(ben.heard.ends.isEmpty && ben.heard.closed == nil)
    }

    @Test func `ten losses of the network in a row leave one connection for each, and each message once`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        for number in 0..<10 {
            try await people[0].say("\(number)", in: session)
            relay.cut()
            for _ in 0..<3 { for person in people { await person.conversation.retryNow() } }
        }
        await people[1].until { $0.texts(in: session).count >= 10 }
        for person in people { await person.until { await $0.conversation.isConnected } }
        try await people[1].say("end", in: session)
        await people[0].until { $0.texts(in: session) == ["end"] }
        #expect(people[1].texts(in: session) == (0..<10).map(String.init))
        await relay.hub.settled()
        let figures = await relay.hub.figures
        #expect(figures.connections == 2 && figures.participants == 2)
        #expect(people.allSatisfy { $0.heard.ends.isEmpty && $0.heard.closed == nil })
    }
}

/// A way to the relay that breaks where a session's position would have come, and stays broken until it is mended.
private final class FragileLine: RelayTransport {
    private let relay: InMemoryRelay
    private let state = Mutex((breaksAt: SessionID?.none, isBroken: false))
    private let changes = Changes()

    init(_ relay: InMemoryRelay) { self.relay = relay }

    func cut(at session: SessionID) { state.withLock { $0.breaksAt = session } }
    func mend() { state.withLock { $0 = (nil, false) } }
    func untilCut() async { for await _ in changes.stream() where state.withLock(\.isBroken) { return } }

    /// Whether the line breaks at these frames, or is broken.
    fileprivate func breaks(at message: [UInt8]) -> Bool {
        let frames = (try? Frame.decode(message: message)) ?? []
        let isBroken = state.withLock { state in
            if frames.contains(where: { if case .position(state.breaksAt, _, _) = $0 { true } else { false } }) { state.isBroken = true }
            return state.isBroken
        }
        if isBroken { changes.happened() }
        return isBroken
    }

    func connect(to conversation: ConversationID) -> any RelayConnection { Connection(relay.connect(to: conversation), self) }

    func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure) {
        try await relay.put(part, of: attachment, relayToken: relayToken, bytes)
    }
    func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        relay.get(part, of: attachment, relayToken: relayToken)
    }
    func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding {
        try await relay.standing(of: attachment, relayToken: relayToken)
    }

    private final class Connection: RelayConnection {
        let events: AsyncStream<RelayConnectionEvent>
        private let inner: any RelayConnection

        init(_ inner: any RelayConnection, _ line: FragileLine) {
            self.inner = inner
            let (stream, continuation) = AsyncStream.makeStream(of: RelayConnectionEvent.self)
            events = stream
            Task {
                for await event in inner.events {
                    if case .message(let message) = event, line.breaks(at: message) { break }
                    continuation.yield(event)
                }
                inner.close()
                continuation.yield(.closed(code: 1006))
                continuation.finish()
            }
        }

        var waitingBytes: Int { inner.waitingBytes }
        func send(_ message: [UInt8]) { inner.send(message) }
        func close() { inner.close() }
    }
}
