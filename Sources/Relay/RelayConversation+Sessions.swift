// Coming into a session, going from it, ending it, and leaving the conversation.

import Wire

extension RelayConversation {
    mutating func enter(_ session: SessionID, _ participant: ParticipantID, on frameType: FrameType = .enter) {
        // A place that was kept since the restart is kept with all of the log, however long ago that was.
        let isKept = sessions[session]?.members[participant] != nil && sessions[session]?.log.reachesBack(to: 0) == true
        let isReturning = (isKept || sessions[session]?.awaitsReturns == true) && wasIn(session, participant)
        if sessions[session]?.members[participant] != nil {
            flush()
            return answer(session, participant, isReturning: isReturning)
        }
        let isAnnounced = sessions[.own]?.slots[EntryID(session.bytes)].map { $0.stored != nil && !$0.isOnItsWayOut } ?? false
        // Of a session that outlived a restart the announcement may have gone; who was in it may return to it, but not to another one that began under its name.
        guard frameType == .hello ? sessions[session]?.outlivedRestart == true : isAnnounced else {
            return refuse(Refusal(frameType: frameType.rawValue, session: session, code: .unknownSession), to: participant)
        }
        if sessions[session] == nil {
            guard announcedSessionCount < Limits.sessionCountLimit else {
                return refuse(tooManySessions(frameType, session, EntryID(.zero)), to: participant)
            }
            beginSession(session)
        }
        join(session, participant, isReturning: isReturning)
    }

    /// Whether it may have been in the session before the relay restarted, and has not left it since: it names it, or enters it anew.
    private func wasIn(_ session: SessionID, _ participant: ParticipantID) -> Bool {
        participants[participant].map { $0.isFromBefore && !$0.exited.contains(session) } ?? false
    }

    /// Puts the participant in, tells the others, and starts the answer. Who returns after a restart is given all that was ordered since.
    mutating func join(_ session: SessionID, _ participant: ParticipantID, isReturning: Bool = false) {
        flush()
        guard let place = sessions[session]?.log.append({ .entered(session: session, sequence: $0, participant: participant) }) else { return }
        touch(session)
        flush()
        let arrival = number()
        sessions[session]?.members[participant] = RelaySession.Member(arrival: arrival, acknowledged: place)
        sessions[session]?.emptySince = nil
        sessions[session]?.acknowledgementsChanged = true
        touch(session)
        rebuildAudience(of: session)
        answer(session, participant, isReturning: isReturning)
    }

    /// Answers who has come in, once the own session's log and ledger have been handed over: in these is everybody who speaks, also those who have gone again.
    /// Who returns after a restart is given `position` 0 and the log from its beginning.
    private mutating func answer(_ session: SessionID, _ participant: ParticipantID, isReturning: Bool) {
        let mustWait = session != .own && sessions[.own]?.members[participant]?.ledgerRun != nil
        sessions[session]?.members[participant]?.awaitsOwnLedger = mustWait
        if mustWait, isReturning { sessions[session]?.members[participant]?.acknowledged = 0 }
        rebuildAudience(of: session)
        guard !mustWait else { return }
        answerEntering(session, participant, from: isReturning ? startSinceRestart(of: session) : nil)
    }

    /// The others have seen it come: whatever was said since is for it, too.
    private mutating func answerWhoWaited(_ session: SessionID, _ participant: ParticipantID) {
        flush()
        place(participant, in: session)
        guard let present = sessions[session], let start = present.members[participant]?.acknowledged else { return }
        answerEntering(session, participant, from: present.log.reachesBack(to: start) ? start : nil)
    }

    func startSinceRestart(of session: SessionID) -> UInt64? { sessions[session]?.log.reachesBack(to: 0) == true ? 0 : nil }

    /// It is told of the session from here on, whatever it waited for.
    mutating func place(_ participant: ParticipantID, in session: SessionID) {
        sessions[session]?.members[participant]?.awaitsOwnLedger = false
        rebuildAudience(of: session)
    }

    /// The own session's ledger is with the participant.
    mutating func handOverWhatWaited(for participant: ParticipantID) {
        for session in sessions.keys.sorted(by: precedes) where sessions[session]?.members[participant]?.awaitsOwnLedger == true {
            answerWhoWaited(session, participant)
        }
    }

