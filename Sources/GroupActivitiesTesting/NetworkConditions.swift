// How good the simulated network is.

/// What happens to everything on its way between participants and the relay. What one participant sends stays in order, as on any
/// connection; what several send overtakes each other as delays will have it.
public struct NetworkConditions: Sendable {
    /// Each message takes a time from this range, on the virtual clock.
    public var delay: ClosedRange<Duration>
    /// How many of the unreliable messages are lost, from 0 to 1.
    public var unreliableLoss: Double
    /// How likely it is that a connection breaks at a message, from 0 to 1; what was on its way is lost with it.
    public var cutLikelihood: Double

    public init(delay: ClosedRange<Duration> = .zero...(.zero), unreliableLoss: Double = 0, cutLikelihood: Double = 0) {
        self.delay = delay
        self.unreliableLoss = unreliableLoss
        self.cutLikelihood = cutLikelihood
    }

    /// Nothing takes time and nothing is lost.
    public static let ideal = NetworkConditions()
    /// A telephone on a train.
    public static let poor = NetworkConditions(delay: .milliseconds(20)...(.milliseconds(900)), unreliableLoss: 0.3, cutLikelihood: 0.02)
}
