// What the transfers of a conversation share: the line, and whose turn it is.

import Sealing
import Synchronization
import Testing
import Wire

@testable import Conversations

@Suite(.timeLimit(.minutes(1)))
struct TransferTests {
    let owners = (1...4).map { EntryID(Bytes16(high: 0, low: $0)) }

    @Test func `a line carries one part at a time until one was quick, and again after one was slow`() {
        var pace = LinePace()
        func limit(after milliseconds: Int, _ sizeBytes: Int = Limits.partSizeBytes) -> Int {
            pace.partTravelled(sizeBytes: sizeBytes, in: .milliseconds(milliseconds))
            return pace.partLimit
        }
        #expect(pace.partLimit == 1)
        #expect(limit(after: 500) == 1)
        #expect(limit(after: 499) == 3)
        #expect([500, 700, 1_500].map { limit(after: $0) } == [3, 3, 3])
        #expect(limit(after: 1_501) == 1)
        #expect(limit(after: 700) == 1)
    }

    @Test func `a small part is measured by its size, and a tiny one only where nothing else is known`() {
        var pace = LinePace()
        pace.partTravelled(sizeBytes: 1_000, in: .milliseconds(30))
        #expect(pace.partLimit == 3)
        pace.partTravelled(sizeBytes: Limits.partSizeBytes / 4, in: .milliseconds(400))
        #expect(pace.partLimit == 1)
        pace.partTravelled(sizeBytes: 1_000, in: .milliseconds(30))
        #expect(pace.partLimit == 1)
        pace.partTravelled(sizeBytes: 0, in: .seconds(1))
        #expect(pace.partLimit == 1)
    }

    @Test func `whose transfer has waited longest since its last turn is next`() {
        var queue = SlotQueue(limit: 1)
        var tickets: [SlotQueue.Ticket] = []
        for owner in [0, 0, 0, 1, 2, 1] {
            tickets.append(queue.ticket(for: owners[owner]))
            queue.ask(tickets[tickets.count - 1])
        }
        var turns: [EntryID] = []
        while let ticket = queue.serve().first {
            turns.append(ticket.owner)
            queue.giveBack(ticket)
        }
        #expect(turns == [0, 1, 2, 0, 1, 0].map { owners[$0] })
        #expect(queue.held.isEmpty && queue.waiting.isEmpty)
    }

    @Test func `fewer slots take none away, and more are given out at once`() {
        var queue = SlotQueue(limit: 3)
        let tickets = owners.map { queue.ticket(for: $0) }
        for ticket in tickets { queue.ask(ticket) }
        #expect(queue.serve() == Array(tickets[..<3]))
        queue.limit = 1
        queue.giveBack(tickets[0])
        #expect(queue.serve().isEmpty && queue.held.count == 2)
        queue.limit = 3
        #expect(queue.serve() == [tickets[3]])
    }

    @Test func `whoever is cancelled while waiting leaves its place to the next`() async {
        let slots = Slots(limit: 1)
        let first = await slots.take(owners[0])
        let second = Task { await slots.take(owners[1]) }
        await settled { slots.waitingCount == 1 }
        let third = Task { await slots.take(owners[2]) }
        await settled { slots.waitingCount == 2 }
        second.cancel()
        #expect(await second.value == nil)
        #expect(slots.waitingCount == 1 && slots.heldCount == 1)
        first.map(slots.giveBack)
        #expect(await third.value?.owner == owners[2])
        let late = Task {
            await settled { Task.isCancelled }
            return await slots.take(owners[3])
        }
        late.cancel()
        #expect(await late.value == nil && slots.waitingCount == 0)
    }

