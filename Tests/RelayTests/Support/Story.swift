// A conversation without a hub: events go in, what each connection would be sent is written down, the store answers at once or when told to.

import Wire

@testable import Relay

final class Story {
    var conversation: RelayConversation
    private(set) var inboxes: [ConnectionID: [Frame]] = [:]
    private(set) var closes: [ConnectionID: CloseReason] = [:]
    private(set) var admitted: [ConnectionID: ParticipantID] = [:]
    private(set) var connections: [ParticipantID: ConnectionID] = [:]
    private(set) var asked: [StoreRequest.Work] = []
    private(set) var isOver = false
    private(set) var answeredRemovals: [Bool] = []
    private(set) var withdrawn: [(SessionID, ConnectionID)] = []
    private(set) var batchesSent = 0

    /// The store's and the pages' answers wait until `answerStore` and `answerPages`.
    var holdsStore = false
    var holdsPages = false
    var storeFailure: StoreError?
    var relayFreeBytes = Int.max
    var waitingRequests: [StoreRequest] = []
    var waitingPages: [PageRequest] = []
    private var ledger: [SessionID: [EntryID: StoredEntry]] = [:]
    private var version: UInt64 = 0
    private var connectionCount: UInt32 = 0
    private(set) var now: UInt64 = 0
    /// The time of day.
    var wallSeconds: UInt64 = 1_800_000_000
    private(set) var waiting: [ConnectionID: ParticipantID] = [:]

    static let incarnation: UInt64 = 77

    init(settings: RelaySettings = RelaySettings()) {
        conversation = RelayConversation(
            id: home, tokenDigest: sha256(goodToken), incarnation: Self.incarnation, settings: settings, headroomBytes: 16, nowNanoseconds: 0,
            wallSeconds: wallSeconds)
    }

    init(restoring stored: StoredConversation, held: [AttachmentName: Set<Int>] = [:], settings: RelaySettings = RelaySettings()) {
        conversation = RelayConversation(
            restoring: stored, held: held, incarnation: Self.incarnation, settings: settings, headroomBytes: 16, nowNanoseconds: 0,
            wallSeconds: wallSeconds)
        carryOut()
    }

    /// A conversation with these people in the gallery, everything so far heard.
    static func gallery(_ people: ParticipantID..., settings: RelaySettings = RelaySettings()) -> Story {
        let story = Story(settings: settings)
        for (index, person) in people.enumerated() {
            story.connect(person, create: index == 0)
            if index == 0 { story.say(person, announce()) }
            story.say(person, .enter(session: RelayTests.gallery))
        }
        for person in people {
            for session in [SessionID.own, RelayTests.gallery] {
                story.say(person, .acknowledge(session: session, sequence: story.conversation.sessions[session]?.log.last ?? 0))
            }
        }
        story.forget()
        return story
    }

    // MARK: Events

    @discardableResult
    func connect(_ hello: Hello) -> ConnectionID {
        connectionCount += 1
        let connection = ConnectionID(slot: connectionCount, generation: 0)
        inboxes[connection] = []
        conversation.hello(hello, tokenDigest: sha256(hello.relayToken), on: connection)
        carryOut()
        return connection
    }

    @discardableResult
    func connect(_ participant: ParticipantID, create: Bool = false, incarnation: UInt64 = 0, places: [Hello.Place] = []) -> ConnectionID {
        connect(RelayTests.hello(participant, create: create, incarnation: incarnation, places: places))
    }

    func cut(_ participant: ParticipantID) {
        guard let connection = connections.removeValue(forKey: participant) else { return }
        conversation.lost(connection, of: participant)
        carryOut()
    }

    /// In one turn, as one message.
    func say(_ participant: ParticipantID, _ frames: Frame...) { say(participant, frames) }

    func say(_ participant: ParticipantID, _ frames: [Frame]) {
        murmur(participant, frames)
        carryOut()
    }

    /// As `say`, but the turn goes on.
    func murmur(_ participant: ParticipantID, _ frames: [Frame]) {
        Frame.encode(frames).withUnsafeBytes { bytes in
            guard var reader = try? FrameReader(bytes) else { return }
            while let raw = try? reader.next() {
                switch raw.type {
                case .record: if let record = try? RecordInPlace(body: raw.body) { conversation.receive(record: record, from: participant) }
                case .sample: if let sample = try? SampleInPlace(body: raw.body) { conversation.receive(sample: sample, from: participant) }
                default: if let frame = try? Frame(raw) { try? conversation.receive(frame, from: participant, relayFreeBytes: relayFreeBytes) }
                }
            }
        }
    }

