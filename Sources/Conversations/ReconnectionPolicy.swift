// How long to wait before the next attempt, so that neither a relay nor a battery is worn out by trying.

/// Exponential pauses with full jitter.
public struct ReconnectionPolicy: Equatable, Sendable {
    public var shortestPause: Duration = .milliseconds(250)
    /// Short enough that everybody is back within 5 s of a relay's return, however long it was away.
    public var longestPause: Duration = .seconds(4)
    /// Before the relay has answered for the first time, so many attempts; then whoever waits is told.
    public var firstAttemptCountLimit = 4

    public init() {}

    /// - Parameters:
    ///   - failureCount: how many attempts in a row have failed, from 1.
    ///   - random: from 0 to 1.
    public func pause(afterFailures failureCount: Int, random: Double) -> Duration {
        let ceiling = min(longestPause, shortestPause * (1 << min(max(failureCount, 0), 20)))
        return max(shortestPause, ceiling * min(max(random, 0), 1))
    }
}
