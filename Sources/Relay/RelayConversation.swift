// One conversation's rules as a value: events go in, actions come out. It has no I/O, no clock and no randomness of its own.

import Wire

public struct RelayConversation {
    struct Participant {
        let secret: Bytes16
        let arrival: UInt64
        /// `nil`: away.
        var connection: ConnectionID?
        /// When an away participant's place is given up.
        var deadline: UInt64?
        /// It came from an earlier incarnation, so that sessions which it enters may be such as it was in before.
        var isFromBefore = false
        /// Left by its own word since.
        var exited: Set<SessionID> = []
    }

    enum Phase {
        /// The store has not yet answered; these wait.
        case beginning(waiting: [(ConnectionID, Hello)])
        case open
        /// Nobody came back; the store erases it.
        case ending
    }

    public let id: ConversationID
    public let tokenDigest: [UInt8]
    let incarnation: UInt64
    let settings: RelaySettings
    let headroomBytes: Int

    var phase: Phase
    /// The latest time told by `tick`, in nanoseconds.
    var now: UInt64
    /// The time of day as last told by `tick`, in seconds since 1970.
    var wallSeconds: UInt64
    var participants: [ParticipantID: Participant] = [:]
    var sessions: [SessionID: RelaySession] = [:]
    /// What nobody may begin another session under.
    var endedSessions = EndedSessions()
    /// Sessions in which something waits for the end of the turn.
    var touched: [SessionID] = []
    /// When the last participant went; `nil` while somebody is there, connected or away.
    var emptySince: UInt64?
    /// Who put what goes with its putter before the relay stopped, and until when their return is awaited.
    var awaited: [ParticipantID: UInt64] = [:]
    /// Until when sessions that outlived a restart keep what those who were in them miss.
    var returnsUntil: UInt64?

    /// What the store has been asked for and has not answered.
    var tickets: [UInt64: Ticket] = [:]
    /// Sealed bytes of the puts among them.
    var unansweredBytes = 0
    /// Reserved by sessions whose erasure is not yet answered.
    var endingBytes = 0
    /// What the store could not erase, to be asked again.
    var overdue: [Overdue] = []
    /// What the members have said about who else may come in; `nil`: nothing, so everyone with the invitation.
    var door: StoredDoor?
    var knockers: [ParticipantID: Knocker] = [:]
    var knockAllowance = KnockAllowance()

    private var lastNumber: UInt64 = 0

    public private(set) var figures = Figures()
    var actions: [RelayAction] = []

    /// What one conversation adds to the relay's figures.
    public struct Figures: Sendable, Equatable {
        public var records: UInt64 = 0
        public var samples: UInt64 = 0
        public var entries: UInt64 = 0
        public var removals: UInt64 = 0
        public var refused: UInt64 = 0
        public var knocks: UInt64 = 0
    }

    /// A conversation that somebody is just making: the first event is that participant's `hello`.
    public init(
        id: ConversationID, tokenDigest: [UInt8], incarnation: UInt64, settings: RelaySettings, headroomBytes: Int, nowNanoseconds: UInt64, wallSeconds: UInt64
    ) {
        self.init(blank: id, tokenDigest, incarnation, settings, headroomBytes, nowNanoseconds, wallSeconds)
        phase = .beginning(waiting: [])
        ask(.create(tokenDigest: tokenDigest), .create)
    }

    init(
        blank id: ConversationID, _ tokenDigest: [UInt8], _ incarnation: UInt64, _ settings: RelaySettings, _ headroomBytes: Int, _ now: UInt64,
        _ wallSeconds: UInt64
    ) {
        self.id = id
        self.tokenDigest = tokenDigest
        self.incarnation = incarnation
        self.settings = settings
        self.headroomBytes = headroomBytes
        self.now = now
        self.wallSeconds = wallSeconds
        phase = .open
        emptySince = now
        sessions[.own] = RelaySession(id: .own, life: 0, headroomBytes: headroomBytes, emptySince: now)
    }

    // MARK: What it can be asked

    public var participantCount: Int { participants.count }
    /// The own one not counted.
    public var sessionCount: Int { sessions.count - 1 }
    /// What it takes of the quotas.
    public var reservedBytes: Int { sessions.values.reduce(endingBytes) { $0 + $1.chargeBytes } }
    public var knockerCount: Int { knockers.count }
    public var logSizeBytes: Int { sessions.values.reduce(0) { $0 + $1.log.sizeBytes } }

    public var hasActions: Bool { !actions.isEmpty }

    /// What was decided since the last call, in order.
    public mutating func takeActions() -> [RelayAction] {
        let taken = actions
        actions.removeAll(keepingCapacity: true)
        return taken
    }

