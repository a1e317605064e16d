// What the relay counts, for /metrics. Numbers only: no identifier of anything.

import Wire

public struct RelayFigures: Sendable, Equatable {
    // Now.
    public var conversations = 0
    public var sessions = 0
    public var participants = 0
    public var connections = 0
    /// At a door.
    public var waiting = 0
    /// Sealed entries and bodies, reserved or stored.
    public var reservedBytes = 0
    /// Kept in logs for those who may come back.
    public var logBytes = 0

    // Since the start.
    public var connectionsOpened: UInt64 = 0
    public var records: UInt64 = 0
    public var samples: UInt64 = 0
    /// Samples that some connection was too slow for.
    public var samplesDropped: UInt64 = 0
    public var entries: UInt64 = 0
    public var removals: UInt64 = 0
    public var refused: UInt64 = 0
    public var knocks: UInt64 = 0
    public var storeFailures: UInt64 = 0
    public var receivedBytes: UInt64 = 0
    /// WebSocket messages and bytes handed to transports.
    public var sentBatches: UInt64 = 0
    public var sentBytes: UInt64 = 0
    public var closed: [CloseReason: UInt64] = [:]

    public init() {}
}