    @Test func `hundreds that come, wait, are cancelled and give back leave nothing behind`() async {
        let slots = Slots(limit: 3)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let task = Task {
                    guard let ticket = await slots.take(owners[number % owners.count]) else { return }
                    await Task.yield()
                    slots.giveBack(ticket)
                }
                if number.isMultiple(of: 3) { task.cancel() }
                group.addTask { await task.value }
            }
        }
        #expect(slots.heldCount == 0 && slots.waitingCount == 0)
        slots.resize(to: 1)
        #expect(await slots.take(owners[0]) != nil)
    }

    @Test func `on a slow line parts go one at a time, so that messages need not wait behind several, and several again once it is quick`() async throws {
        let (relay, clock) = (InMemoryRelay(), SteppedClock())
        let (ana, session) = try await alone(relay, clock)
        let transfers = ana.conversation.transfers
        let partCount = 8
        func send(milliseconds: Int, _ isSeen: @escaping @Sendable (Traffic) -> Bool) async throws -> Int {
            let traffic = Traffic()
            relay.setFaults {
                $0.travel = { _ in
                    traffic.begin()
                    // Not before those that may travel do, and the others are ready.
                    await settled { isSeen(traffic) || traffic.now + transfers.outgoing.slots.waitingCount == min(3, partCount - traffic.total + traffic.now) }
                    clock.step(.milliseconds(milliseconds) * traffic.now)
                    traffic.end()
                }
            }
            try await ana.conversation.add(MemorySource([UInt8](repeating: 7, count: 8_000_000)), metadata: [], in: session).upload.value
            #expect(transfers.outgoing.slots.heldCount + transfers.outgoing.slots.waitingCount + transfers.sealed.heldCount + transfers.sealed.waitingCount == 0)
            return traffic.most
        }
        #expect(try await send(milliseconds: 700) { _ in false } == 1)
        #expect(try await send(milliseconds: 20) { $0.most == 3 } == 3)
        _ = try await send(milliseconds: 700) { _ in false }
        #expect(try await send(milliseconds: 700) { _ in false } == 1)
    }

    @Test func `on a slow line parts are loaded one at a time too, by all loads together, and several again once it is quick`() async throws {
        let (relay, clock) = (InMemoryRelay(), SteppedClock())
        let (ana, session) = try await alone(relay, clock)
        let line = ana.conversation.transfers.incoming
        let body = [UInt8](repeating: 7, count: 3_000_000)
        var entries: [EntryID] = []
        for _ in 0..<2 {
            let sending = try await ana.conversation.add(MemorySource(body), metadata: [], in: session)
            try await sending.upload.value
            entries.append(sending.entry)
        }
        func load(milliseconds: Int, _ mayPass: @escaping @Sendable (Traffic) -> Bool) async throws -> Int {
            let traffic = Traffic()
            relay.setFaults {
                $0.travelBack = { _ in
                    traffic.begin()
                    await settled { mayPass(traffic) }
                    clock.step(.milliseconds(milliseconds) * traffic.now)
                    traffic.end()
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for entry in entries {
                    group.addTask {
                        let sink = MemorySink()
                        try await ana.conversation.load(entry, in: session, into: sink)
                        #expect(sink.bytes == body)
                    }
                }
                try await group.waitForAll()
            }
            #expect(line.slots.heldCount + line.slots.waitingCount == 0)
            return traffic.most
        }
        // Both loads have asked for what comes after, but for the last parts.
        let isAskedAhead = { @Sendable (traffic: Traffic) in traffic.now + line.slots.waitingCount >= 3 || traffic.total > 2 }
        #expect(try await load(milliseconds: 700, isAskedAhead) == 1)
        #expect(try await load(milliseconds: 20) { $0.total == 1 || $0.most == 3 } == 3)
        _ = try await load(milliseconds: 700, isAskedAhead)
        #expect(try await load(milliseconds: 700, isAskedAhead) == 1)
    }

    @Test func `a part that its uploader has not sent yet holds up no other load`() async throws {
        let (relay, clock) = (InMemoryRelay(), SteppedClock())
        let (ana, session) = try await alone(relay, clock)
        let body = [UInt8](repeating: 7, count: 3_000_000)
        let whole = try await ana.conversation.add(MemorySource(body), metadata: [], in: session)
        try await whole.upload.value
        relay.holdParts(from: 0)
        let coming = try await ana.conversation.add(MemorySource(body), metadata: [], in: session)
        let gate = Gate()
        gate.shut()
        relay.setFaults { $0.travelBack = { attachment in if attachment.entry == coming.entry { await gate.pass() } } }
        let waiting = Task {
            let sink = MemorySink()
            try await ana.conversation.load(coming.entry, in: session, into: sink)
            return sink.bytes
        }
        await gate.untilWaitedAt()
        let sink = MemorySink()
        try await ana.conversation.load(whole.entry, in: session, into: sink)
        #expect(sink.bytes == body)
        relay.putGate.open()
        // Whoever asks too early asks again later, and this clock stands still.
        try await coming.upload.value
        gate.open()
        #expect(try await waiting.value == body)
    }

    @Test func `no more than three parts travel at once, and small uploads do not wait for a large one`() async throws {
        let (relay, clock) = (InMemoryRelay(), SteppedClock())
        let (ana, session) = try await alone(relay, clock)
        let traffic = Traffic()
        let order = Mutex<[EntryID]>([])
        relay.putGate.shut()
        let gate = relay.putGate
        relay.setFaults {
            $0.travel = { attachment in
                traffic.begin()
                order.withLock { $0.append(attachment.entry) }
                await gate.pass()
                traffic.end()
            }
        }
        let large = try await ana.conversation.add(MemorySource([UInt8](repeating: 1, count: 20_000_000)), metadata: [], in: session)
        // The large one has all the room, and waits for more.
        await settled { ana.conversation.transfers.sealed.waitingCount == 1 }
        var small: [Sending] = []
        for size in 1...3 { small.append(try await ana.conversation.add(MemorySource([UInt8](repeating: 2, count: size)), metadata: [], in: session)) }
        await settled { ana.conversation.transfers.sealed.waitingCount == 4 }
        relay.putGate.open()
        for sending in small + [large] { try await sending.upload.value }
        #expect(traffic.most <= 3 && traffic.total == 23)
        let last = order.withLock { order in order.lastIndex { $0 != large.entry } }
        #expect(try #require(last) < 15)
    }

    @Test func `an upload that is cancelled in the middle gives back its turns to the others`() async throws {
        let (relay, clock) = (InMemoryRelay(), SteppedClock())
        let (ana, session) = try await alone(relay, clock)
        relay.holdParts(from: 0)
        let first = try await ana.conversation.add(MemorySource([UInt8](repeating: 1, count: 6_000_000)), metadata: [], in: session)
        let second = try await ana.conversation.add(MemorySource([UInt8](repeating: 2, count: 6_000_000)), metadata: [], in: session)
        let transfers = ana.conversation.transfers
        await settled { transfers.outgoing.slots.heldCount == 1 && transfers.outgoing.slots.waitingCount == 2 && transfers.sealed.waitingCount == 2 }
        first.upload.cancel()
        relay.putGate.open()
        let error = await #expect(throws: ConversationError.self) { try await first.upload.value }
        #expect(error?.code == .aborted)
        try await second.upload.value
        #expect(transfers.outgoing.slots.heldCount + transfers.outgoing.slots.waitingCount + transfers.sealed.heldCount + transfers.sealed.waitingCount == 0)
    }

    @Test(arguments: [PartFailure.notYetThere, .unreachable])
    func `an upload waits for a second before it asks a relay again that asked for it, and else as long as its own pauses say`(_ failure: PartFailure) async throws {
        let (relay, clock) = (InMemoryRelay(), SkippingClock())
        let own = Duration.milliseconds(900)
        var policy = ReconnectionPolicy()
        (policy.shortestPause, policy.firstLongestPause, policy.longestPause) = (own, own, own)
        let (ana, session) = try await alone(relay, clock, policy)
        relay.setFaults { ($0.putFailureCount, $0.passingPutFailure) = (2, failure) }
        let sending = try await ana.conversation.add(MemorySource([1]), metadata: [], in: session)
        try await sending.upload.value
        #expect(relay.putCount == 1)
        #expect(clock.slept.contains(own) == (failure == .unreachable))
    }

    private func alone(_ relay: InMemoryRelay, _ clock: any ConversationClock, _ policy: ReconnectionPolicy? = nil) async throws -> (Person, SessionID) {
        var environment = ConversationEnvironment.impatient
        environment.clock = clock
        if let policy { environment.reconnection = policy }
        let ana = try await Person("Ana", try Invitation(relay: "https://relay.example"), relay, environment: environment)
        try await ana.conversation.introduced()
        let session = try await ana.conversation.announce(drawing)
        await ana.enter(session)
        return (ana, session)
    }
}