    func knock(_ participant: ParticipantID, on connection: ConnectionID, _ sealed: [UInt8] = [5, 5]) {
        conversation.knock(sealed, from: participant, on: connection)
        carryOut()
    }

    /// Somebody who waits loses the connection.
    func cut(_ connection: ConnectionID) {
        conversation.lost(connection, of: nil)
        carryOut()
    }

    func pass(seconds: Int) {
        now += UInt64(seconds) * 1_000_000_000
        wallSeconds += UInt64(seconds)
        conversation.tick(nowNanoseconds: now, wallSeconds: wallSeconds)
        carryOut()
    }

    // MARK: Actions

    func carryOut() {
        while true {
            conversation.flush()
            let actions = conversation.takeActions()
            if actions.isEmpty { return }
            for action in actions { carryOut(action) }
        }
    }

    private func carryOut(_ action: RelayAction) {
        switch action {
        case .admitted(let connection, let participant):
            admitted[connection] = participant
            connections[participant] = connection
        case .waits(let connection, let participant): waiting[connection] = participant
        case .withdrawSamples(let session, let connection): withdrawn.append((session, connection))
        case .send(let batch, let receivers, _), .sample(let batch, _, let receivers):
            batchesSent += 1
            let frames = try? Frame.decode(message: batch.bytes)
            for connection in receivers where closes[connection] == nil { inboxes[connection, default: []] += frames ?? [] }
        case .close(let connection, let reason):
            closes[connection] = reason
            for (participant, current) in connections where current == connection { connections[participant] = nil }
        case .store(let request):
            asked.append(request.work)
            if holdsStore { waitingRequests.append(request) } else { answer(request) }
        case .readPage(let request): if holdsPages { waitingPages.append(request) } else { answer(request) }
        case .removalAnswered(_, let done): answeredRemovals.append(done)
        case .over: isOver = true
        }
    }

    private func answer(_ request: StoreRequest) {
        if let storeFailure { return conversation.storeAnswered(request.ticket, .failure(storeFailure)) }
        switch request.work {
        case .put(var entry, _):
            version += 1
            entry.version = version
            ledger[entry.session, default: [:]][entry.entry] = entry
        case .remove(let session, let entry, _): ledger[session]?[entry] = nil
        case .removeSession(let session):
            ledger[session] = nil
            ledger[.own]?[EntryID(session.bytes)] = nil
        case .create, .removeBodies, .removeConversation, .setDoor: break
        }
        conversation.storeAnswered(request.ticket, .success(version))
    }

    func answerStore(_ count: Int = .max) {
        for _ in 0..<min(count, waitingRequests.count) { answer(waitingRequests.removeFirst()) }
        carryOut()
    }

    private func answer(_ request: PageRequest) { conversation.pageRead(request, .success(page(request))) }

    func page(_ request: PageRequest, countLimit: Int = 3) -> [StoredEntry] {
        let entries = (ledger[request.session] ?? [:]).values.filter { $0.version > request.after }.sorted { $0.version < $1.version }
        return Array(entries.prefix(countLimit))
    }

    func answerPages() {
        let waiting = waitingPages
        waitingPages = []
        for request in waiting { answer(request) }
        carryOut()
    }

    // MARK: What was heard

    func heard(_ connection: ConnectionID) -> [Frame] { inboxes[connection] ?? [] }
    func heard(_ participant: ParticipantID) -> [Frame] { connections[participant].map(heard) ?? [] }
    func partStored(_ number: Int, of entry: EntryID) -> Bool { conversation.partStored(number, of: entry, session: RelayTests.gallery) }

    func removeFromOutside(_ entry: EntryID, _ waiter: UInt64) -> Bool {
        conversation.remove(attachment: entry, session: RelayTests.gallery, for: RemovalWaiter(number: waiter))
    }

    /// With what a connection was closed.
    func answer(to connection: ConnectionID) -> CloseReason? { closes[connection] }
    func forget() { for connection in inboxes.keys { inboxes[connection] = [] } }
    func entriesKept(in session: SessionID) -> Set<EntryID> { Set((ledger[session] ?? [:]).keys) }
}
