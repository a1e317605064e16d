// What transfers are made of in tests, what holds them up and what watches them.

import Conversations
import Relay
import Synchronization

/// Holds up whoever comes while it is shut.
final class Gate: Sendable {
    private let state = Mutex((isShut: false, waiting: 0))
    private let changes = Changes()

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
        state.withLock { $0.isShut = false }
        changes.happened()
    }

    func pass() async {
        state.withLock { $0.waiting += 1 }
        changes.happened()
        for await _ in changes.stream() where !state.withLock(\.isShut) { break }
        state.withLock { $0.waiting -= 1 }
    }

    /// Somebody stands before it.
    func untilWaitedAt() async { for await _ in changes.stream() where state.withLock({ $0.isShut && $0.waiting > 0 }) { return } }
}

/// As many bytes as are asked for, none of them kept.
struct EndlessSource: AttachmentSource {
    let sizeBytes: Int
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: offset)) }
}

/// Counts what it is given and keeps none of it.
final class CountingSink: AttachmentSink {
    private let state = Mutex((count: 0, isFinished: false))
    var count: Int { state.withLock(\.count) }
    var isFinished: Bool { state.withLock(\.isFinished) }
    func write(_ bytes: UnsafeRawBufferPointer) { state.withLock { $0.count += bytes.count } }
    func finish() { state.withLock { $0.isFinished = true } }
    func abandon() {}
}

final class ProgressLog: Sendable {
    private let log = Mutex<[TransferProgress]>([])
    private let changes = Changes()

    var all: [TransferProgress] { log.withLock(\.self) }

    func add(_ progress: TransferProgress) {
        log.withLock { $0.append(progress) }
        changes.happened()
    }

    func until(_ claim: (TransferProgress) -> Bool) async { for await _ in changes.stream() where all.contains(where: claim) { return } }
}

/// A relay with settings of its own.
struct RelaySettingsBox {
    var conversationQuotaBytes = 4 << 30

    var relay: InMemoryRelay {
        var settings = RelaySettings()
        settings.conversationQuotaBytes = conversationQuotaBytes
        return InMemoryRelay(settings: settings)
    }
}
