// Who is let in, who comes back, who is lost.

import Wire

extension RelayConversation {
    /// The first frame of a connection. `digest` is the SHA-256 of its token.
    public mutating func hello(_ hello: Hello, tokenDigest digest: [UInt8], on connection: ConnectionID) {
        guard isEqualInConstantTime(digest, tokenDigest) else { return act(.close(connection, .notInvited)) }
        guard hello.participant != .relay else { return act(.close(connection, .malformed)) }
        switch phase {
        case .beginning(var waiting):
            guard waiting.count < Limits.participantCountLimit else { return act(.close(connection, .conversationFull)) }
            waiting.append((connection, hello))
            phase = .beginning(waiting: waiting)
        case .ending: act(.close(connection, hello.create ? .overloaded : .unknownConversation))
        case .open: admit(hello, on: connection, created: false)
        }
    }

    /// The connection is gone without `leave`. Its participant, if it still speaks for one, is away from now on.
    public mutating func lost(_ connection: ConnectionID, of participant: ParticipantID?) {
        if case .beginning(let waiting) = phase { phase = .beginning(waiting: waiting.filter { $0.0 != connection }) }
        stopWaiting(on: connection)
        guard let participant, participants[participant]?.connection == connection else { return }
        flush()
        participants[participant]?.connection = nil
        let deadline = after(seconds: settings.resumeWindowSeconds)
        participants[participant]?.deadline = deadline
        rebuildAudiences(with: participant)
        tell(presence: .away, of: participant)
    }

    func after(seconds: Int) -> UInt64 { now &+ UInt64(seconds) * 1_000_000_000 }

    mutating func admit(_ hello: Hello, on connection: ConnectionID, created: Bool) {
        let participant = hello.participant
        if let known = participants[participant] {
            guard isEqualInConstantTime(known.secret, hello.secret) else { return act(.close(connection, .notInvited)) }
            flush()
            if let older = known.connection { act(.close(older, .replaced)) }
            if hello.incarnation != 0, hello.incarnation != incarnation { participants[participant]?.isFromBefore = true }
            participants[participant]?.connection = nil
            if hello.incarnation == incarnation {
                resume(hello, on: connection)
            } else {
                comeAgain(hello, on: connection, created: created)
            }
            return
        }
        guard hello.incarnation != incarnation, canReturn(hello) else { return act(.close(connection, .cannotResume)) }
        switch verdict(on: hello) {
        case .waits: wait(hello, on: connection)
        case .refused(let reason): act(.close(connection, reason))
        case .enters:
            guard participants.count < Limits.participantCountLimit else { return act(.close(connection, .conversationFull)) }
            takeIn(hello, on: connection, created: created)
        }
    }

    /// Not who is of an earlier incarnation when the time to return is over, for what it missed is gone. And not who was in sessions and whose
    /// introduction is gone: its place was given up between two restarts, and nobody who came since could tell who speaks.
    private func canReturn(_ hello: Hello) -> Bool {
        guard hello.incarnation != 0 else { return true }
        let isIntroduced = sessions[.own]?.slots[EntryID(hello.participant.bytes)]?.stored?.putter == hello.participant
        return returnsUntil != nil && (isIntroduced || hello.places.allSatisfy { $0.session == .own })
    }

    /// Somebody new, or of an earlier incarnation, comes in.
    mutating func takeIn(_ hello: Hello, on connection: ConnectionID, created: Bool) {
        guard canReturn(hello) else { return act(.close(connection, .cannotResume)) }
        let participant = hello.participant
        flush()
        let arrival = number()
        participants[participant] = Participant(secret: hello.secret, arrival: arrival, connection: connection, isFromBefore: hello.incarnation != 0)
        emptySince = nil
        awaited[participant] = nil
        welcome(participant, connection, resumed: false, created: created)
        join(.own, participant, isReturning: hello.incarnation != 0)
        enterNamed(hello)
    }

    private mutating func welcome(_ participant: ParticipantID, _ connection: ConnectionID, resumed: Bool, created: Bool) {
        act(.admitted(connection, participant))
        let frame = Welcome(
            resumed: resumed, created: created, incarnation: incarnation, heartbeatSeconds: UInt16(clamping: settings.heartbeatSeconds),
            silenceSeconds: UInt16(clamping: settings.silenceSeconds), resumeWindowSeconds: UInt32(clamping: settings.resumeWindowSeconds),
            graceSeconds: UInt32(clamping: settings.graceSeconds), conversationQuotaBytes: UInt64(clamping: settings.conversationQuotaBytes))
        send([.welcome(frame)] + doorFrames, to: participant)
    }

