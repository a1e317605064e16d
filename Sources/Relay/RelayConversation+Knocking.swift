// Who waits at the door until a member lets them in. They are told nothing and count as nobody.

import Wire

struct Knocker {
    let hello: Hello
    let connection: ConnectionID
    let arrival: UInt64
    let deadline: UInt64
    /// The introduction, once it has come; before, members are not told.
    var sealed: [UInt8]?
}

extension RelayConversation {
    /// In the order of their coming.
    var knockersInOrder: [ParticipantID] { knockers.sorted { $0.value.arrival < $1.value.arrival }.map(\.key) }

    mutating func wait(_ hello: Hello, on connection: ConnectionID) {
        let participant = hello.participant
        if let older = knockers[participant] {
            guard isEqualInConstantTime(older.hello.secret, hello.secret) else { return act(.close(connection, .notInvited)) }
            turnAway(participant, .gone, .replaced)
        }
        guard knockers.count < Limits.knockCountLimit else { return act(.close(connection, .tooManyWaiting)) }
        let deadline = after(seconds: Limits.knockTimeLimitSeconds)
        knockers[participant] = Knocker(hello: hello, connection: connection, arrival: number(), deadline: deadline)
        act(.waits(connection, participant))
        let frame = Frame.waiting(seconds: UInt16(clamping: Limits.knockTimeLimitSeconds))
        act(.send(Batch([frame], headroomBytes: headroomBytes), to: [connection], isReplay: false))
    }

    /// The introduction of who waits. A second one is passed over. Beyond the allowance members are not told, and who knocks is turned away.
    public mutating func knock(_ sealed: [UInt8], from participant: ParticipantID, on connection: ConnectionID) {
        guard let knocker = knockers[participant], knocker.connection == connection, knocker.sealed == nil else { return }
        guard knockAllowance.spend(nowNanoseconds: now) else { return turnAway(participant, .gone, .tooManyWaiting) }
        knockers[participant]?.sealed = sealed
        count(\.knocks)
        tellMembers(.knocking(participant: participant, sealed: sealed))
    }

    /// A member's word on somebody who knocks. Who knocks no more is passed over: every member has been told.
    mutating func answerKnock(of participant: ParticipantID, admits: Bool) {
        guard knockers[participant]?.sealed != nil else { return }
        if admits { letIn(participant) } else { turnAway(participant, .declined, .declined) }
    }

    mutating func letIn(_ participant: ParticipantID) {
        guard let knocker = knockers[participant] else { return }
        guard participants.count < Limits.participantCountLimit else { return turnAway(participant, .gone, .conversationFull) }
        endKnock(of: participant, .admitted)
        takeIn(knocker.hello, on: knocker.connection, created: false)
    }

    mutating func turnAway(_ participant: ParticipantID, _ end: KnockEnd, _ reason: CloseReason) {
        guard let connection = knockers[participant]?.connection else { return }
        endKnock(of: participant, end)
        act(.close(connection, reason))
    }

    private mutating func endKnock(of participant: ParticipantID, _ end: KnockEnd) {
        guard let knocker = knockers.removeValue(forKey: participant), knocker.sealed != nil else { return }
        tellMembers(.knocked(participant: participant, end: end))
    }

    /// Somebody who waited has gone.
    mutating func stopWaiting(on connection: ConnectionID) {
        for participant in knockersInOrder where knockers[participant]?.connection == connection { endKnock(of: participant, .gone) }
    }

    /// What time does to those who wait.
    mutating func tickDoor() {
        let isClosed = door.map { isOver($0.door) } ?? false
        for participant in knockersInOrder {
            if isClosed {
                turnAway(participant, .gone, .invitationEnded)
            } else if let knocker = knockers[participant], knocker.deadline <= now {
                turnAway(participant, .unanswered, .notAnswered)
            }
        }
    }
}
