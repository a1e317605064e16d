// A fast sender waits for places instead of filling memory and lines.

import Synchronization
import Testing
import Wire

@testable import Conversations
@testable import Sealing

@Suite(.timeLimit(.minutes(1)))
struct RecordWindowTests {
    private let session = SessionID(Bytes16(high: 3, low: 1))
    private let other = SessionID(Bytes16(high: 3, low: 2))

    private func record(_ token: Token, _ sizeBytes: Int, in session: SessionID? = nil) -> RecordWindow.Record {
        .init(session: session ?? self.session, frame: SealedFrame(counter: token, sealed: [UInt8](repeating: 0, count: sizeBytes)), recipients: [], token: token)
    }

    private func tokens(_ window: inout RecordWindow) -> [Token] {
        var tokens: [Token] = []
        while let record = window.next() { tokens.append(record.token) }
        return tokens
    }

    @Test func `4 MiB of records are on their way and no more, and each place lets the next ones go`() {
        var window = RecordWindow()
        for token in 1...20 as ClosedRange<Token> { window.add(record(token, 300_000)) }
        #expect(tokens(&window) == Array(1...13))
        #expect(window.inFlightBytes <= Limits.recordsInFlightSizeLimitBytes && window.isWaiting)
        window.settle(2)
        #expect(tokens(&window) == [14])
        for token in 1...20 as ClosedRange<Token> { window.settle(token) }
        #expect(tokens(&window) == Array(15...20))
    }

    @Test func `a place is counted once`() {
        var window = RecordWindow()
        window.add(record(1, 10))
        _ = window.next()
        window.settle(1)
        window.settle(1)
        window.settle(7)
        #expect(window.inFlightBytes == 0 && window.sizeBytes == 0 && window.count == 0)
    }

    @Test func `a record that is larger than the window goes alone`() {
        var window = RecordWindow()
        window.add(record(1, 10))
        window.add(record(2, Limits.recordsInFlightSizeLimitBytes + 1))
        window.add(record(3, 10))
        #expect(tokens(&window) == [1])
        window.settle(1)
        #expect(tokens(&window) == [2])
        window.settle(2)
        #expect(tokens(&window) == [3])
    }

    @Test func `it knows of each session whether something waits`() {
        var window = RecordWindow()
        window.add(record(1, Limits.recordsInFlightSizeLimitBytes))
        window.add(record(2, 1, in: other))
        _ = tokens(&window)
        #expect(!window.isWaiting(in: session) && window.isWaiting(in: other))
        window.settle(1)
        _ = tokens(&window)
        #expect(!window.isWaiting(in: other) && !window.isWaiting)
    }

    @Test func `what has no place is limited in bytes and in number`() {
        var window = RecordWindow()
        for token in 1...64 as ClosedRange<Token> { window.add(record(token, 262_144)) }
        #expect(window.refusal(of: 1).map { [$0.limit, $0.value] } == [Limits.logSizeLimitBytes, Limits.logSizeLimitBytes + 1])
        window.settle(1)
        #expect(window.refusal(of: 262_144) == nil)
        var many = RecordWindow()
        for token in 1...UInt64(Limits.logFrameCountLimit) { many.add(record(token, 1)) }
        #expect(many.refusal(of: 1).map { [$0.limit, $0.value] } == [Limits.logFrameCountLimit, Limits.logFrameCountLimit + 1])
    }

    @Test func `while no places come no more than the window goes over the line, and then all of it does`() async throws {
        let relay = InMemoryRelay()
        let (people, session, _) = try await gathering(["Ana", "Ben"], relay)
        let line = SilencedLine(relay)
        let cleo = try await Person("Cleo", people[0].conversation.invitation, line)
        try await cleo.conversation.introduced()
        await cleo.enter(session)
        line.silence()
        let count = 40
        let text = String(repeating: "x", count: 250_000)
        async let said: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await cleo.say(text, in: session) } }
            try await group.waitForAll()
        }
        // All forty have been asked for, and what may go has gone.
        await settled { await cleo.conversation.window.count >= count }
        #expect(line.recordBytes <= Limits.recordsInFlightSizeLimitBytes)
        #expect(line.recordBytes > Limits.recordsInFlightSizeLimitBytes - 300_000)
        line.speakAgain()
        try await said
        await people[0].until { $0.texts(in: session).count == count }
        #expect(await cleo.conversation.window.sizeBytes == 0)
    }

    @Test(arguments: [Parting.exit, .end, nil])
    func `who goes while records wait has said them all`(parting: Parting?) async throws {
        let relay = InMemoryRelay()
        let (people, session, invitation) = try await gathering(["Ana"], relay)
        let line = SilencedLine(relay)
        let ben = try await Person("Ben", invitation, line)
        try await ben.conversation.introduced()
        await ben.enter(session)
        line.silence()
        let text = String(repeating: "x", count: 250_000)
        let said = Task { await withTaskGroup(of: Void.self) { group in for _ in 0..<24 { group.addTask { try? await ben.say(text, in: session) } } } }
        await settled { await ben.conversation.window.count == 24 }
        #expect(await ben.conversation.window.isWaiting)
        switch parting {
        case .exit: await ben.conversation.exit(session)
        case .end: await ben.conversation.end(session)
        case nil: Task { await ben.conversation.leave() }
        }
        line.speakAgain()
        await said.value
        await people[0].until { $0.texts(in: session).count == 24 }
        await ben.until { !$0.heard.ends.isEmpty || $0.heard.closed != nil }
        switch parting {
        case .exit: #expect(ben.heard.ends == [.left])
        case .end: #expect(ben.heard.ends == [.ended])
        case nil: await ben.until { $0.heard.closed == .left }
        }
    }
}

/// A way to the relay on which nothing is heard while it is silenced, and which counts the records that go over it.
private final class SilencedLine: RelayTransport {
    private let relay: InMemoryRelay
    private let gate = Gate()
    private let bytes = Mutex(0)

    init(_ relay: InMemoryRelay) { self.relay = relay }

    var recordBytes: Int { bytes.withLock(\.self) }
    func silence() { gate.shut() }
    func speakAgain() { gate.open() }

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
        private let line: SilencedLine

        init(_ inner: any RelayConnection, _ line: SilencedLine) {
            self.inner = inner
            self.line = line
            let (stream, continuation) = AsyncStream.makeStream(of: RelayConnectionEvent.self)
            events = stream
            Task {
                for await event in inner.events {
                    await line.gate.pass()
                    continuation.yield(event)
                }
                continuation.finish()
            }
        }

        var waitingBytes: Int { inner.waitingBytes }
        func send(_ message: [UInt8]) {
            for case .record(_, _, _, let sealed) in (try? Frame.decode(message: message)) ?? [] { line.bytes.withLock { $0 += sealed.count } }
            inner.send(message)
        }
        func close() { inner.close() }
    }
}