    /// A known participant that has no memory of this incarnation: its `welcome` was lost on the way.
    private mutating func comeAgain(_ hello: Hello, on connection: ConnectionID, created: Bool) {
        let participant = hello.participant
        reconnect(participant, connection)
        welcome(participant, connection, resumed: false, created: created)
        if participants[participant]?.isFromBefore == true {
            answerEntering(.own, participant, from: startSinceRestart(of: .own))
        } else {
            // It has never heard of a place: there is none from which it could resume if this answer is lost too.
            let last = sessions[.own]?.log.last ?? 0
            sessions[.own]?.members[participant]?.acknowledged = last
            answerEntering(.own, participant)
        }
        leaveUnnamed(hello)
        enterNamed(hello)
        tell(presence: .connected, of: participant)
    }

    /// A participant of an earlier incarnation is put into each session that it names.
    private mutating func enterNamed(_ hello: Hello) {
        for place in hello.places where place.session != .own {
            enter(place.session, hello.participant, on: .hello)
        }
    }

    private mutating func resume(_ hello: Hello, on connection: ConnectionID) {
        let participant = hello.participant
        let held = hello.places.filter { sessions[$0.session]?.members[participant] != nil }
        let reachesBack = held.allSatisfy { sessions[$0.session]?.log.reachesBack(to: $0.sequence) == true }
        guard reachesBack, held.contains(where: { $0.session == .own }) else {
            depart(participant, reason: .away)
            return act(.close(connection, .cannotResume))
        }
        for place in held { sessions[place.session]?.members[participant]?.awaitsOwnLedger = false }
        reconnect(participant, connection)
        welcome(participant, connection, resumed: true, created: false)
        for place in held.sorted(by: { $0.session == .own && $1.session != .own }) { replay(place, to: participant, connection) }
        for place in hello.places where sessions[place.session]?.members[participant] == nil {
            let code: Refusal.Code = sessions[place.session] == nil ? .unknownSession : .notInSession
            refuse(Refusal(frameType: FrameType.hello.rawValue, session: place.session, code: code), to: participant)
        }
        leaveUnnamed(hello)
        tell(presence: .connected, of: participant)
    }

    private mutating func replay(_ place: Hello.Place, to participant: ParticipantID, _ connection: ConnectionID) {
        guard let session = sessions[place.session], let member = session.members[participant] else { return }
        for batch in session.log.missed(by: participant, after: place.sequence) { act(.send(batch, to: [connection], isReplay: true)) }
        send([.stable(session: place.session, sequence: session.stable)], to: participant)
        acknowledge(place.session, place.sequence, participant)
        // What of the ledger was on its way is lost with the old connection.
        if member.ledgerRun != nil { beginLedger(place.session, participant) }
    }

    private mutating func leaveUnnamed(_ hello: Hello) {
        let named = Set(hello.places.map(\.session)).union([.own])
        let isFromBefore = participants[hello.participant]?.isFromBefore == true
        for session in sessions.keys.sorted(by: precedes) where !named.contains(session) && sessions[session]?.members[hello.participant] != nil {
            // Who came from before a restart and was cut off before it heard where it stands enters this session again, and is given all of its log: its own going must not stand in it.
            if isFromBefore, sessions[session]?.log.reachesBack(to: 0) == true { continue }
            part(session, hello.participant, reason: .exited)
        }
    }

    private mutating func reconnect(_ participant: ParticipantID, _ connection: ConnectionID) {
        participants[participant]?.connection = connection
        participants[participant]?.deadline = nil
        rebuildAudiences(with: participant)
    }

    private mutating func rebuildAudiences(with participant: ParticipantID) {
        for session in sessions.keys where sessions[session]?.members[participant] != nil { rebuildAudience(of: session) }
    }

    private mutating func tell(presence: Presence, of participant: ParticipantID) {
        let others = participants.filter { $0.key != participant }.compactMap(\.value.connection)
        guard !others.isEmpty else { return }
        act(.send(Batch([.presence(participant: participant, presence: presence)], headroomBytes: headroomBytes), to: others, isReplay: false))
    }

    /// An order of sessions that does not depend on hashing.
    func precedes(_ left: SessionID, _ right: SessionID) -> Bool { (left.bytes.high, left.bytes.low) < (right.bytes.high, right.bytes.low) }
}

func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}

func isEqualInConstantTime(_ left: Bytes16, _ right: Bytes16) -> Bool { (left.high ^ right.high) | (left.low ^ right.low) == 0 }
