// A door that opens once: whoever comes before waits, whoever comes after passes.

import Synchronization

final class Gate<Value: Sendable>: Sendable {
    private enum State {
        case shut([CheckedContinuation<Value, Never>])
        case open(Value)
    }

    private let state = Mutex(State.shut([]))

    var isOpen: Bool { state.withLock { if case .open = $0 { true } else { false } } }

    /// The first call counts.
    func open(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .shut(let waiting) = state else { return [] }
            state = .open(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    func pass() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                switch state {
                case .open(let value): return value
                case .shut(let waiting):
                    state = .shut(waiting + [continuation])
                    return nil
                }
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
