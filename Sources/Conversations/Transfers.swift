// What all uploads and downloads of a conversation share: how many parts are made ready, how many travel, and whose turn it is.

import Synchronization
import Wire

/// May be used from any thread.
final class Transfers: Sendable {
    /// Parts in memory, sealed or being sealed, of all uploads together.
    let sealed = Slots(limit: LinePace.parallelPartLimit)
    /// Of the parts that are sealed those that travel; the others are ready when one of these has arrived.
    let line: Slots
    private let pace: Mutex<LinePace>
    private let clock: any ConversationClock

    init(clock: any ConversationClock) {
        self.clock = clock
        pace = Mutex(LinePace())
        line = Slots(limit: LinePace().partLimit)
    }

    /// Sends one part when it is its upload's turn, and learns from how long it took.
    func travel(_ owner: EntryID, sizeBytes: Int, _ send: () async -> PartFailure?) async -> PartFailure? {
        guard let ticket = await line.take(owner) else { return .unreachable }
        defer { line.giveBack(ticket) }
        let start = clock.now
        let failure = await send()
        if failure == nil { learn(sizeBytes, in: clock.now - start) }
        return failure
    }

    /// The upload is over, one way or another.
    func forget(_ owner: EntryID) {
        sealed.forget(owner)
        line.forget(owner)
    }

    private func learn(_ sizeBytes: Int, in duration: Duration) {
        pace.withLock { pace in
            pace.partTravelled(sizeBytes: sizeBytes, in: duration)
            // Under the lock, so that what is learnt later also counts later.
            line.resize(to: pace.partLimit)
        }
    }
}
