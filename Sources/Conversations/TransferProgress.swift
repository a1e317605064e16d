// How far an upload or a download is, for whoever watches.

public struct TransferProgress: Equatable, Sendable {
    public enum Phase: Equatable, Sendable {
        /// For its uploader, or for its turn.
        case waiting
        case moving
        /// By a failure that may pass; it goes on by itself.
        case interrupted
        case done
    }

    public var phase: Phase
    /// Of the sealed body: a little more than the attachment.
    public var bytes: Int
    public var totalBytes: Int
}

/// Called from any thread, in order.
public typealias ProgressHandler = @Sendable (TransferProgress) -> Void

/// The growing pauses of one transfer.
struct RetryPause {
    /// What a relay asks for that would rather be asked later: its `Retry-After`.
    static let askedFor: Duration = .seconds(1)

    let environment: ConversationEnvironment
    private(set) var failureCount = 0

    init(_ environment: ConversationEnvironment) { self.environment = environment }

    /// Something moved: the next pause is short again.
    mutating func succeed() { failureCount = 0 }

    /// - Throws: `aborted` when the task is cancelled.
    mutating func wait(atLeast shortest: Duration = .zero) async throws(ConversationError) {
        failureCount += 1
        let pause = max(shortest, environment.reconnection.pause(afterFailures: failureCount, random: environment.random()))
        let clock = environment.clock
        do { try await clock.sleep(until: clock.now + pause) } catch { throw ConversationError(.aborted) }
    }
}
