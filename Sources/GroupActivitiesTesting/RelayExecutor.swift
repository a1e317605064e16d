// The relay's loop in a test: one queue, and a count of what waits in it.

import Dispatch
import Synchronization

final class RelayExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "relay")
    private let afterTurn = Mutex<(@Sendable () -> Void)?>(nil)
    private let traffic: Traffic

    init(_ traffic: Traffic) { self.traffic = traffic }

    func onTurnEnd(_ body: @escaping @Sendable () -> Void) { afterTurn.withLock { $0 = body } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.afterTurn.withLock(\.self)?()
        }
    }

    func perform(_ body: @escaping @Sendable () -> Void) {
        traffic.begin()
        queue.async { [traffic] in
            body()
            traffic.end()
        }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// How much has happened, and how much is happening, where a test cannot see it otherwise.
final class Traffic: Sendable {
    private let counts = Mutex((begun: 0, running: 0))

    func begin() { counts.withLock { $0 = ($0.begun + 1, $0.running + 1) } }
    func end() { counts.withLock { $0.running -= 1 } }
    /// Something that takes no time.
    func happened() { counts.withLock { $0.begun += 1 } }

    var standing: (begun: Int, isIdle: Bool) { counts.withLock { ($0.begun, $0.running == 0) } }
}
