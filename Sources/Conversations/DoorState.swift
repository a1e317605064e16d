// How the door stands as this participant knows it, who knocks, and what was asked of it and has no answer yet: a value.

import Sealing
import Wire

/// Who else may come in.
public struct KnownDoor: Equatable, Sendable {
    public let mode: DoorMode
    /// From when on nobody, in seconds since 1970 by the relay's clock; 0: never.
    public let closesAtSeconds: UInt64
    /// Who has set it so; `nil`: nobody's signature says what the relay says.
    public let setter: ParticipantID?
}

/// Somebody who waits to be let in. The name is text from a stranger.
public struct Knock: Hashable, Sendable {
    public let participant: ParticipantID
    public let name: String
}

struct DoorState: Sendable {
    private struct Request: Sendable {
        let frame: Frame
        let sealed: [UInt8]
        let token: Token
    }

    /// `nil`: nobody has ever set it.
    private(set) var known: KnownDoor?
    /// What lets past it, of the newest door that a member has sealed.
    private(set) var pass: [UInt8]?
    /// In order of coming.
    private(set) var knocks: [Knock] = []
    private var pending: [Request] = []

    init(pass: [UInt8]?) { self.pass = pass }

    /// The pass that a next door has: this one's, unless it stands open for good.
    var passToKeep: [UInt8]? {
        guard let known, known.setter != nil, known.mode != .open || known.closesAtSeconds != 0 else { return nil }
        return pass
    }

    /// A new answer to `hello` follows.
    mutating func forgetKnocks() { knocks = [] }

    mutating func ask(_ door: Door, passDigest: [UInt8], token: Token) -> Frame {
        let frame = Frame.setDoor(door, passDigest: passDigest)
        pending.append(Request(frame: frame, sealed: door.sealed, token: token))
        return frame
    }

    var unanswered: [Frame] { pending.map(\.frame) }

    /// Returns the tokens of those whose door it is.
    mutating func take(_ door: Door, _ opened: Opened) -> [Token] {
        var setter: ParticipantID?
        if case .entry(let entry) = opened, case .door(let sealed) = entry.body, sealed.mode == door.mode, sealed.closesAtSeconds == door.closesAtSeconds {
            setter = entry.maker
            pass = sealed.pass
        }
        known = KnownDoor(mode: door.mode, closesAtSeconds: door.closesAtSeconds, setter: setter)
        guard let last = pending.lastIndex(where: { $0.sealed == door.sealed }) else { return [] }
        defer { pending.removeFirst(last + 1) }
        return pending[...last].map(\.token)
    }

    /// The relay answers in the order in which it was asked.
    mutating func refuse() -> Token? { pending.isEmpty ? nil : pending.removeFirst().token }

    mutating func abandon() -> [Token] {
        defer { pending = [] }
        return pending.map(\.token)
    }

    /// False: nobody of whom one knows who it is.
    mutating func knocking(_ participant: ParticipantID, _ opened: Opened) -> Bool {
        guard case .entry(let entry) = opened, case .introduction(let name) = entry.body, entry.maker == participant else { return false }
        guard knocks.count < Limits.knockCountLimit, !knocks.contains(where: { $0.participant == participant }) else { return false }
        knocks.append(Knock(participant: participant, name: name))
        return true
    }

    mutating func knocked(_ participant: ParticipantID) { knocks.removeAll { $0.participant == participant } }
}
