// The puts and removals of one session that the relay has not answered: asked again, in order, on each new connection.

import Wire

struct PendingRequests: Sendable {
    enum Kind: Equatable, Sendable { case put, remove }
    private struct Request: Sendable {
        let kind: Kind
        let entry: EntryID
        let frame: Frame
        let sealed: [UInt8]
        let token: Token?
    }

    private var pending: [Request] = []

    mutating func put(_ entry: EntryID, flags: EntryFlags, bodySizeBytes: Int, sealed: [UInt8], in session: SessionID, token: Token?) -> Frame {
        let frame = Frame.put(session: session, entry: entry, flags: flags, bodyLength: UInt64(bodySizeBytes), sealed: sealed)
        pending.append(Request(kind: .put, entry: entry, frame: frame, sealed: sealed, token: token))
        return frame
    }

    mutating func remove(_ entry: EntryID, in session: SessionID, token: Token?) -> Frame {
        let frame = Frame.remove(session: session, entry: entry)
        pending.append(Request(kind: .remove, entry: entry, frame: frame, sealed: [], token: token))
        return frame
    }

    /// In the order in which they were asked.
    var frames: [Frame] { pending.map(\.frame) }

    func isPutting(_ entry: EntryID) -> Bool { pending.contains { $0.kind == .put && $0.entry == entry } }

    /// Our entry has come back: it and our earlier puts of the same name are answered.
    mutating func answerPut(_ entry: EntryID, sealed: [UInt8]) -> [Token] {
        guard let last = pending.lastIndex(where: { $0.kind == .put && $0.entry == entry && $0.sealed == sealed }) else { return [] }
        return settle { request, index in index <= last && request.kind == .put && request.entry == entry }
    }

    mutating func answerRemove(_ entry: EntryID) -> [Token] { settle { request, _ in request.kind == .remove && request.entry == entry } }

    mutating func refuse(_ kind: Kind, _ entry: EntryID) -> [Token] {
        guard let first = pending.firstIndex(where: { $0.kind == kind && $0.entry == entry }) else { return [] }
        return settle { _, index in index == first }
    }

    mutating func abandon() -> [Token] { settle { _, _ in true } }

    /// Returns the tokens of those who wait.
    private mutating func settle(where isAnswered: (Request, Int) -> Bool) -> [Token] {
        var tokens: [Token] = []
        var rest: [Request] = []
        for (index, request) in pending.enumerated() {
            if isAnswered(request, index) { if let token = request.token { tokens.append(token) } } else { rest.append(request) }
        }
        pending = rest
        return tokens
    }
}
