// Knowing that nothing is going on any more, without sleeping: every thread that runs tasks is asked to come to one place at the same time.

import Foundation
import Synchronization

enum Quiet {
    /// Returns when tasks that could run have run, and those that they made, a few times over.
    @MainActor static func wait(for traffic: Traffic) async {
        var quietRounds = 0
        while quietRounds < 3 {
            let before = traffic.standing
            for priority in [TaskPriority.high, .medium, .low, .background] { await gather(priority) }
            for _ in 0..<4 { await Task.yield() }
            let after = traffic.standing
            quietRounds = after.isIdle && before.begun == after.begun ? quietRounds + 1 : 0
        }
    }

    private static let turn = Turn()

    /// Tasks of one priority run on as many threads as there are processors, and wait in one line. When so many of ours run at once, none
    /// of the others does: each that came before has ended or waits for something.
    private static func gather(_ priority: TaskPriority) async {
        await turn.take()
        let place = Meeting(count: ProcessInfo.processInfo.activeProcessorCount)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<place.count { group.addTask(priority: priority) { place.arrive() } }
        }
        turn.give()
    }

    private final class Meeting: @unchecked Sendable {
        let count: Int
        private let condition = NSCondition()
        private var arrivedCount = 0

        init(count: Int) { self.count = count }

        func arrive() {
            condition.lock()
            defer { condition.unlock() }
            arrivedCount += 1
            if arrivedCount == count { condition.broadcast() }
            // A thread that somebody else's task holds for long is not waited for.
            let limit = Date(timeIntervalSinceNow: 0.2)
            while arrivedCount < count, condition.wait(until: limit) {}
        }
    }

    /// Two meetings at once would wait for each other's threads.
    private final class Turn: Sendable {
        private let state = Mutex<(isTaken: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func take() async {
            await withCheckedContinuation { continuation in
                let isMine = state.withLock { state in
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if isMine { continuation.resume() }
            }
        }

        func give() {
            let next: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.isTaken = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
    }
}
