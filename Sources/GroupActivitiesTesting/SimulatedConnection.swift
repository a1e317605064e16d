// One connection between a participant and the relay in the same process, over a network that may be poor.

import Conversations
import Relay
import Synchronization
import Wire

final class SimulatedConnection: RelayConnection {
    private struct State {
        var id: ConnectionID?
        var isOver = false
        /// When the last message in either direction arrives: none overtakes it.
        var upArrival = Duration.zero
        var downArrival = Duration.zero
    }

    let events: AsyncStream<RelayConnectionEvent>
    private let continuation: AsyncStream<RelayConnectionEvent>.Continuation
    private let hub: RelayHub
    private let executor: RelayExecutor
    private let network: SimulatedNetwork
    private let name: String
    private let state = Mutex(State())

    var waitingBytes: Int { 0 }

    init(of name: String, hub: RelayHub, executor: RelayExecutor, network: SimulatedNetwork) {
        (events, continuation) = AsyncStream.makeStream()
        self.name = name
        self.hub = hub
        self.executor = executor
        self.network = network
    }

    private func turn(_ body: @escaping @Sendable (isolated RelayHub) -> Void) {
        executor.perform { [hub] in
            hub.assumeIsolated {
                body($0)
                $0.endTurn()
            }
        }
    }

    func open(_ conversation: ConversationID) {
        turn { hub in
            guard !self.state.withLock(\.isOver) else { return }
            let id = hub.connected(SimulatedPort(self), to: conversation)
            self.state.withLock { $0.id = id }
            self.yield(.opened)
        }
    }

    func send(_ message: [UInt8]) {
        let frames = (try? Frame.decode(message: message)) ?? []
        network.story.tell(name, sends: frames)
        if network.breaksNow() { return cut() }
        travel(.up, isAwaited: frames.contains { $0.isOfInterest }) { [self] in
            turn { hub in
                guard let id = self.state.withLock({ $0.isOver ? nil : $0.id }) else { return }
                message.withUnsafeBytes { hub.received($0, on: id) }
            }
        }
    }

    func close() {
        travel(.up) { [self] in executor.perform { self.end(1000) } }
    }

    /// At once, and what was on its way is lost.
    func cut() {
        guard !state.withLock(\.isOver) else { return }
        network.story.tell("the connection of \(name) is cut")
        end(1006)
    }

    fileprivate func received(_ message: [UInt8]) {
        guard let message = network.rewritten(message, to: name) else { return }
        travel(.down, isAwaited: ((try? Frame.decode(message: message)) ?? []).contains { $0.isOfInterest }) { [self] in
            if !state.withLock(\.isOver) { yield(.message(message)) }
        }
    }

    fileprivate func closed(_ reason: CloseReason) {
        travel(.down) { [self] in end(reason.rawValue) }
    }

    private enum Way { case up, down }

    /// Does it now, or when the message arrives.
    private func travel(_ way: Way, isAwaited: Bool = true, _ body: @escaping @Sendable () -> Void) {
        let now = network.clock.now
        let arrival = now + network.delay()
        let at = state.withLock { state in
            switch way {
            case .up:
                state.upArrival = max(arrival, state.upArrival)
                return state.upArrival
            case .down:
                state.downArrival = max(arrival, state.downArrival)
                return state.downArrival
            }
        }
        if at <= now { body() } else { network.clock.schedule(at: at, isAwaited: isAwaited, body) }
    }

    private func yield(_ event: RelayConnectionEvent) {
        network.traffic.happened()
        continuation.yield(event)
    }

    private func end(_ code: UInt16) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        yield(.closed(code: code))
        continuation.finish()
        turn { hub in
            guard let id = self.state.withLock(\.id) else { return }
            hub.disconnected(id)
        }
    }
}

private final class SimulatedPort: RelayPort {
    private let connection: SimulatedConnection

    init(_ connection: SimulatedConnection) { self.connection = connection }

    var isClear: Bool { true }

    func send(_ batch: Batch) { connection.received(Array(UnsafeRawBufferPointer(start: batch.payload, count: batch.countBytes))) }

    func requestWritable() {}

    func close(_ reason: CloseReason) { connection.closed(reason) }
}

extension Frame {
    /// Not one of those that go back and forth for ever: signs of life, receipts, and samples, which are worth nothing when they are late.
    fileprivate var isOfInterest: Bool {
        switch self {
        case .ping, .pong, .acknowledge, .stable, .sample, .sampled: false
        default: true
        }
    }
}
