// A relay that shows one participant another log than the rest, and hides it in the places: they have no holes.

import Synchronization
import Wire

final class Lie: Sendable {
    private let tell: @Sendable (Frame) -> [Frame]
    private let shifts = Mutex<[SessionID: Int]>([:])

    /// - Parameter tell: what stands in place of a frame of the log; its own place does not matter.
    init(_ tell: @escaping @Sendable (Frame) -> [Frame]) { self.tell = tell }

    func told(_ frame: Frame) -> [Frame] {
        guard let (session, place, isOfLog) = frame.place, session != .own, place > 0 else { return [frame] }
        let shift = shifts.withLock { $0[session, default: 0] }
        guard isOfLog else { return [frame.placed(at: place.advanced(by: shift))] }
        let frames = tell(frame)
        shifts.withLock { $0[session, default: 0] += frames.count - 1 }
        return frames.enumerated().map { index, each in each.placed(at: place.advanced(by: shift + index)) }
    }
}

extension UInt64 {
    fileprivate func advanced(by shift: Int) -> UInt64 { UInt64(Int(self) + shift) }
}

extension Frame {
    fileprivate var place: (session: SessionID, place: UInt64, isOfLog: Bool)? {
        switch self {
        case .position(let session, let place, _), .complete(let session, let place), .stable(let session, let place): (session, place, false)
        case .entered(let session, let place, _), .exited(let session, let place, _, _), .ended(let session, let place, _, _), .ordered(let session, let place, _, _, _, _),
            .skipped(let session, let place, _, _), .removed(let session, let place, _, _, _):
            (session, place, true)
        case .entry(let entry): (entry.session, entry.sequence, true)
        default: nil
        }
    }

    fileprivate func placed(at place: UInt64) -> Frame {
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
