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
