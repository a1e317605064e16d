// The way to a relay, as a role: whatever carries frames and parts can stand behind it, a network or a test.

import Wire

public enum RelayConnectionEvent: Equatable, Sendable {
    case opened
    /// One binary message.
    case message([UInt8])
    /// The last event. 1006: it came to nothing, or ended without a word.
    case closed(code: UInt16)
}

/// One connection for frames. May be used from any thread.
public protocol RelayConnection: AnyObject, Sendable {
    /// For one reader: `opened` at most once, then messages in order, then `closed` exactly once.
    var events: AsyncStream<RelayConnectionEvent> { get }
    /// Given to `send` and not yet taken by the network.
    var waitingBytes: Int { get }
    /// One binary message of at most `Limits.socketMessageSizeLimitBytes`, in order of the calls. After the end it does nothing.
    func send(_ message: [UInt8])
    /// Ends it after what was given to `send`; `closed` follows.
    func close()
}

/// Where an attachment stands.
public struct AttachmentAddress: Hashable, Sendable {
    public var conversation: ConversationID
    public var session: SessionID
    public var entry: EntryID

    public init(conversation: ConversationID, session: SessionID, entry: EntryID) {
        self.conversation = conversation
        self.session = session
        self.entry = entry
    }
}

/// Why a request for a part came to nothing (docs/protocol/attachments.md).
public enum PartFailure: Error, Equatable, Sendable {
    /// The relay does not answer, something in between did, or what came was cut off.
    case unreachable
    /// The part has not begun to come.
    case notYetThere
    /// Another request is storing it.
    case beingStored
    /// No such conversation, session or attachment.
    case gone
    case notInvited
    case diskFull
    /// Refused for good: the status tells.
    case refused(status: Int)
    /// Something in front of the relay takes no body of this size, or none without another header: the status tells. It will not take it later either.
    case refusedByProxy(status: Int)
}

/// What the relay holds of a body.
public struct BodyStanding: Equatable, Sendable {
    public var bodySizeBytes: Int
    public var missingParts: [Int]

    public init(bodySizeBytes: Int, missingParts: [Int]) {
        self.bodySizeBytes = bodySizeBytes
        self.missingParts = missingParts
    }
}

/// The way to one relay. May be used from any thread.
public protocol RelayTransport: Sendable {
    /// Begins to connect; whether it came to something is told by the connection's events.
    func connect(to conversation: ConversationID) -> any RelayConnection
    /// Stores a part. Returns when the relay has it, or had it already.
    func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure)
    /// The bytes of a part as they come, in pieces of any length; ends by an error of the kind `PartFailure` unless all of it came.
    func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error>
    func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding
}
