// What the relay has freed goes back to the machine: the allocator would keep the most that a crowd has ever needed.

import CLinux
import Dispatch

/// While it lives it looks twice a minute, on a thread of its own.
final class SpareMemory {
    private static let pauseSeconds = 30
    /// Less is worth keeping for the next burst.
    private static let spareBytes = 8 << 20

    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "hearth.memory", qos: .utility))

    init() {
        timer.setEventHandler { clinux_give_back_memory(Self.spareBytes) }
        timer.schedule(deadline: .now() + .seconds(Self.pauseSeconds), repeating: .seconds(Self.pauseSeconds), leeway: .seconds(5))
        timer.activate()
    }

    deinit { timer.cancel() }
}
