// The door: which of those who hold the invitation are let in, and until when. Who is in, or shows the pass, is asked nothing.

import Wire

extension RelayConversation {
    enum Verdict: Equatable {
        case enters
        case waits
        case refused(CloseReason)
    }

    /// What the door says to somebody whom this incarnation does not know.
    func verdict(on hello: Hello) -> Verdict {
        guard let door, !hasPass(hello, of: door) else { return .enters }
        if isOver(door.door) { return .refused(.invitationEnded) }
        switch door.door.mode {
        case .open: return .enters
        case .locked: return .refused(.locked)
        default: return .waits
        }
    }

    private func hasPass(_ hello: Hello, of door: StoredDoor) -> Bool {
        guard let pass = hello.pass else { return false }
        return isEqualInConstantTime(sha256(pass), door.passDigest)
    }

    func isOver(_ door: Door) -> Bool { door.closesAtSeconds != 0 && door.closesAtSeconds <= wallSeconds }

    // MARK: Setting it

    mutating func setDoor(_ door: StoredDoor, by participant: ParticipantID) {
        if let refusal = objection(to: door.door) { return refuse(refusal, to: participant) }
        ask(.setDoor(door), .setDoor(door, setter: participant))
    }

    private func objection(to door: Door) -> Refusal? {
        guard door.mode.isKnown else { return refusal(.notPermitted, limit: UInt64(DoorMode.locked.rawValue), value: UInt64(door.mode.rawValue)) }
        guard door.sealed.count <= Limits.doorSizeLimitBytes else {
            return refusal(.tooLarge, limit: UInt64(Limits.doorSizeLimitBytes), value: UInt64(door.sealed.count))
        }
        if door.closesAtSeconds != 0 {
            let latest = wallSeconds + UInt64(Limits.doorDateLimitSeconds)
            guard door.closesAtSeconds > wallSeconds else { return refusal(.dateOutOfRange, limit: wallSeconds, value: door.closesAtSeconds) }
            guard door.closesAtSeconds <= latest else { return refusal(.dateOutOfRange, limit: latest, value: door.closesAtSeconds) }
        }
        if let (limit, value) = backlog(with: 0) { return refusal(.storageFailed, limit: UInt64(limit), value: UInt64(value)) }
        return nil
    }

    private func refusal(_ code: Refusal.Code, limit: UInt64 = 0, value: UInt64 = 0) -> Refusal {
        Refusal(frameType: FrameType.setDoor.rawValue, session: .own, code: code, limit: limit, value: value)
    }

    /// It stands once it is on the disk, as an entry does.
    mutating func doorAnswered(_ door: StoredDoor, setter: ParticipantID, isDone: Bool) {
        guard isDone else { return refuse(refusal(.storageFailed), to: setter) }
        self.door = door
        tellMembers(.door(door.door))
        for participant in knockersInOrder { askAnew(participant) }
    }

    /// Who waits is asked what a newcomer would be asked now.
    private mutating func askAnew(_ participant: ParticipantID) {
        guard let knocker = knockers[participant] else { return }
        switch verdict(on: knocker.hello) {
        case .waits: break
        case .enters: letIn(participant)
        case .refused(let reason): turnAway(participant, .gone, reason)
        }
    }

    /// What whoever is welcomed has to know of the door.
    var doorFrames: [Frame] {
        let knocking = knockersInOrder.compactMap { participant in knockers[participant]?.sealed.map { Frame.knocking(participant: participant, sealed: $0) } }
        return (door.map { [.door($0.door)] } ?? []) + knocking
    }

    mutating func tellMembers(_ frame: Frame) {
        let connections = participants.values.sorted { $0.arrival < $1.arrival }.compactMap(\.connection)
        guard !connections.isEmpty else { return }
        act(.send(Batch([frame], headroomBytes: headroomBytes), to: connections, isReplay: false))
    }
}
