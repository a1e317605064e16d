// Names of sessions that are over: whoever was away meanwhile must not find another session under one of them.

import Wire

/// The latest `Limits.endedSessionCountLimit`, in the order of their ends.
public struct EndedSessions: Equatable, Sendable {
    public private(set) var inOrder: [SessionID] = []
    private var names: Set<SessionID> = []

    public init() {}

    public init(_ sessions: [SessionID]) { for session in sessions { insert(session) } }

    public func contains(_ session: SessionID) -> Bool { names.contains(session) }

    public mutating func insert(_ session: SessionID) {
        guard names.insert(session).inserted else { return }
        inOrder.append(session)
        if inOrder.count > Limits.endedSessionCountLimit { names.remove(inOrder.removeFirst()) }
    }
}
