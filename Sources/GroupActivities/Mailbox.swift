// What one messenger has received: given to whoever reads it, and kept for whoever will.

import Sealing
import Synchronization

final class Mailbox: Sendable {
    /// Messages that nobody has asked for yet; the oldest go first.
    static let unclaimedLimit = 4_096

    private struct State {
        var readers: [MessageKey: [UInt64: AsyncStream<Letter>.Continuation]] = [:]
        var unclaimed: [Letter] = []
        var lastNumber: UInt64 = 0
        var isClosed = false
    }

    let isReliable: Bool
    let notices: NoticeBoard
    let onWork: @Sendable () -> Void
    /// Whether messages come already.
    private let isOpen: @Sendable () -> Bool
    private let state = Mutex(State())

    init(isReliable: Bool, notices: NoticeBoard, onWork: @escaping @Sendable () -> Void, isOpen: @escaping @Sendable () -> Bool) {
        self.isOpen = isOpen
        self.isReliable = isReliable
        self.notices = notices
        self.onWork = onWork
    }

    func receive(_ letter: Letter) {
        guard let key = MessageKey(letter.content) else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            if let readers = state.readers[key], !readers.isEmpty {
                for reader in readers.values { reader.yield(letter) }
            } else {
                state.unclaimed.append(letter)
                if state.unclaimed.count > Self.unclaimedLimit { state.unclaimed.removeFirst() }
            }
        }
    }

    /// The first reader of a kind gets what was kept for it.
    func open(_ key: MessageKey) -> (AsyncStream<Letter>, UInt64) {
        let (stream, continuation) = AsyncStream.makeStream(of: Letter.self)
        let (number, waited) = state.withLock { state in
            state.lastNumber += 1
            var waited = 0
            if state.readers[key]?.isEmpty ?? true {
                for letter in state.unclaimed where MessageKey(letter.content) == key { continuation.yield(letter) }
                waited = state.unclaimed.count
                state.unclaimed.removeAll { MessageKey($0.content) == key }
                waited -= state.unclaimed.count
            }
            if state.isClosed { continuation.finish() } else { state.readers[key, default: [:]][state.lastNumber] = continuation }
            return (state.lastNumber, waited)
        }
        // Apple's devices would have dropped them.
        if waited > 0, isOpen() { notices.tell(.observedAfterJoin) }
        return (stream, number)
    }

    func close(_ number: UInt64, _ key: MessageKey) {
        let reader = state.withLock { $0.readers[key]?.removeValue(forKey: number) }
        reader?.finish()
    }

    /// The session is over: what was received can still be read.
    func close() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            state.isClosed = true
            return state.readers.values.flatMap(\.values)
        }
        for reader in readers { reader.finish() }
    }
}
