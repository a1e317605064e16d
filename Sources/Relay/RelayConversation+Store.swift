// What is asked of the store, and what follows from its answers.

import Wire

struct Removal: Equatable {
    enum Asker: Equatable {
        case participant
        case outside(RemovalWaiter)
        /// It follows from something else, and is asked again until it is done.
        case nobody
    }

    let session: SessionID
    let life: UInt64
    let entry: EntryID
    let remover: ParticipantID
    let reason: RemovalReason
    let asker: Asker
    /// Asked for the same meanwhile: `removed` answers them too, and so does a failure.
    var followers: [ParticipantID] = []
}

/// What an answer of the store will be about.
enum Ticket {
    case create
    case put(StoredEntry, life: UInt64)
    case remove(Removal)
    case end(Ending)
    case removeBodies(SessionID, chargeBytes: Int)
    case removeConversation
    case setDoor(StoredDoor, setter: ParticipantID)
}

extension Ticket {
    /// Whose ledger a put or a removal changes.
    var session: SessionID? {
        switch self {
        case .put(let entry, _): entry.session
        case .remove(let removal): removal.session
        default: nil
        }
    }
}

/// What the store could not do and must be asked again.
enum Overdue {
    case removal(Removal)
    case bodies(SessionID, chargeBytes: Int)
    case conversation
}

extension RelayConversation {
    mutating func ask(_ work: StoreRequest.Work, _ ticket: Ticket) {
        let number = number()
        tickets[number] = ticket
        if case .put(let entry, _) = ticket { unansweredBytes += entry.sealed.count }
        let request = StoreRequest(ticket: number, work: work)
        if let session = ticket.session, sessions[session]?.isEnding == true {
            sessions[session]?.heldRequests.append(request)
        } else {
            act(.store(request))
        }
    }

    /// The answer to a request; `version` counts for a `put` only.
    public mutating func storeAnswered(_ ticket: UInt64, _ answer: Result<UInt64, StoreError>) {
        guard let asked = tickets.removeValue(forKey: ticket) else { return }
        let version = try? answer.get()
        switch asked {
        case .create: begin(isStored: version != nil)
        case .put(let entry, let life):
            unansweredBytes -= entry.sealed.count
            putAnswered(entry, life: life, version: version)
        case .remove(let removal): removalAnswered(removal, isDone: version != nil)
        case .end(let ending): endAnswered(ending, isDone: version != nil)
        case .removeBodies(let session, let chargeBytes):
            endingBytes -= chargeBytes
            if version == nil { setAside(.bodies(session, chargeBytes: chargeBytes)) }
        case .removeConversation:
            if version == nil { overdue.append(.conversation) } else { act(.over) }
        case .setDoor(let door, let setter): doorAnswered(door, setter: setter, isDone: version != nil)
        }
    }

    private mutating func setAside(_ work: Overdue) {
        if case .bodies(_, let chargeBytes) = work { endingBytes += chargeBytes }
        overdue.append(work)
    }

    private mutating func begin(isStored: Bool) {
        guard case .beginning(let waiting) = phase else { return }
        guard isStored else {
            phase = .ending
            for (connection, _) in waiting { act(.close(connection, .overloaded)) }
            return act(.over)
        }
        phase = .open
        emptySince = now
        for (index, (connection, hello)) in waiting.enumerated() { admit(hello, on: connection, created: index == 0) }
    }

    private mutating func putAnswered(_ entry: StoredEntry, life: UInt64, version: UInt64?) {
        guard sessions[entry.session]?.life == life else { return refuse(entry, .unknownSession) }
        guard let version else {
            sessions[entry.session]?.change(entry.entry) { $0.giveUp() }
            return refuse(entry, .storageFailed)
        }
        sessions[entry.session]?.change(entry.entry) { $0.finish(version: version) }
        count(\.entries)
        sessions[entry.session]?.append { .entry(Entry(entry, sequence: $0, version: version)) }
        touch(entry.session)
        if entry.session == .own, !entry.isPresenceBound, sessions[SessionID(entry.entry.bytes)] == nil { beginSession(SessionID(entry.entry.bytes)) }
        // Its putter may have gone while the store was at work.
        let coming = sessions[entry.session]?.slots[entry.entry]?.coming
        let isOut = sessions[entry.session]?.members[entry.putter] == nil
        if participants[entry.putter] == nil && coming?.goesWithPutter == true || isOut && coming?.isUnfinished == true {
            beginRemoval(entry.entry, entry.session, remover: entry.putter, reason: .putterLeft, asker: .nobody)
        }
    }