    /// `position`, then the ledger. Everything gathered has been flushed. `from`: the place behind which the log is handed over too.
    mutating func answerEntering(_ session: SessionID, _ participant: ParticipantID, from start: UInt64? = nil) {
        guard let present = sessions[session] else { return }
        let place = start ?? present.log.last
        // Who enters again may stand further back until this `position` has come, and resumes from there if it does not.
        if let start { sessions[session]?.members[participant]?.acknowledged = start }
        sessions[session]?.acknowledgementsChanged = true
        touch(session)
        let people = present.members.sorted { $0.value.arrival < $1.value.arrival }.map {
            Attendance(participant: $0.key, presence: participants[$0.key]?.connection == nil ? .away : .connected)
        }
        send([.position(session: session, sequence: place, participants: people)], to: participant)
        if let start, let connection = participants[participant]?.connection {
            for batch in present.log.missed(by: participant, after: start) { act(.send(batch, to: [connection], isReplay: true)) }
        }
        beginLedger(session, participant)
    }

    mutating func exit(_ session: SessionID, _ participant: ParticipantID) {
        guard session != .own else { return refuse(Refusal(frameType: FrameType.exit.rawValue, session: session, code: .notPermitted), to: participant) }
        guard isMember(participant, of: session, for: .exit) else { return }
        participants[participant]?.exited.insert(session)
        if sessions[session]?.members[participant]?.awaitsOwnLedger == true {
            // Who goes takes in nobody's records and needs no introductions: it hears where its own have come to stand, and that it is out.
            answerWhoWaited(session, participant)
        }
        part(session, participant, reason: .exited)
    }

    /// Orders the going, lets everyone hear it, the goer included, and takes it out.
    mutating func part(_ session: SessionID, _ participant: ParticipantID, reason: ExitReason) {
        flush(session)
        withdrawSamples(of: session, from: participant)
        sessions[session]?.log.append { .exited(session: session, sequence: $0, participant: participant, reason: reason) }
        touch(session)
        flush(session)
        sessions[session]?.members[participant] = nil
        sessions[session]?.acknowledgementsChanged = true
        touch(session)
        if sessions[session]?.isEmpty == true { sessions[session]?.emptySince = now }
        rebuildAudience(of: session)
        removeUnfinished(in: session) { $0 == participant }
    }

    mutating func withdrawSamples(of session: SessionID, from participant: ParticipantID) {
        if let connection = participants[participant]?.connection { act(.withdrawSamples(session, from: connection)) }
    }

    mutating func leave(_ participant: ParticipantID) {
        let connection = participants[participant]?.connection
        depart(participant, reason: .left)
        if let connection { act(.close(connection, .left)) }
    }

    /// Takes the participant out of everything; what was kept only for it goes too.
    mutating func depart(_ participant: ParticipantID, reason: ExitReason) {
        for session in sessions.keys.sorted(by: precedes) where session != .own && sessions[session]?.members[participant] != nil {
            part(session, participant, reason: reason)
        }
        part(.own, participant, reason: reason)
        participants[participant] = nil
        if participants.isEmpty { emptySince = now }
        removeWhatGoes(with: participant)
    }

    mutating func acknowledge(_ session: SessionID, _ sequence: UInt64, _ participant: ParticipantID) {
        guard isMember(participant, of: session, for: .acknowledge) else { return }
        guard let member = sessions[session]?.members[participant], let last = sessions[session]?.log.last else { return }
        // Nobody can have taken in what has no place yet.
        let reached = min(sequence, last)
        guard reached > member.acknowledged else { return }
        sessions[session]?.members[participant]?.acknowledged = reached
        sessions[session]?.acknowledgementsChanged = true
        touch(session)
    }

    /// Refuses the frame unless the participant is in the session.
    mutating func isMember(_ participant: ParticipantID, of session: SessionID, for frameType: FrameType, subject: EntryID = EntryID(.zero)) -> Bool {
        if sessions[session]?.members[participant] != nil { return true }
        let code: Refusal.Code = sessions[session] == nil ? .unknownSession : .notInSession
        refuse(Refusal(frameType: frameType.rawValue, session: session, subject: subject, code: code), to: participant)
        return false
    }

    mutating func beginSession(_ session: SessionID) {
        sessions[session] = RelaySession(id: session, life: number(), headroomBytes: headroomBytes, emptySince: now)
    }

    /// Sessions that are, and those whose announcement is on its way to the store.
    var announcedSessionCount: Int {
        let announced = sessions[.own]?.slots.filter { slot in
            sessions[SessionID(slot.key.bytes)] == nil && slot.value.coming?.isPresenceBound == false
        }
        return sessionCount + (announced?.count ?? 0)
    }

    func tooManySessions(_ frameType: FrameType, _ session: SessionID, _ subject: EntryID) -> Refusal {
        Refusal(
            frameType: frameType.rawValue, session: session, subject: subject, code: .tooManySessions, limit: UInt64(Limits.sessionCountLimit),
            value: UInt64(announcedSessionCount + 1))
    }
}
