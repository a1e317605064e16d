// What the network side counts, for /metrics.

struct ServerFigures: Equatable, Sendable {
    /// By method, route pattern and status.
    struct Key: Hashable, Sendable {
        let method: String
        let route: String
        let status: Int
    }

    var answers: [Key: UInt64] = [:]
    var connectionsRefused: UInt64 = 0
    var bodyBytesReceived: UInt64 = 0
    var bodyBytesSent: UInt64 = 0
    var partsStored: UInt64 = 0
    var partsBrokenOff: UInt64 = 0
}
