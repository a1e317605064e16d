// Time and chance, handed in from outside, so that a simulation can own them.

/// A monotonic clock. May be used from any thread.
public protocol ConversationClock: Sendable {
    /// Since some moment that does not move.
    var now: Duration { get }
    /// Throws only when the task is cancelled.
    func sleep(until deadline: Duration) async throws
}

/// The machine's own time, which goes on while it sleeps.
public struct SystemClock: ConversationClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Duration { ContinuousClock.now - start }

    public func sleep(until deadline: Duration) async throws { try await ContinuousClock().sleep(until: start + deadline) }
}

public struct ConversationEnvironment: Sendable {
    public var clock: any ConversationClock
    /// From 0 to 1, for the jitter of pauses. Keys never come from here.
    public var random: @Sendable () -> Double
    public var reconnection: ReconnectionPolicy

    public init(
        clock: any ConversationClock = SystemClock(), random: @escaping @Sendable () -> Double = { .random(in: 0...1) }, reconnection: ReconnectionPolicy = ReconnectionPolicy()
    ) {
        self.clock = clock
        self.random = random
        self.reconnection = reconnection
    }
}
