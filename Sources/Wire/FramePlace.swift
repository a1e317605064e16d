// Frames that have a place in the log of a session or speak of one, for those who play a relay that lies about it.

extension Frame {
    /// Where it stands in which session; `isOfLog` when a place of the log is its own, and not one that it only speaks of.
    package var place: (session: SessionID, place: UInt64, isOfLog: Bool)? {
        switch self {
        case .position(let session, let place, _), .complete(let session, let place), .stable(let session, let place): (session, place, false)
        case .entered(let session, let place, _), .exited(let session, let place, _, _), .ended(let session, let place, _, _), .ordered(let session, let place, _, _, _, _),
            .skipped(let session, let place, _, _), .removed(let session, let place, _, _, _):
            (session, place, true)
        case .entry(let entry): (entry.session, entry.sequence, true)
        default: nil
        }
    }

    /// The same at another place; a frame without a place as it is.
    package func placed(at place: UInt64) -> Frame {
        switch self {
        case .position(let session, _, let participants): return .position(session: session, sequence: place, participants: participants)
        case .complete(let session, _): return .complete(session: session, sequence: place)
        case .stable(let session, _): return .stable(session: session, sequence: place)
        case .entered(let session, _, let participant): return .entered(session: session, sequence: place, participant: participant)
        case .exited(let session, _, let participant, let reason): return .exited(session: session, sequence: place, participant: participant, reason: reason)
        case .ended(let session, _, let participant, let reason): return .ended(session: session, sequence: place, participant: participant, reason: reason)
        case .ordered(let session, _, let sender, let counter, let recipients, let sealed):
            return .ordered(session: session, sequence: place, sender: sender, counter: counter, recipients: recipients, sealed: sealed)
        case .skipped(let session, _, let sender, let counter): return .skipped(session: session, sequence: place, sender: sender, counter: counter)
        case .removed(let session, _, let remover, let entry, let reason): return .removed(session: session, sequence: place, remover: remover, entry: entry, reason: reason)
        case .entry(var entry):
            entry.sequence = place
            return .entry(entry)
        default: return self
        }
    }
}
