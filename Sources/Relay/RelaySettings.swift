// What an operator may set, with the values of the protocol text as defaults.

public struct RelaySettings: Sendable, Equatable {
    /// After this much time in which nothing was written to a connection the relay sends `ping`.
    public var heartbeatSeconds = 10
    /// A connection from which nothing came for this long is closed.
    public var silenceSeconds = 30
    /// How long a participant whose connection was lost keeps its place.
    public var resumeWindowSeconds = 60
    /// How long a session or a conversation with nobody in it is kept; after a restart at least for `resumeWindowSeconds`, in which somebody may come back.
    public var graceSeconds = 600
    /// Sealed entries and bodies of one conversation, reserved when they are announced.
    public var conversationQuotaBytes = 4 << 30
    /// The same over all conversations.
    public var totalQuotaBytes = 20 << 30
    public var conversationCountLimit = 10_000

    public init() {}
}
