// What a conversation's members have said about who else may come in (docs/protocol/frames.md, "setDoor").

public struct DoorMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Everyone with the invitation.
    public static let open = DoorMode(rawValue: 0)
    /// Whom a member lets in.
    public static let knock = DoorMode(rawValue: 1)
    /// Nobody.
    public static let locked = DoorMode(rawValue: 2)

    public var isKnown: Bool { rawValue <= DoorMode.locked.rawValue }
}

public struct Door: Equatable, Sendable {
    public static let passDigestSizeBytes = 32

    public var mode: DoorMode
    /// From when on the invitation lets nobody in any more, in seconds since 1970; 0: never.
    public var closesAtSeconds: UInt64
    /// The same and the pass, for the members.
    public var sealed: [UInt8]

    public init(mode: DoorMode, closesAtSeconds: UInt64, sealed: [UInt8]) {
        self.mode = mode
        self.closesAtSeconds = closesAtSeconds
        self.sealed = sealed
    }
}

/// Why somebody who knocked knocks no more.
public struct KnockEnd: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Went away, or cannot be let in any more.
    public static let gone = KnockEnd(rawValue: 0)
    public static let admitted = KnockEnd(rawValue: 1)
    public static let declined = KnockEnd(rawValue: 2)
    public static let unanswered = KnockEnd(rawValue: 3)
}
