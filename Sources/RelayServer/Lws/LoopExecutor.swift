// The event loop's thread as an executor: the hub's actor runs on it, and other threads hand it work.

import CLws
import Glibc
import Synchronization

/// Everything of the relay that touches a connection runs on one thread, in the order in which it was asked for.
final class LoopExecutor: SerialExecutor {
    private enum Work: Sendable {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct State: Sendable {
        var work: [Work] = []
        /// The loop and its hooks, as numbers: 0 before the loop has started and after it has ended.
        var loop: UInt = 0
        var hooks: UInt = 0
        var isWoken = false
    }

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `body` on the loop's thread in one of its next turns.
    func perform(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    func checkIsolated() { precondition(isOnLoop, "called away from the loop's thread") }
    func isIsolatingCurrentContext() -> Bool? { isOnLoop }
    var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    private func add(_ work: Work) {
        state.withLock { state in
            state.work.append(work)
            guard !state.isWoken, state.loop != 0 else { return }
            state.isWoken = true
            clws_wake(OpaquePointer(bitPattern: state.loop), UnsafeMutablePointer(bitPattern: state.hooks))
        }
    }

    /// On the loop's thread: runs what was asked for up to now.
    func workOff() {
        let work = state.withLock { state in
            state.isWoken = false
            defer { state.work.removeAll(keepingCapacity: true) }
            return state.work
        }
        for item in work {
            switch item {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .closure(let body): body()
            }
        }
    }

    /// The calling thread becomes the executor's. Before the network library is started, since that calls back at once.
    func adopt(loop: OpaquePointer, hooks: UnsafeMutablePointer<clws_hooks>) {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let (loop, hooks) = (UInt(bitPattern: loop), UInt(bitPattern: hooks))
        state.withLock { state in
            state.loop = loop
            state.hooks = hooks
        }
        workOff()
    }

    /// The loop ends. Work that comes after this is kept and never run.
    func release() {
        workOff()
        state.withLock { state in
            state.loop = 0
            state.hooks = 0
        }
    }
}
