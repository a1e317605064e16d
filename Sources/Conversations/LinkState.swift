// When to connect, when to wait and when to give a connection up: a value that knows only times it is told.

struct LinkState: Sendable {
    enum Phase: Sendable { case idle, waiting, opening, greeting, knocking, up, leaving, closed }
    /// `open` a connection; `drop` the one there is; `check`: ping, and whatever is heard counts; `left`: the answer to `leave` is no longer waited for.
    enum Act: Sendable { case open, drop, check, left }

    /// Nothing heard for so long: the connection is dead (docs/protocol/README.md, "Heartbeats").
    static let silenceLimit: Duration = .seconds(25)
    private static let answerLimit: Duration = .seconds(5)
    private static let openingLimit: Duration = .seconds(10)
    private static let leavingLimit: Duration = .seconds(2)
    /// A connection that lasted less does not make the pauses as short as the first one.
    private static let stableAfter: Duration = .seconds(5)
    /// No more failures than this are held against whoever was let in: a relay that comes and goes is found again within 2 s.
    private static let failuresBeforeWelcomeLimit = 1
    /// A timer that fires so late was held back with the whole program: what has arrived meanwhile has not been seen yet.
    private static let heldBack: Duration = .seconds(2)

    var policy: ReconnectionPolicy
    private(set) var phase = Phase.idle
    /// Attempts in a row that came to nothing.
    private(set) var failureCount = 0
    private var deadline: Duration?
    private var upSince = Duration.zero
    private var lastHeard = Duration.zero
    private var answerDeadline: Duration?

    init(policy: ReconnectionPolicy) { self.policy = policy }

    var isUp: Bool { phase == .up }

    /// The relay has, or will have, a place for us that is ours to give up.
    var hasGreeted: Bool { phase == .greeting || phase == .up }

    /// When `tick` has to be called next; `nil`: not before something happens.
    var wakeAt: Duration? {
        guard phase == .up || phase == .knocking else { return deadline }
        let silence = lastHeard + Self.silenceLimit
        return answerDeadline.map { min($0, silence) } ?? silence
    }

    mutating func open(_ now: Duration) -> [Act] {
        phase = .opening
        deadline = now + Self.openingLimit
        return [.open]
    }

    /// The connection is open; the relay has not answered `hello`.
    mutating func greet(_ now: Duration) {
        phase = .greeting
        deadline = now + Self.openingLimit
    }

    /// The relay has answered, and a member has to let us in.
    mutating func knock(_ now: Duration) {
        welcome(now)
        phase = .knocking
    }

    mutating func welcome(_ now: Duration) {
        phase = .up
        deadline = nil
        upSince = now
        lastHeard = now
        answerDeadline = nil
    }

    mutating func heard(_ now: Duration) {
        lastHeard = now
        answerDeadline = nil
    }

    mutating func lost(_ now: Duration, random: Double) {
        if phase == .up || phase == .knocking { failureCount = now - upSince >= Self.stableAfter ? 0 : min(failureCount, Self.failuresBeforeWelcomeLimit) }
        failureCount += 1
        phase = .waiting
        deadline = now + policy.pause(afterFailures: failureCount, random: random)
    }

    /// Somebody looks, or the network is back.
    mutating func retryNow(_ now: Duration) -> [Act] {
        if phase == .waiting { return open(now) }
        guard phase == .up || phase == .knocking, answerDeadline == nil else { return [] }
        answerDeadline = now + Self.answerLimit
        return [.check]
    }

    mutating func leave(_ now: Duration) {
        phase = .leaving
        deadline = now + Self.leavingLimit
    }

    mutating func close() {
        phase = .closed
        deadline = nil
    }

    /// After `drop` comes `lost`.
    mutating func tick(_ now: Duration) -> [Act] {
        guard let due = wakeAt, now >= due else { return [] }
        switch phase {
        case .waiting: return open(now)
        case .opening, .greeting: return [.drop]
        case .leaving: return [.left]
        case .up, .knocking:
            if now - due < Self.heldBack { return [.drop] }
            lastHeard = now - Self.silenceLimit + Self.answerLimit
            answerDeadline = nil
            return retryNow(now)
        case .idle, .closed: return []
        }
    }
}
