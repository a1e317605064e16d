// Spoils what the relay writes to one connection, on purpose, so that it can be seen whether the claims notice.

import Wire

struct Saboteur {
    private let kind: Sabotage
    private let participant: ParticipantID
    /// Only one listener is lied to.
    private let isVictim: Bool
    private var isDone = false
    private var lastOrdered: [SessionID: Frame] = [:]
    /// What really stands at a place.
    private let truth: (SessionID, UInt64) -> Frame?

    init(_ kind: Sabotage, _ participant: ParticipantID, isVictim: Bool, truth: @escaping (SessionID, UInt64) -> Frame?) {
        self.truth = truth
        self.kind = kind
        self.participant = participant
        self.isVictim = isVictim
    }

    /// `nil`: nothing is changed.
    mutating func spoil(_ frames: [Frame]) -> [Frame]? {
        guard isVictim else { return nil }
        switch kind {
        case .swapRecords: return swap(frames)
        case .dropRecord:
            guard !isDone, let index = foreign(frames) else { return nil }
            isDone = true
            var rest = frames
            rest.remove(at: index)
            return rest
        case .repeatRecord:
            guard !isDone, let index = foreign(frames), let (session, sequence) = frames[index].place, case .ordered(_, _, let sender, let counter, let recipients, let sealed) = frames[index]
            else { return nil }
            isDone = true
            let again = Frame.ordered(session: session, sequence: sequence + 1, sender: sender, counter: counter, recipients: recipients, sealed: sealed)
            return frames[...index] + [again] + frames[(index + 1)...]
        case .swallowRecord:
            guard let index = foreign(frames), case .ordered(let session, let sequence, let sender, let counter, _, _) = frames[index] else { return nil }
            var shadowed = frames
            shadowed[index] = .skipped(session: session, sequence: sequence, sender: sender, counter: counter)
            return shadowed
        case .hideComing, .forkHistory:
            guard let index = frames.firstIndex(where: { if case .entered(let session, _, _) = $0 { session != .own } else { false } }), case .entered(let session, let sequence, _) = frames[index]
            else { return nil }
            var hidden = frames
            hidden[index] = .entered(session: session, sequence: sequence, participant: participant)
            return hidden
        case .tellEverybody:
            let told = frames.map { frame in
                guard case .skipped(let session, let sequence, _, _) = frame else { return frame }
                return truth(session, sequence) ?? frame
            }
            return told == frames ? nil : told
        case .speakToLeaver:
            for case .ordered(let session, let sequence, let sender, let counter, let recipients, let sealed) in frames {
                lastOrdered[session] = .ordered(session: session, sequence: sequence, sender: sender, counter: counter, recipients: recipients, sealed: sealed)
            }
            guard case .exited(let session, _, participant, .exited)? = frames.last, let again = lastOrdered[session] else { return nil }
            return frames + [again]
        case .ignorePut, .hideEntry, .keepBodies, .forgetSync, .keepConnections: return nil
        }
    }

    private func foreign(_ frames: [Frame]) -> Int? {
        frames.firstIndex { if case .ordered(_, _, let sender, _, _, _) = $0 { sender != participant } else { false } }
    }

    private mutating func swap(_ frames: [Frame]) -> [Frame]? {
        guard !isDone else { return nil }
        for index in frames.indices.dropLast() {
            guard case .ordered(let session, let first, let sender, let counter, let recipients, let sealed) = frames[index],
                case .ordered(session, let second, let otherSender, let otherCounter, let otherRecipients, let otherSealed) = frames[index + 1], sender != participant
            else { continue }
            isDone = true
            var swapped = frames
            swapped[index] = .ordered(session: session, sequence: first, sender: otherSender, counter: otherCounter, recipients: otherRecipients, sealed: otherSealed)
            swapped[index + 1] = .ordered(session: session, sequence: second, sender: sender, counter: counter, recipients: recipients, sealed: sealed)
            return swapped
        }
        return nil
    }
}
