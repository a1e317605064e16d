// What a conversation decides and the hub carries out.

import Wire

public enum RelayAction {
    /// The connection speaks for this participant from now on.
    case admitted(ConnectionID, ParticipantID)
    /// The connection waits at the door for this participant; it may knock and no more.
    case waits(ConnectionID, ParticipantID)
    /// One message for all of them. `isReplay`: what was missed, larger perhaps than what may otherwise wait for a connection.
    case send(Batch, to: [ConnectionID], isReplay: Bool)
    /// May be dropped where it cannot be written soon.
    case sample(Batch, of: SessionID, to: [ConnectionID])
    /// Who goes from a session is told none of its samples any more, not even those that wait already.
    case withdrawSamples(SessionID, from: ConnectionID)
    /// The conversation has already forgotten the connection.
    case close(ConnectionID, CloseReason)
    /// To be done in order, one after the other; answered with `storeAnswered`.
    case store(StoreRequest)
    /// To be read once little waits for the connection; answered with `pageRead`.
    case readPage(PageRequest)
    /// Somebody outside waits for a removal: true, done; false, the disk did not do it.
    case removalAnswered(RemovalWaiter, done: Bool)
    /// Nothing of the conversation is left, here or on the disk.
    case over
}

public struct StoreRequest: Equatable, Sendable {
    public enum Work: Equatable, Sendable {
        case create(tokenDigest: [UInt8])
        /// `syncsBody`: first bring its body to the disk.
        case put(StoredEntry, syncsBody: Bool)
        case remove(SessionID, EntryID, hasBody: Bool)
        /// Its ledger and its announcement, both or neither.
        case removeSession(SessionID)
        case removeBodies(SessionID)
        case removeConversation
        case setDoor(StoredDoor)
    }

    public let ticket: UInt64
    public let work: Work
}

public struct PageRequest: Equatable, Sendable {
    public let connection: ConnectionID
    public let participant: ParticipantID
    public let session: SessionID
    public let after: UInt64
    /// A later `enter` makes the pages of an earlier one worthless.
    let run: UInt64
}

/// Names someone who waits for a removal from outside the conversation.
public struct RemovalWaiter: Hashable, Sendable {
    let number: UInt64
}
