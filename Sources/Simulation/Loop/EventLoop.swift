// One thread, one clock and one line of waiting work for a whole simulated world, so that nothing in it happens by chance.

import Synchronization

/// Runs what is ready in the order in which it became ready, then lets time pass to what is due next. Used on one thread only.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    private enum Work {
        case job(UnownedJob)
        case owned(UnownedJob, SimulatedExecutor)
        case call(() -> Void)
    }

    /// More than this without time passing is a circle.
    private static let workLimit = 20_000_000

    private var ready: [Work] = []
    private var first = 0
    private var timers = TimerHeap()
    private(set) var now = Duration.zero
    /// How much was done in all.
    private(set) var workCount = 0

    func enqueue(_ job: consuming ExecutorJob) { ready.append(.job(UnownedJob(job))) }
    func enqueue(_ job: UnownedJob) { ready.append(.job(job)) }
    func enqueue(_ job: UnownedJob, on executor: SimulatedExecutor) { ready.append(.owned(job, executor)) }

    /// Does it in this moment, behind what is ready already.
    func post(_ body: @escaping () -> Void) { ready.append(.call(body)) }

    func at(_ time: Duration, _ body: @escaping () -> Void) { timers.insert(max(time, now), body) }
    func after(_ delay: Duration, _ body: @escaping () -> Void) { timers.insert(now + max(delay, .zero), body) }

    func pause(_ delay: Duration) async {
        await withCheckedContinuation { continuation in after(delay) { continuation.resume() } }
    }

    /// Everything that is ready now, and what it makes ready.
    func workOff() {
        var done = 0
        while first < ready.count {
            let work = ready[first]
            first += 1
            if first >= 4_096 {
                ready.removeFirst(first)
                first = 0
            }
            switch work {
            case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
            case .owned(let job, let executor): executor.run(job)
            case .call(let body): body()
            }
            done += 1
            precondition(done < Self.workLimit, "work makes more work for ever, without time passing")
        }
        workCount += done
        ready.removeAll(keepingCapacity: true)
        first = 0
    }

    /// Goes on to a time; what is due is done in the order of its times. `isOver` is asked after each.
    func run(until end: Duration, unless isOver: () -> Bool = { false }) {
        workOff()
        while !isOver(), let due = timers.earliest, due <= end {
            now = max(now, due)
            timers.removeEarliest()?()
            workOff()
        }
        now = max(now, end)
    }

    /// Nothing that waits for a time will happen any more.
    func forgetTimers() { timers = TimerHeap() }
}

/// The relay's loop in the simulation: its jobs stand in the world's one line.
final class SimulatedExecutor: SerialExecutor, @unchecked Sendable {
    private let loop: EventLoop
    /// After each job: what was batched goes out soon.
    var afterJob: () -> Void = {}

    init(_ loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), on: self) }

    func run(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedSerialExecutor())
        afterJob()
    }

    func checkIsolated() {}
    func isIsolatingCurrentContext() -> Bool? { true }
}
