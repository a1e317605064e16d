// Which record of a sender is the next one: the rule that makes a lost or repeated record visible (docs/protocol/sealing.md).

import Wire

struct SenderCounters: Sendable {
    enum Verdict: Sendable { case next, duplicate, gap }
    private struct Sender: Sendable {
        var next: UInt64
        var isExact: Bool
    }

    private var senders: [ParticipantID: Sender] = [:]

    /// After entering again: what was sent meanwhile was not for us, so the next record of each sender may be any that is newer.
    mutating func rebase() {
        for sender in senders.keys { senders[sender]?.isExact = false }
    }

    /// What to do with a record. The count moves on only when it is the next.
    /// - Parameter wasThereBefore: the sender was in the conversation when we entered the session.
    mutating func judge(_ sender: ParticipantID, _ counter: UInt64, wasThereBefore: Bool) -> Verdict {
        let known = senders[sender] ?? Sender(next: 0, isExact: !wasThereBefore)
        if counter < known.next { return .duplicate }
        guard counter == known.next || !known.isExact else { return .gap }
        senders[sender] = Sender(next: counter + 1, isExact: true)
        return .next
    }
}
