// What a relay has promised in its welcome, for whoever tells a person how long things are kept.

public struct RelayTerms: Equatable, Sendable {
    /// How long a conversation, and a session, outlives the last who was in it.
    public let graceSeconds: Int
    /// How long the place of a lost connection is kept.
    public let resumeWindowSeconds: Int
    /// Room for all sealed bytes of the conversation.
    public let quotaBytes: Int

    public init(graceSeconds: Int, resumeWindowSeconds: Int, quotaBytes: Int) {
        self.graceSeconds = graceSeconds
        self.resumeWindowSeconds = resumeWindowSeconds
        self.quotaBytes = quotaBytes
    }
}

extension Conversation {
    /// `nil` before the relay has answered.
    public var terms: RelayTerms? {
        state.welcome.map { RelayTerms(graceSeconds: Int($0.graceSeconds), resumeWindowSeconds: Int($0.resumeWindowSeconds), quotaBytes: Int(clamping: $0.conversationQuotaBytes)) }
    }
}

extension ConversationError {
    /// Why nothing can be done any more in a conversation that is over; `aborted` for one that is not.
    public init(ofEnd end: ConversationEnd?) {
        if let end { self.init(end) } else { self.init(.aborted) }
    }
}
