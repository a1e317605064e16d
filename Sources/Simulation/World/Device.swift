// A person's machine: its network may be away and its programs may be frozen, both without their knowing.

import Conversations

/// Used on the world's thread only.
final class Device: @unchecked Sendable {
    let index: Int
    let name: String
    private let loop: EventLoop
    private var offlineUntil = Duration.zero
    private var frozenUntil = Duration.zero
    private var held: [() -> Void] = []
    var lineCount = 0

    init(index: Int, loop: EventLoop) {
        self.index = index
        self.loop = loop
        name = Self.name(index)
    }

    static func name(_ index: Int) -> String {
        let names = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Leo", "Mia", "Nils", "Ola", "Pia"]
        return index < names.count ? names[index] : "Guest \(index + 1)"
    }

    var isOffline: Bool { loop.now < offlineUntil }
    var isFrozen: Bool { loop.now < frozenUntil }

    func goOffline(for time: Duration) { offlineUntil = max(offlineUntil, loop.now + time) }

    func freeze(for time: Duration) {
        frozenUntil = max(frozenUntil, loop.now + time)
        loop.at(frozenUntil) { [self] in thaw() }
    }

    func recover() {
        offlineUntil = .zero
        frozenUntil = .zero
        thaw()
    }

    private func thaw() {
        guard !isFrozen else { return }
        let waiting = held
        held = []
        for body in waiting { body() }
    }

    /// Now, or once the programs run again.
    func whenAwake(_ body: @escaping () -> Void) { if isFrozen { held.append(body) } else { body() } }
}

/// The clock of one device: who sleeps while it is frozen wakes with it.
final class DeviceClock: ConversationClock, @unchecked Sendable {
    private final class Sleeper: @unchecked Sendable {
        var continuation: CheckedContinuation<Void, any Error>?
        var isCancelled = false

        func wake(_ result: Result<Void, any Error>) {
            continuation?.resume(with: result)
            continuation = nil
        }
    }

    private let loop: EventLoop
    private let device: Device

    init(_ loop: EventLoop, _ device: Device) {
        self.loop = loop
        self.device = device
    }

    var now: Duration { loop.now }

    func sleep(until deadline: Duration) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeper.continuation = continuation
                if sleeper.isCancelled || Task.isCancelled { return sleeper.wake(.failure(CancellationError())) }
                loop.at(deadline) { [device] in device.whenAwake { sleeper.wake(.success(())) } }
            }
        } onCancel: {
            sleeper.isCancelled = true
            sleeper.wake(.failure(CancellationError()))
        }
    }
}
