// Where transfers wait for their turn.

import Synchronization
import Wire

/// May be used from any thread.
final class Slots: Sendable {
    private struct State {
        var queue: SlotQueue
        var waiting: [SlotQueue.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(queue: SlotQueue(limit: limit))) }

    var heldCount: Int { state.withLock { $0.queue.held.count } }
    var waitingCount: Int { state.withLock { $0.queue.waiting.count } }

    func resize(to limit: Int) { change { $0.limit = limit } }

    /// Waits for a slot, which has to be given back.
    /// - Returns: `nil` when the task was cancelled before it had one.
    func take(_ owner: EntryID) async -> SlotQueue.Ticket? {
        let ticket = state.withLock { $0.queue.ticket(for: owner) }
        let isHeld = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAsked = state.withLock { state in
                    // Whoever cancels after this finds the continuation.
                    if Task.isCancelled { return false }
                    state.waiting[ticket] = continuation
                    state.queue.ask(ticket)
                    return true
                }
                if isAsked { change { _ in } } else { continuation.resume(returning: false) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: ticket)
                // Without one it has not asked yet, or has been served and holds a slot.
                if continuation != nil { state.queue.giveBack(ticket) }
                return continuation
            }
            continuation?.resume(returning: false)
        }
        return isHeld ? ticket : nil
    }

    func giveBack(_ ticket: SlotQueue.Ticket) { change { $0.giveBack(ticket) } }

    /// The transfer is over.
    func forget(_ owner: EntryID) { change { $0.forget(owner) } }

    private func change(_ change: (inout SlotQueue) -> Void) {
        let served = state.withLock { state in
            change(&state.queue)
            return state.queue.serve().compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in served { continuation.resume(returning: true) }
    }
}
