// The first Ctrl-C, or SIGTERM, lets a command leave properly; the second ends it at once.

import Foundation
import Glibc
import Synchronization

final class Interruption: Sendable {
    private let state = Mutex<(isOver: Bool, actions: [@Sendable () -> Void])>((false, []))

    init(_ signals: StopSignals) {
        Thread.detachNewThread { [weak self] in
            signals.wait()
            self?.interrupt()
            signals.wait()
            _exit(Program.Exit.interrupted.rawValue)
        }
    }

    /// Never interrupted by itself.
    init() {}

    var isInterrupted: Bool { state.withLock(\.isOver) }

    /// The action is done once, at once when it is too late to wait.
    func whenInterrupted(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.actions.append(action) }
            return state.isOver
        }
        if isOver { action() }
    }

    func interrupt() {
        let actions = state.withLock { state in
            defer { state = (true, []) }
            return state.actions
        }
        for action in actions { action() }
    }
}
