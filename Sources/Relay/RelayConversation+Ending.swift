// A session's end: asked of the store first, and told once the disk has it, so that no restart brings back what somebody knows to be over.

import Wire

struct Ending: Equatable {
    let session: SessionID
    let life: UInt64
    let participant: ParticipantID
    let reason: EndReason
    /// The announcement goes in the same step; it may have been removed before.
    let takesAnnouncement: Bool
    /// Who has asked for it: `ended` answers them all, and so does a failure.
    var enders: [ParticipantID]
    /// Who has asked meanwhile for the announcement to be removed.
    var removers: [ParticipantID] = []
}

extension RelayConversation {
    mutating func end(_ session: SessionID, _ participant: ParticipantID) {
        guard session != .own else { return refuse(Refusal(frameType: FrameType.end.rawValue, session: session, code: .notPermitted), to: participant) }
        guard isMember(participant, of: session, for: .end) else { return }
        finish(session, by: participant, reason: .byParticipant)
    }

    /// With the session go its log, ledger, bodies and announcement.
    mutating func finish(_ session: SessionID, by participant: ParticipantID, reason: EndReason) {
        guard let life = sessions[session]?.life else { return }
        let asking = participant == .relay ? [] : [participant]
        if sessions[session]?.isEnding == true {
            return changeEnding(of: session) { if !$0.enders.contains(participant) { $0.enders += asking } }
        }
        let announcement = EntryID(session.bytes)
        let takesAnnouncement = sessions[.own]?.slots[announcement]?.coming != nil
        if takesAnnouncement { sessions[.own]?.change(announcement) { $0.begin(.remove) } }
        sessions[session]?.isEnding = true
        let ending = Ending(session: session, life: life, participant: participant, reason: reason, takesAnnouncement: takesAnnouncement, enders: asking)
        ask(.removeSession(session), .end(ending))
    }

    /// Somebody asks for the removal of an announcement that is going with its session. False: none is.
    mutating func follow(_ participant: ParticipantID, endOfSessionAnnouncedBy announcement: EntryID) -> Bool {
        let session = SessionID(announcement.bytes)
        guard sessions[session]?.isEnding == true else { return false }
        var follows = false
        changeEnding(of: session) {
            follows = $0.takesAnnouncement
            if follows, !$0.removers.contains(participant) { $0.removers.append(participant) }
        }
        return follows
    }

    private mutating func changeEnding(of session: SessionID, _ change: (inout Ending) -> Void) {
        for (number, ticket) in tickets {
            guard case .end(var ending) = ticket, ending.session == session else { continue }
            change(&ending)
            tickets[number] = .end(ending)
        }
    }

    mutating func endAnswered(_ ending: Ending, isDone: Bool) {
        guard sessions[ending.session]?.life == ending.life else { return }
        if isDone { conclude(ending) } else { goOn(after: ending) }
    }

    /// The disk has not taken the end: all is as before, and what was held back is done.
    private mutating func goOn(after ending: Ending) {
        let announcement = EntryID(ending.session.bytes)
        if ending.takesAnnouncement { sessions[.own]?.change(announcement) { $0.giveUp() } }
        sessions[ending.session]?.isEnding = false
        let held = sessions[ending.session]?.heldRequests ?? []
        sessions[ending.session]?.heldRequests = []
        for request in held { act(.store(request)) }
        for ender in ending.enders { refuse(Refusal(frameType: FrameType.end.rawValue, session: ending.session, code: .storageFailed), to: ender) }
        for remover in ending.removers {
            refuse(Refusal(frameType: FrameType.remove.rawValue, session: .own, subject: announcement, code: .storageFailed), to: remover)
        }
    }

    private mutating func conclude(_ ending: Ending) {
        let session = ending.session
        let waiting = (sessions[session]?.members ?? [:]).filter(\.value.awaitsOwnLedger).keys.sorted { precedes(SessionID($0.bytes), SessionID($1.bytes)) }
        if !waiting.isEmpty { flush() }
        // Of a session that is over nothing before matters to them; the end does.
        for participant in waiting {
            place(participant, in: session)
            answerEntering(session, participant)
        }
        flush(session)
        for participant in (sessions[session]?.members ?? [:]).keys { withdrawSamples(of: session, from: participant) }
        sessions[session]?.log.append { .ended(session: session, sequence: $0, participant: ending.participant, reason: ending.reason) }
        touch(session)
        flush(session)
        guard let ended = sessions.removeValue(forKey: session) else { return }
        endedSessions.insert(session)
        for request in ended.heldRequests { storeAnswered(request.ticket, .failure(.failed("the session has ended"))) }
        // With the conversation go all of its bodies.
        if case .ending = phase { endingBytes += ended.chargeBytes } else { eraseBodies(session, chargeBytes: ended.chargeBytes) }
        guard ending.takesAnnouncement else { return }
        let announcement = EntryID(session.bytes)
        sessions[.own]?.change(announcement) { $0.finish(version: 0) }
        count(\.removals)
        sessions[.own]?.append { .removed(session: .own, sequence: $0, remover: ending.participant, entry: announcement, reason: .sessionEnded) }
        touch(.own)
    }
}
