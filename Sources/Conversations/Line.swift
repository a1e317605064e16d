// One direction of the line to the relay: parts wait until it is their turn, and how many go at once follows from how long they take.

import Synchronization
import Wire

/// May be used from any thread.
final class Line: Sendable {
    let slots: Slots
    private let pace: Mutex<LinePace>
    private let clock: any ConversationClock

    init(clock: any ConversationClock) {
        self.clock = clock
        pace = Mutex(LinePace())
        slots = Slots(limit: LinePace().partLimit)
    }

    /// Does it when it is the transfer's turn.
    /// - Parameter travel: returns why the part did not arrive; `nil`: it did.
    /// - Returns: what `travel` does, or that the task was cancelled before.
    func carry<Failure: Error>(_ owner: EntryID, sizeBytes: Int, cancelled: Failure, _ travel: () async -> Failure?) async -> Failure? {
        guard let ticket = await slots.take(owner) else { return cancelled }
        defer { slots.giveBack(ticket) }
        let start = clock.now
        let failure = await travel()
        if failure == nil { learn(sizeBytes, in: clock.now - start) }
        return failure
    }

    private func learn(_ sizeBytes: Int, in duration: Duration) {
        pace.withLock { pace in
            pace.partTravelled(sizeBytes: sizeBytes, in: duration)
            // Under the lock, so that what is learnt later also counts later.
            slots.resize(to: pace.partLimit)
        }
    }
}
