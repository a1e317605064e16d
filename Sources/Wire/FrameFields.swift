// The values that frames are made of, beside names and numbers.

public struct Hello: Equatable, Sendable {
    /// Where a returning participant stands in a session.
    public struct Place: Equatable, Sendable {
        public var session: SessionID
        public var sequence: UInt64

        public init(session: SessionID, sequence: UInt64) {
            self.session = session
            self.sequence = sequence
        }
    }

    public static let version: UInt8 = 1
    public static let tokenSizeBytes = 32
    public static let passSizeBytes = 32

    /// Make the conversation if there is none.
    public var create: Bool
    public var participant: ParticipantID
    public var secret: Bytes16
    /// 32 bytes.
    public var relayToken: [UInt8]
    /// 0: the first time.
    public var incarnation: UInt64
    public var places: [Place]
    /// 32 bytes that let past the door, from who has been told them by it.
    public var pass: [UInt8]?

    public init(
        create: Bool = false, participant: ParticipantID, secret: Bytes16, relayToken: [UInt8], incarnation: UInt64 = 0, places: [Place] = [], pass: [UInt8]? = nil
    ) {
        self.create = create
        self.participant = participant
        self.secret = secret
        self.relayToken = relayToken
        self.incarnation = incarnation
        self.places = places
        self.pass = pass
    }
}

public struct Welcome: Equatable, Sendable {
    public var resumed: Bool
    public var created: Bool
    public var incarnation: UInt64
    public var heartbeatSeconds: UInt16
    public var silenceSeconds: UInt16
    public var resumeWindowSeconds: UInt32
    public var graceSeconds: UInt32
    public var conversationQuotaBytes: UInt64

    public init(
        resumed: Bool, created: Bool, incarnation: UInt64, heartbeatSeconds: UInt16, silenceSeconds: UInt16, resumeWindowSeconds: UInt32, graceSeconds: UInt32,
        conversationQuotaBytes: UInt64
    ) {
        self.resumed = resumed
        self.created = created
        self.incarnation = incarnation
        self.heartbeatSeconds = heartbeatSeconds
        self.silenceSeconds = silenceSeconds
        self.resumeWindowSeconds = resumeWindowSeconds
        self.graceSeconds = graceSeconds
        self.conversationQuotaBytes = conversationQuotaBytes
    }
}

/// The frame `entry`.
public struct Entry: Equatable, Sendable {
    public var session: SessionID
    /// 0 when it is given as part of the ledger.
    public var sequence: UInt64
    public var version: UInt64
    public var putter: ParticipantID
    public var entry: EntryID
    public var flags: EntryFlags
    public var bodyLength: UInt64
    public var sealed: [UInt8]

    public init(
        session: SessionID, sequence: UInt64, version: UInt64, putter: ParticipantID, entry: EntryID, flags: EntryFlags, bodyLength: UInt64, sealed: [UInt8]
    ) {
        self.session = session
        self.sequence = sequence
        self.version = version
        self.putter = putter
        self.entry = entry
        self.flags = flags
        self.bodyLength = bodyLength
        self.sealed = sealed
    }
}

public struct EntryFlags: OptionSet, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let presenceBound = EntryFlags(rawValue: 1)
    public static let bodyComplete = EntryFlags(rawValue: 2)
    static let known: EntryFlags = [.presenceBound, .bodyComplete]
}

/// Who is in a session, in `position`.
public struct Attendance: Equatable, Sendable {
    public var participant: ParticipantID
    public var presence: Presence

    public init(participant: ParticipantID, presence: Presence) {
        self.participant = participant
        self.presence = presence
    }
}

public struct Presence: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let away = Presence(rawValue: 0)
    public static let connected = Presence(rawValue: 1)
}

public struct ExitReason: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let exited = ExitReason(rawValue: 0)
    public static let left = ExitReason(rawValue: 1)
    public static let away = ExitReason(rawValue: 2)
}

public struct EndReason: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let byParticipant = EndReason(rawValue: 0)
    public static let nobody = EndReason(rawValue: 1)
}

public struct RemovalReason: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let removed = RemovalReason(rawValue: 0)
    public static let putterLeft = RemovalReason(rawValue: 1)
    public static let sessionEnded = RemovalReason(rawValue: 2)
}
