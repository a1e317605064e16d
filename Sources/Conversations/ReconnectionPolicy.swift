// How long to wait before the next attempt, so that neither a relay nor a battery is worn out by trying.

/// Pauses drawn evenly from a span that doubles: those who lost the relay at one moment do not come back at one.
public struct ReconnectionPolicy: Equatable, Sendable {
    /// A relay that was restarted is not there sooner.
    public var shortestPause: Duration = .milliseconds(250)
    /// Of the pause after the first failure. A thousand who come back within it are no burden to a relay.
    public var firstLongestPause: Duration = .seconds(1)
    /// Short enough that everybody is back within 5 s of a relay's return, however long it was away.
    public var longestPause: Duration = .seconds(4)
    /// Before the relay has answered for the first time, so many attempts; then whoever waits is told.
    public var firstAttemptCountLimit = 4

    public init() {}

    /// - Parameters:
    ///   - failureCount: how many attempts in a row have failed, from 1.
    ///   - random: from 0 to 1.
    public func pause(afterFailures failureCount: Int, random: Double) -> Duration {
        let ceiling = min(longestPause, firstLongestPause * (1 << min(max(failureCount - 1, 0), 20)))
        return shortestPause + max(.zero, ceiling - shortestPause) * min(max(random, 0), 1)
    }
}
