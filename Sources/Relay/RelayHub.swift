// The relay's rules in motion: holds the conversations, carries out what they decide, and knows neither sockets nor disks.

import Wire

/// Names one connection for as long as the hub knows it.
public struct ConnectionID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// What the HTTP side may know of an attachment that is announced and not on its way out.
public struct AttachmentHead: Equatable, Sendable {
    public let bodyLengthBytes: Int
    public let partCount: Int
    public let isBodyComplete: Bool
    public let heldParts: Set<Int>
}

/// What is about to be erased: readers and uploads of it are to be cut off before the hub goes on.
public enum RelayErasure: Equatable, Sendable {
    case attachment(AttachmentName)
    case session(SessionID, ConversationID)
    case conversation(ConversationID)
}

public actor RelayHub {
    public nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: the loop on which every synchronous call below is made (through `assumeIsolated`).
    ///   - headroomBytes: spare bytes that the transport wants in front of each batch.
    ///   - incarnation: a random number, never 0, new in each life of the process.
    public init(
        executor: any SerialExecutor, ledger: any LedgerStore, attachments: any AttachmentStore, settings: RelaySettings, headroomBytes: Int,
        incarnation: UInt64
    ) {
        self.executor = executor
    }

    /// Takes up the conversations kept from before and sweeps bodies that no entry names. Call once, before the first connection.
    public func load() async throws(StoreError) {}

    // MARK: Connections (synchronous, on the executor)

    public func connected(_ port: any RelayPort, to conversation: ConversationID) -> ConnectionID { ConnectionID(slot: 0, generation: 0) }
    /// One whole binary WebSocket message. The bytes are not kept.
    public func received(_ message: UnsafeRawBufferPointer, on connection: ConnectionID) {}
    /// A text message or anything else that cannot be a frame: the connection is closed with 4100.
    public func receivedGarbage(on connection: ConnectionID) {}
    /// A message larger than `Limits.socketMessageSizeLimitBytes`: the connection is closed with 4108.
    public func receivedTooLarge(on connection: ConnectionID) {}
    public func becameWritable(_ connection: ConnectionID) {}
    public func disconnected(_ connection: ConnectionID) {}
    /// Called once before the loop waits: sends what was batched in this turn.
    public func endTurn() {}
    /// Called about once a second with a monotonic time.
    public func tick(nowNanoseconds: UInt64) {}
    /// Closes every connection with 4200 and every later one at once.
    public func drain() {}

    // MARK: HTTP

    /// False for an unknown conversation. Compares digests in constant time.
    public func authorizes(_ token: [UInt8], for conversation: ConversationID) -> Bool { false }
    /// `nil`: no such attachment, or it is on its way out.
    public func attachment(_ name: AttachmentName) -> AttachmentHead? { nil }
    /// To be called after `PartUpload.publish`.
    public func partStored(_ part: PartName) {}
    /// Does what the frame `remove` does. False: no such attachment. Throws when the disk did not do it; the attachment then stands.
    public func removeAttachment(_ name: AttachmentName) async throws(StoreError) -> Bool { false }
    /// `handler` runs on the hub's executor, before the erasure begins. It must not call back into the hub.
    public func onErase(_ handler: @escaping @Sendable (RelayErasure) -> Void) {}

    public var figures: RelayFigures { RelayFigures() }
}
