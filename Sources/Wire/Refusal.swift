// The answer to one frame that could not be done; nothing else is touched by it.

public struct Refusal: Error, Equatable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let tooLarge = Code(rawValue: 1)
        public static let conversationQuota = Code(rawValue: 2)
        public static let relayQuota = Code(rawValue: 3)
        public static let storageFailed = Code(rawValue: 4)
        public static let unknownSession = Code(rawValue: 5)
        public static let notInSession = Code(rawValue: 6)
        public static let unknownEntry = Code(rawValue: 7)
        public static let tooManySessions = Code(rawValue: 8)
        public static let tooManyEntries = Code(rawValue: 9)
        public static let bodyIncomplete = Code(rawValue: 10)
        public static let notPermitted = Code(rawValue: 11)
        public static let dateOutOfRange = Code(rawValue: 12)
    }

    /// The type of the frame that is refused.
    public var frameType: UInt8
    public var session: SessionID
    /// The entry, or zero.
    public var subject: EntryID
    /// The record's counter, or 0.
    public var counter: UInt64
    public var code: Code
    public var limit: UInt64
    public var value: UInt64

    public init(
        frameType: UInt8, session: SessionID, subject: EntryID = EntryID(.zero), counter: UInt64 = 0, code: Code, limit: UInt64 = 0, value: UInt64 = 0
    ) {
        self.frameType = frameType
        self.session = session
        self.subject = subject
        self.counter = counter
        self.code = code
        self.limit = limit
        self.value = value
    }
}
