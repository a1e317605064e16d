// A line whose speed is what a test says, and the time that passes on it.

import Conversations
import Synchronization

/// Time passes only by steps, and they wake nobody.
final class SteppedClock: ConversationClock {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock(\.self) }

    func step(_ duration: Duration) { time.withLock { $0 += duration } }

    func sleep(until deadline: Duration) async throws {
        // What would be over at once for an impatient participant is.
        if deadline - now > .milliseconds(1) { try await ContinuousClock().sleep(for: .seconds(3_600)) }
    }
}

/// Whoever sleeps for a second or less is woken at once, and so much time has passed; whoever sleeps longer is not woken.
final class SkippingClock: ConversationClock {
    private let state = Mutex((now: Duration.zero, slept: [Duration]()))

    var now: Duration { state.withLock(\.now) }
    var slept: [Duration] { state.withLock(\.slept) }

    func sleep(until deadline: Duration) async throws {
        let isShort = state.withLock { state in
            guard deadline - state.now <= .seconds(1) else { return false }
            state.slept.append(deadline - state.now)
            state.now = max(state.now, deadline)
            return true
        }
        if !isShort { try await ContinuousClock().sleep(for: .seconds(3_600)) }
    }
}

/// Counts what is on the way at once.
final class Traffic: Sendable {
    private let state = Mutex((now: 0, most: 0, total: 0))
    private let changes = Changes()

    var now: Int { state.withLock(\.now) }
    var most: Int { state.withLock(\.most) }
    /// Whatever has ever set out.
    var total: Int { state.withLock(\.total) }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
            state.total += 1
        }
        changes.happened()
    }

    func end() {
        state.withLock { $0.now -= 1 }
        changes.happened()
    }

    func until(_ claim: (Traffic) -> Bool) async { for await _ in changes.stream() where claim(self) { return } }
}

/// Waits for what tells nobody that it has happened. Whoever waits too long is cancelled, and goes on to fail.
func settled(_ claim: () async -> Bool) async { while await !claim(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) } }
