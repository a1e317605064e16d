// Threads that wait for the disk, so that the loop never does. One upload's work stays on one of them, in order.

import Dispatch
import Synchronization

final class DiskThreads: Sendable {
    private let queues: [DispatchQueue]
    private let next = Atomic<Int>(0)

    init(count: Int) { queues = (0..<count).map { DispatchQueue(label: "hearth.disk.\($0)") } }

    /// A queue for one upload.
    func assign() -> DispatchQueue { queues[next.wrappingAdd(1, ordering: .relaxed).oldValue % queues.count] }
}
