// A hub on a loop of its own with ports that write down what they are given.

import Dispatch
import Wire

@testable import Relay

/// Runs jobs one after the other, as the relay's event loop does.
final class LoopExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "loop")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Touched on the hub's executor only.
final class RecordingPort: RelayPort, @unchecked Sendable {
    var isClear = true
    var frames: [Frame] = []
    var messageSizes: [Int] = []
    var closed: CloseReason?
    var writableRequests = 0
    /// How many messages it takes before it is full; `nil`: any number.
    var room: Int?

    func send(_ batch: Batch) {
        precondition(isClear, "the hub sends only while the port is clear")
        messageSizes.append(batch.countBytes)
        frames += (try? Frame.decode(message: batch.bytes)) ?? []
        if let left = room {
            room = left - 1
            isClear = left > 1
        }
    }

    func requestWritable() { writableRequests += 1 }
    func close(_ reason: CloseReason) { closed = reason }
}

extension RelayHub {
    func perform<T: Sendable>(_ body: @Sendable (isolated RelayHub) throws -> T) rethrows -> T { try body(self) }

    func say(_ frames: [Frame], on connection: ConnectionID) {
        Frame.encode(frames).withUnsafeBytes { received($0, on: connection) }
    }
}

struct Line: Sendable {
    let hub: RelayHub
    let port: RecordingPort
    let connection: ConnectionID

    func say(_ frames: Frame...) async { await say(frames) }

    /// One message, and everything that follows from it.
    func say(_ frames: [Frame]) async {
        await hub.say(frames, on: connection)
        await hub.quiet()
    }

    var frames: [Frame] { get async { await hub.perform { _ in port.frames } } }
    var closed: CloseReason? { get async { await hub.perform { _ in port.closed } } }
    func forget() async { await hub.perform { _ in port.frames = [] } }

    func cut() async {
        await hub.disconnected(connection)
        await hub.quiet()
    }

    /// The port takes `count` messages from now on, then no more until it is called again.
    func take(_ count: Int?) async {
        await hub.perform { hub in
            port.room = count
            port.isClear = count.map { $0 > 0 } ?? true
            if port.isClear { hub.becameWritable(connection) }
        }
        await hub.quiet()
    }
}

extension RelayHub {
    /// Ends turns until nothing is under way.
    func quiet() async {
        repeat {
            endTurn()
            await settled()
            endTurn()
        } while busyCount > 0
    }

    nonisolated func connect(_ hello: Hello?, to conversation: ConversationID = home) async -> Line {
        let port = RecordingPort()
        let connection = await perform { $0.connected(port, to: conversation) }
        let line = Line(hub: self, port: port, connection: connection)
        if let hello { await line.say(.hello(hello)) }
        return line
    }
}

func withHub(
    ledger: InMemoryLedgerStore = InMemoryLedgerStore(), attachments: InMemoryAttachmentStore = InMemoryAttachmentStore(),
    settings: RelaySettings = RelaySettings(), incarnation: UInt64 = 77
) -> RelayHub {
    RelayHub(executor: LoopExecutor(), ledger: ledger, attachments: attachments, settings: settings, headroomBytes: 16, incarnation: incarnation)
}
