// What an operator may set of the relay's network side.

public struct ServerSettings: Sendable {
    public struct TLS: Sendable, Equatable {
        public var certificatePath: String
        public var keyPath: String
        /// A certificate that browsers do not trust by themselves: they are not told to insist on it.
        public var isSelfSigned: Bool

        public init(certificatePath: String, keyPath: String, isSelfSigned: Bool = false) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
            self.isSelfSigned = isSelfSigned
        }
    }

    /// An address of this machine, or `nil` for all of them.
    public var host: String?
    /// 0: any free port.
    public var port = 8080
    public var tls: TLS?
    /// Web pages of other origins that may use this relay.
    public var allowedOrigins: [String] = []
    public var connectionCountLimit = 4_096
    /// Connections from one address other than this machine's own.
    public var connectionCountLimitPerAddress = 1_024
    /// Requests and joins (WebSockets) from one address other than this machine's own; what is beyond is answered with 429.
    var requestRatePerAddress = AddressAllowances.Rate(perSecond: 500, burst: 5_000)
    var joinRatePerAddress = AddressAllowances.Rate(perSecond: 20, burst: 1_024)
    /// This machine's own addresses are limited like any other: without a proxy in front, which speaks for everybody.
    var limitsOwnAddresses = false
    /// For a request's head to come in whole, and for silence within a body.
    public var headTimeLimitSeconds = 15
    /// For a whole part to come in.
    public var partTimeLimitSeconds = 300
    /// For a reader that takes nothing.
    public var stalledReaderTimeLimitSeconds = 30
    /// How long a request for a part that has not begun waits for it.
    public var parkingTimeLimitSeconds = 20
    /// How long an idle connection is kept for its next request.
    public var keepAliveSeconds = 60
    /// How long a stop waits for parts that are under way.
    public var drainTimeLimitSeconds = 5
    /// Writes a line for each request.
    public var logsAccess = true

    public init() {}
}
