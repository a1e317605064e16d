// Names, tokens and frames that the tests speak of.

import Wire

@testable import Relay

let ana = ParticipantID(Bytes16(high: 1, low: 0xa))
let ben = ParticipantID(Bytes16(high: 1, low: 0xb))
let cleo = ParticipantID(Bytes16(high: 1, low: 0xc))
func participant(_ number: Int) -> ParticipantID { ParticipantID(Bytes16(high: 2, low: UInt64(number))) }

let gallery = SessionID(Bytes16(high: 3, low: 1))
func session(_ number: Int) -> SessionID { SessionID(Bytes16(high: 3, low: UInt64(number))) }
func entry(_ number: Int) -> EntryID { EntryID(Bytes16(high: 4, low: UInt64(number))) }
let home = ConversationID(Bytes16(high: 5, low: 1))

let goodToken = [UInt8](repeating: 7, count: 32)
func secret(of participant: ParticipantID) -> Bytes16 { Bytes16(high: participant.bytes.high ^ .max, low: participant.bytes.low) }

func hello(
    _ participant: ParticipantID, create: Bool = false, token: [UInt8] = goodToken, incarnation: UInt64 = 0, places: [Hello.Place] = [],
    secret ownSecret: Bytes16? = nil, pass: [UInt8]? = nil
) -> Hello {
    Hello(
        create: create, participant: participant, secret: ownSecret ?? secret(of: participant), relayToken: token, incarnation: incarnation, places: places, pass: pass)
}

let goodPass = [UInt8](repeating: 9, count: 32)
/// What a door holds does not matter to the relay.
let doorSealed: [UInt8] = [4, 4, 4]

func door(_ mode: DoorMode, until closesAtSeconds: UInt64 = 0, sealed: [UInt8] = doorSealed) -> Door {
    Door(mode: mode, closesAtSeconds: closesAtSeconds, sealed: sealed)
}

func setting(_ mode: DoorMode, until closesAtSeconds: UInt64 = 0, sealed: [UInt8] = doorSealed) -> Frame {
    .setDoor(door(mode, until: closesAtSeconds, sealed: sealed), passDigest: sha256(goodPass))
}

func record(_ counter: UInt64, in session: SessionID = gallery, to recipients: [ParticipantID] = [], _ sealed: [UInt8] = [1, 2, 3]) -> Frame {
    .record(session: session, counter: counter, recipients: recipients, sealed: sealed)
}

func put(_ number: Int, in session: SessionID = gallery, _ flags: EntryFlags = [], body: Int = 0, _ sealed: [UInt8] = [9]) -> Frame {
    .put(session: session, entry: entry(number), flags: flags, bodyLength: UInt64(body), sealed: sealed)
}

func put(_ number: Int, body: Int = 0, _ sealed: [UInt8]) -> Frame { put(number, in: gallery, EntryFlags(), body: body, sealed) }

func announce(_ session: SessionID = gallery) -> Frame {
    .put(session: .own, entry: EntryID(session.bytes), flags: [], bodyLength: 0, sealed: [1])
}

extension Frame {
    /// Session and place of a frame that has one in a log.
    var place: (session: SessionID, sequence: UInt64)? {
        switch self {
        case .entered(let session, let sequence, _), .exited(let session, let sequence, _, _), .ended(let session, let sequence, _, _),
            .ordered(let session, let sequence, _, _, _, _), .skipped(let session, let sequence, _, _), .removed(let session, let sequence, _, _, _):
            (session, sequence)
        case .entry(let entry): entry.sequence == 0 ? nil : (entry.session, entry.sequence)
        default: nil
        }
    }

    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

extension [Frame] {
    func sequences(of session: SessionID) -> [UInt64] { compactMap { $0.place?.session == session ? $0.place?.sequence : nil } }
    func logged(in session: SessionID) -> [Frame] { filter { $0.place?.session == session } }
    var refusals: [Refusal] { compactMap(\.refusal) }
    var counters: [UInt64] { compactMap { if case .ordered(_, _, _, let counter, _, _) = $0 { counter } else { nil } } }
    var welcome: Welcome? {
        for case .welcome(let welcome) in self { return welcome }
        return nil
    }
    func entries(of session: SessionID) -> [Entry] {
        compactMap { if case .entry(let entry) = $0, entry.session == session { entry } else { nil } }
    }
    func isComplete(_ session: SessionID) -> Bool { contains { if case .complete(session, _) = $0 { true } else { false } } }
}
