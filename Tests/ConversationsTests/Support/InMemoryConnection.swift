// One connection to the relay core in the same process.

import Conversations
import Relay
import Synchronization
import Wire

final class InMemoryConnection: RelayConnection {
    private struct State {
        var id: ConnectionID?
        var isOver = false
    }

    let events: AsyncStream<RelayConnectionEvent>
    private let continuation: AsyncStream<RelayConnectionEvent>.Continuation
    private let hub: RelayHub
    private let executor: TurnExecutor
    private let state = Mutex(State())
    private let rewrite: (@Sendable (Frame) -> [Frame])?

    var waitingBytes: Int { 0 }

    init(hub: RelayHub, executor: TurnExecutor, rewrite: (@Sendable (Frame) -> [Frame])?) {
        (events, continuation) = AsyncStream.makeStream()
        self.hub = hub
        self.executor = executor
        self.rewrite = rewrite
    }

    private func turn(_ body: @escaping @Sendable (isolated RelayHub) -> Void) {
        executor.queue.async { [hub] in
            hub.assumeIsolated {
                body($0)
                $0.endTurn()
            }
        }
    }

    func open(_ conversation: ConversationID) {
        turn { hub in
            guard !self.state.withLock(\.isOver) else { return }
            let id = hub.connected(InMemoryPort(self), to: conversation)
            self.state.withLock { $0.id = id }
            self.continuation.yield(.opened)
        }
    }

    func send(_ message: [UInt8]) {
        turn { hub in
            guard let id = self.state.withLock({ $0.isOver ? nil : $0.id }) else { return }
            message.withUnsafeBytes { hub.received($0, on: id) }
        }
    }

    func close() {
        // After what was sent before.
        executor.queue.async { self.end(1000) }
    }

    /// At once, and what was on its way is lost.
    func cut() { end(1006) }

    fileprivate func received(_ message: [UInt8]) {
        guard !state.withLock(\.isOver) else { return }
        guard let rewrite, let frames = try? Frame.decode(message: message) else {
            continuation.yield(.message(message))
            return
        }
        let rewritten = frames.flatMap(rewrite)
        if !rewritten.isEmpty { continuation.yield(.message(Frame.encode(rewritten))) }
    }

    fileprivate func closed(_ reason: CloseReason) { end(reason.rawValue) }

    private func end(_ code: UInt16) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        continuation.yield(.closed(code: code))
        continuation.finish()
        turn { hub in
            guard let id = self.state.withLock(\.id) else { return }
            hub.disconnected(id)
        }
    }
}

private final class InMemoryPort: RelayPort {
    private let connection: InMemoryConnection

    init(_ connection: InMemoryConnection) { self.connection = connection }

    var isClear: Bool { true }

    func send(_ batch: Batch) { connection.received(Array(UnsafeRawBufferPointer(start: batch.payload, count: batch.countBytes))) }

    func requestWritable() {}

    func close(_ reason: CloseReason) { connection.closed(reason) }
}