    private mutating func refuse(_ entry: StoredEntry, _ code: Refusal.Code) {
        refuse(Refusal(frameType: FrameType.put.rawValue, session: entry.session, subject: entry.entry, code: code), to: entry.putter)
    }

    private mutating func removalAnswered(_ removal: Removal, isDone: Bool) {
        let stands = sessions[removal.session]?.life == removal.life
        if case .outside(let waiter) = removal.asker { act(.removalAnswered(waiter, done: isDone || !stands)) }
        guard stands else { return }
        guard isDone else {
            sessions[removal.session]?.change(removal.entry) { $0.giveUp() }
            if removal.asker == .nobody { overdue.append(.removal(removal)) }
            let refusal = Refusal(frameType: FrameType.remove.rawValue, session: removal.session, subject: removal.entry, code: .storageFailed)
            for asking in (removal.asker == .participant ? [removal.remover] : []) + removal.followers { refuse(refusal, to: asking) }
            return
        }
        sessions[removal.session]?.change(removal.entry) { $0.finish(version: 0) }
        count(\.removals)
        sessions[removal.session]?.append {
            .removed(session: removal.session, sequence: $0, remover: removal.remover, entry: removal.entry, reason: removal.reason)
        }
        touch(removal.session)
        if removal.session == .own { dropUnannounced(SessionID(removal.entry.bytes)) }
    }

    /// A session that was announced, but in which nobody is and nothing is kept, goes with its announcement.
    private mutating func dropUnannounced(_ session: SessionID) {
        guard session != .own, let found = sessions[session], found.isEmpty, found.slots.isEmpty, !found.isEnding else { return }
        sessions[session] = nil
    }

    /// Somebody asks for a removal that is on its way to the disk already. False: none is.
    mutating func follow(_ participant: ParticipantID, removalOf entry: EntryID, _ session: SessionID) -> Bool {
        if session == .own, follow(participant, endOfSessionAnnouncedBy: entry) { return true }
        let life = sessions[session]?.life
        let asked = tickets.first { if case .remove(let removal) = $0.value { removal.entry == entry && removal.session == session && removal.life == life } else { false } }
        guard case .remove(var removal)? = asked?.value, let ticket = asked?.key else { return false }
        if !removal.followers.contains(participant) { removal.followers.append(participant) }
        tickets[ticket] = .remove(removal)
        return true
    }

    mutating func eraseBodies(_ session: SessionID, chargeBytes: Int) {
        endingBytes += chargeBytes
        ask(.removeBodies(session), .removeBodies(session, chargeBytes: chargeBytes))
    }

    mutating func askAgain() {
        let waiting = overdue
        overdue = []
        for work in waiting {
            switch work {
            case .removal(let removal):
                guard sessions[removal.session]?.life == removal.life else { continue }
                beginRemoval(removal.entry, removal.session, remover: removal.remover, reason: removal.reason, asker: .nobody)
            case .bodies(let session, let chargeBytes): ask(.removeBodies(session), .removeBodies(session, chargeBytes: chargeBytes))
            case .conversation: ask(.removeConversation, .removeConversation)
            }
        }
    }
}

extension Entry {
    init(_ entry: StoredEntry, sequence: UInt64, version: UInt64) {
        var flags: EntryFlags = []
        if entry.isPresenceBound { flags.insert(.presenceBound) }
        if entry.isBodyComplete { flags.insert(.bodyComplete) }
        self.init(
            session: entry.session, sequence: sequence, version: version, putter: entry.putter, entry: entry.entry, flags: flags,
            bodyLength: UInt64(clamping: entry.bodyLengthBytes), sealed: entry.sealed)
    }
}