    // MARK: Frames

    /// A frame of an admitted participant, other than the two frequent ones. Frames that only a relay sends, and a second `hello`, throw.
    public mutating func receive(_ frame: Frame, from participant: ParticipantID, relayFreeBytes: Int) throws(FrameError) {
        guard participants[participant] != nil else { return }
        switch frame {
        case .enter(let session): enter(session, participant)
        case .exit(let session): exit(session, participant)
        case .end(let session): end(session, participant)
        case .put(let session, let entry, let flags, let bodyLength, let sealed):
            let stored = StoredEntry(
                session: session, entry: entry, putter: participant, isPresenceBound: flags.contains(.presenceBound),
                isBodyComplete: flags.contains(.bodyComplete), bodyLengthBytes: Int(clamping: bodyLength), sealed: sealed)
            put(stored, relayFreeBytes: relayFreeBytes)
        case .remove(let session, let entry): remove(entry, session, by: participant)
        case .acknowledge(let session, let sequence): acknowledge(session, sequence, participant)
        case .leave: leave(participant)
        case .setDoor(let door, let passDigest): setDoor(StoredDoor(door: door, passDigest: passDigest), by: participant)
        case .admit(let knocker, let admits): answerKnock(of: knocker, admits: admits)
        case .ping(let token): send([.pong(token: token)], to: participant)
        case .pong: break
        default: throw .cutShort
        }
    }

    public mutating func receive(record: RecordInPlace, from participant: ParticipantID) {
        touch(record.session)
        guard let refusal = sessions[record.session]?.order(record, from: participant) ?? unknown(record) else {
            figures.records += 1
            return
        }
        refuse(refusal, to: participant)
    }

    public mutating func receive(sample: SampleInPlace, from participant: ParticipantID) {
        touch(sample.session)
        guard let refusal = sessions[sample.session]?.gather(sample, from: participant) ?? unknown(sample) else {
            figures.samples += 1
            if sessions[sample.session]?.samplesOverflow == true { flush() }
            return
        }
        refuse(refusal, to: participant)
    }

    private func unknown(_ record: RecordInPlace) -> Refusal? { sessions[record.session] == nil ? record.refusal(.unknownSession) : nil }
    private func unknown(_ sample: SampleInPlace) -> Refusal? { sessions[sample.session] == nil ? sample.refusal(.unknownSession) : nil }

    // MARK: Handing out

    /// Hands out what waits in every session, the own one first, and drops whoever holds a log back beyond its limit.
    public mutating func flush() {
        while !touched.isEmpty {
            let waiting = touched
            touched.removeAll(keepingCapacity: true)
            if waiting.contains(.own) { sessions[.own]?.flush(into: &actions) }
            for session in waiting where session != .own { sessions[session]?.flush(into: &actions) }
            for session in waiting { dropWhoHoldsBack(session) }
        }
    }

    mutating func flush(_ session: SessionID) { sessions[session]?.flush(into: &actions) }

    private mutating func dropWhoHoldsBack(_ session: SessionID) {
        while let late = sessions[session]?.holdingBack, !late.isEmpty {
            giveUp(late)
            flush(session)
        }
    }

    private mutating func giveUp(_ late: [ParticipantID]) {
        for participant in late {
            let connection = participants[participant]?.connection
            depart(participant, reason: .away)
            if let connection { act(.close(connection, .cannotResume)) }
        }
    }

    mutating func touch(_ session: SessionID) {
        if !touched.contains(session) { touched.append(session) }
    }

    mutating func act(_ action: RelayAction) { actions.append(action) }

    /// To one participant alone. What others are to hear first is flushed by the caller.
    mutating func send(_ frames: [Frame], to participant: ParticipantID) {
        guard let connection = participants[participant]?.connection else { return }
        act(.send(Batch(frames, headroomBytes: headroomBytes), to: [connection], isReplay: false))
    }

    mutating func refuse(_ refusal: Refusal, to participant: ParticipantID) {
        figures.refused += 1
        send([.refused(refusal)], to: participant)
    }

    mutating func count(_ figure: WritableKeyPath<Figures, UInt64>) { figures[keyPath: figure] += 1 }

    /// The next of a row of numbers that are never given twice.
    mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func rebuildAudience(of session: SessionID) {
        guard let members = sessions[session]?.members else { return }
        let present = members.sorted { $0.value.arrival < $1.value.arrival }.compactMap { member -> (ParticipantID, ConnectionID)? in
            guard !member.value.awaitsOwnLedger, let connection = participants[member.key]?.connection else { return nil }
            return (member.key, connection)
        }
        sessions[session]?.setAudience(present)
    }
}
