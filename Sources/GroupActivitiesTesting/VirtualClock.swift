// Time that passes only when a test lets it.

import Conversations
import Synchronization

/// A clock that stands still until it is moved. May be used from any thread.
public final class VirtualClock: ConversationClock {
    private enum Entry {
        case sleeper(CheckedContinuation<Void, any Error>)
        /// Something on its way.
        case event(isAwaited: Bool, @Sendable () -> Void)
    }

    private struct State {
        var now = Duration.zero
        var entries: [UInt64: (at: Duration, entry: Entry)] = [:]
        var lastNumber: UInt64 = 0
        var isStopped = false
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Duration { state.withLock(\.now) }

    var nowNanoseconds: Int64 {
        let (seconds, attoseconds) = now.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    public func sleep(until deadline: Duration) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled || state.isStopped { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.entries[number] = (deadline, .sleeper(continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            if case .sleeper(let continuation) = state.withLock({ $0.entries.removeValue(forKey: number)?.entry }) { continuation.resume(throwing: CancellationError()) }
        }
    }

    /// Does something once it is that late.
    /// - Parameter isAwaited: a test that lets everything happen waits for this.
    func schedule(at time: Duration, isAwaited: Bool, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = (time, .event(isAwaited: isAwaited, body))
        }
    }

    var nextAwaitedAt: Duration? { earliest { if case .event(true, _) = $0 { true } else { false } } }
    var lastEventAt: Duration? {
        state.withLock { state in state.entries.values.filter { if case .event = $0.entry { true } else { false } }.map(\.at).max() }
    }
    var nextWakeAt: Duration? { earliest { _ in true } }

    private func earliest(_ isMeant: (Entry) -> Bool) -> Duration? {
        state.withLock { state in state.entries.values.filter { isMeant($0.entry) }.map(\.at).min() }
    }

    /// Goes to a later time; what is due is done in the order of its times.
    func move(to time: Duration) {
        let due = state.withLock { state in
            state.now = max(state.now, time)
            let due = state.entries.filter { $0.value.at <= state.now }.sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
            for (number, _) in due { state.entries[number] = nil }
            return due.map(\.value.entry)
        }
        for entry in due {
            switch entry {
            case .sleeper(let continuation): continuation.resume()
            case .event(_, let body): body()
            }
        }
    }

    /// Whoever sleeps is woken by an error, and nobody sleeps any more.
    func stop() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            state.isStopped = true
            return Array(state.entries.values)
        }
        for case (_, .sleeper(let continuation)) in entries { continuation.resume(throwing: CancellationError()) }
    }
}
