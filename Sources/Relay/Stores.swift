// Where ledgers and bodies are kept, as roles. Each role has one contract test suite that every implementation passes
// (embedded: SQLite and plain files, in RelayStorage; in memory, for tests).

import Wire

/// An attachment's place: its entry has the same name.
public struct AttachmentName: Hashable, Sendable {
    public let conversation: ConversationID
    public let session: SessionID
    public let entry: EntryID

    public init(conversation: ConversationID, session: SessionID, entry: EntryID) {
        self.conversation = conversation
        self.session = session
        self.entry = entry
    }
}

public struct PartName: Hashable, Sendable {
    public let attachment: AttachmentName
    public let number: Int

    public init(attachment: AttachmentName, number: Int) {
        self.attachment = attachment
        self.number = number
    }
}

public enum StoreError: Error, Equatable, Sendable {
    /// The disk is full or the quota of the file system is reached.
    case full
    /// Anything else that the operating system or the database said, for the log.
    case failed(String)
}

/// An entry as it is kept.
public struct StoredEntry: Equatable, Sendable {
    public var session: SessionID
    public var entry: EntryID
    public var putter: ParticipantID
    /// Grows with every stored entry, over all conversations and restarts. 0 in an entry that is still to be stored.
    public var version: UInt64
    public var isPresenceBound: Bool
    public var isBodyComplete: Bool
    /// Sealed bytes of the body; 0 for an entry without one.
    public var bodyLengthBytes: Int
    public var sealed: [UInt8]

    public init(session: SessionID, entry: EntryID, putter: ParticipantID, version: UInt64 = 0, isPresenceBound: Bool = false, isBodyComplete: Bool = false, bodyLengthBytes: Int = 0, sealed: [UInt8])
    {
        self.session = session
        self.entry = entry
        self.putter = putter
        self.version = version
        self.isPresenceBound = isPresenceBound
        self.isBodyComplete = isBodyComplete
        self.bodyLengthBytes = bodyLengthBytes
        self.sealed = sealed
    }
}

public struct StoredConversation: Equatable, Sendable {
    public var id: ConversationID
    /// SHA-256 of the relay token.
    public var tokenDigest: [UInt8]
    /// All entries, without their sealed bytes (`sealed` is empty; `sealedSizeBytes` tells how many there are).
    public var entries: [StoredEntryHead]
    /// The last one that was set.
    public var door: StoredDoor?
    /// Sessions that were removed, in that order: the last `Limits.endedSessionCountLimit`, each once.
    public var endedSessions: [SessionID]

    public init(id: ConversationID, tokenDigest: [UInt8], entries: [StoredEntryHead], door: StoredDoor? = nil, endedSessions: [SessionID] = []) {
        self.id = id
        self.tokenDigest = tokenDigest
        self.entries = entries
        self.door = door
        self.endedSessions = endedSessions
    }
}

/// What the relay's memory keeps of an entry.
public struct StoredEntryHead: Equatable, Sendable {
    public var session: SessionID
    public var entry: EntryID
    public var putter: ParticipantID
    public var version: UInt64
    public var isPresenceBound: Bool
    public var isBodyComplete: Bool
    public var bodyLengthBytes: Int
    public var sealedSizeBytes: Int

    public init(_ entry: StoredEntry) {
        session = entry.session
        self.entry = entry.entry
        putter = entry.putter
        version = entry.version
        isPresenceBound = entry.isPresenceBound
        isBodyComplete = entry.isBodyComplete
        bodyLengthBytes = entry.bodyLengthBytes
        sealedSizeBytes = entry.sealed.count
    }
}

/// Keeps conversations and their ledgers. What a call has returned from survives the death of the process and of the machine.
public protocol LedgerStore: Sendable {
    /// Everything that was kept, at start.
    func conversations() async throws(StoreError) -> [StoredConversation]
    func create(_ conversation: ConversationID, tokenDigest: [UInt8]) async throws(StoreError)
    /// Stores or replaces; returns the version given.
    func put(_ entry: StoredEntry, in conversation: ConversationID) async throws(StoreError) -> UInt64
    func remove(_ entry: EntryID, session: SessionID, in conversation: ConversationID) async throws(StoreError)
    /// Its entries and its announcement (the entry of the own session that has its name), both or neither; its name is among `endedSessions` from then on.
    func removeSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError)
    func removeConversation(_ conversation: ConversationID) async throws(StoreError)
    /// Replaces the one that was set before. It goes with the conversation.
    func setDoor(_ door: StoredDoor, in conversation: ConversationID) async throws(StoreError)
    /// Entries of a session with a version above `version`, in order of version, until `limitBytes` of sealed bytes are reached (at least one, if there is one).
    func page(of session: SessionID, in conversation: ConversationID, after version: UInt64, limitBytes: Int) async throws(StoreError) -> [StoredEntry]
}

/// Keeps bodies, part by part. A part that is there is whole; it survives the death of the process once `PartUpload.publish` has returned.
public protocol AttachmentStore: Sendable {
    /// Starts a part of exactly `lengthBytes`. Nothing is to be seen of it by others before `publish`.
    func beginPart(_ part: PartName, lengthBytes: Int) throws(StoreError) -> any PartUpload
    /// A reader of a whole part; `nil` if it is not held.
    func openPart(_ part: PartName) -> (any PartReader)?
    /// The numbers of the parts held.
    func heldParts(of attachment: AttachmentName) async throws(StoreError) -> Set<Int>
    /// Returns once every part held is on the disk itself, not only with the operating system.
    func sync(_ attachment: AttachmentName) async throws(StoreError)
    func erase(_ attachment: AttachmentName) async throws(StoreError)
    func eraseSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError)
    func eraseConversation(_ conversation: ConversationID) async throws(StoreError)
    /// Every attachment of which something is held: at start, what has no entry is swept away.
    func attachments() async throws(StoreError) -> [AttachmentName]
}

/// One part on its way in. Blocking calls: used on a disk thread.
public protocol PartUpload: Sendable {
    /// Appends. Throws `.full` when the disk does not take it.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError)
    /// Makes the part visible under its name; all its bytes have been written.
    func publish() throws(StoreError)
    /// Drops what was written. Safe to call at any time, also after a failure.
    func abandon()
    /// Reads what has been written so far (cut-through).
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// One whole part. Blocking calls, short: the bytes are most often in the page cache.
public protocol PartReader: Sendable {
    var lengthBytes: Int { get }
    /// Returns the number of bytes read; 0 at the end or on failure.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
