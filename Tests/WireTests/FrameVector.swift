// A frame as the vectors write it: camelCase fields, names in base64url, u64 as decimal strings, bytes in hexadecimal.

import Wire

struct UnreadableVector: Error { let field: String }

func bytes(hex: String) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

struct FrameVector: Decodable {
    struct Place: Decodable {
        let session: String
        let sequence: String
    }
    struct Attendee: Decodable {
        let participant: String
        let presence: UInt8
    }

    let type: String
    let create: Bool?
    let participant: String?
    let participantSecret: String?
    let relayToken: String?
    let incarnation: String?
    let sessions: [Place]?
    let session: String?
    let sequence: String?
    let counter: String?
    let recipients: [String]?
    let sealed: String?
    let entry: String?
    let isPresenceBound: Bool?
    let isBodyComplete: Bool?
    let bodyLength: String?
    let token: String?
    let resumed: Bool?
    let created: Bool?
    let heartbeatSeconds: UInt16?
    let silenceSeconds: UInt16?
    let resumeWindowSeconds: UInt32?
    let graceSeconds: UInt32?
    let conversationQuotaBytes: String?
    let participants: [Attendee]?
    let reason: UInt8?
    let sender: String?
    let version: Version?
    let putter: String?
    let remover: String?
    let frameType: UInt8?
    let subject: String?
    let code: UInt16?
    let limit: String?
    let value: String?
    let presence: UInt8?
    let pass: String?
    let mode: UInt8?
    let closesAt: String?
    let passDigest: String?
    let admits: Bool?
    let seconds: UInt16?

    /// The protocol's version is a number, an entry's version a u64 and so a string.
    enum Version: Decodable {
        case ofProtocol(UInt8)
        case ofEntry(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) { self = .ofEntry(text) } else { self = .ofProtocol(try container.decode(UInt8.self)) }
        }
    }

    private func some<T>(_ value: T?, _ field: String) throws -> T {
        guard let value else { throw UnreadableVector(field: "\(type).\(field)") }
        return value
    }
    private func id<ID: Identifier>(_ text: String?, _ field: String) throws -> ID { try some(ID(base64URL: try some(text, field)), field) }
    private func u64(_ text: String?, _ field: String) throws -> UInt64 { try some(UInt64(try some(text, field)), field) }
    private func blob(_ text: String?, _ field: String) throws -> [UInt8] { bytes(hex: try some(text, field)) }
    private func audience() throws -> [ParticipantID] { try some(recipients, "recipients").map { try id($0, "recipients") } }
    private func flags() throws -> EntryFlags {
        var flags: EntryFlags = []
        if try some(isPresenceBound, "isPresenceBound") { flags.insert(.presenceBound) }
        if try some(isBodyComplete, "isBodyComplete") { flags.insert(.bodyComplete) }
        return flags
    }
    private func door() throws -> Door {
        Door(mode: DoorMode(rawValue: try some(mode, "mode")), closesAtSeconds: try u64(closesAt, "closesAt"), sealed: try blob(sealed, "sealed"))
    }
    private func place() throws -> (SessionID, UInt64) { (try id(session, "session"), try u64(sequence, "sequence")) }

    func frame() throws -> Frame {
        switch type {
        case "hello":
            let secret: EntryID = try id(participantSecret, "participantSecret")
            return .hello(
                Hello(
                    create: try some(create, "create"), participant: try id(participant, "participant"), secret: secret.bytes,
                    relayToken: try blob(relayToken, "relayToken"), incarnation: try u64(incarnation, "incarnation"),
                    places: try some(sessions, "sessions").map {
                        Hello.Place(session: try id($0.session, "session"), sequence: try u64($0.sequence, "sequence"))
                    }, pass: pass.map { bytes(hex: $0) }))
        case "enter": return .enter(session: try id(session, "session"))
        case "exit": return .exit(session: try id(session, "session"))
        case "end": return .end(session: try id(session, "session"))
        case "record":
            return .record(session: try id(session, "session"), counter: try u64(counter, "counter"), recipients: try audience(), sealed: try blob(sealed, "sealed"))
        case "sample": return .sample(session: try id(session, "session"), recipients: try audience(), sealed: try blob(sealed, "sealed"))
        case "put":
            return .put(
                session: try id(session, "session"), entry: try id(entry, "entry"), flags: try flags(), bodyLength: try u64(bodyLength, "bodyLength"),
                sealed: try blob(sealed, "sealed"))
        case "remove": return .remove(session: try id(session, "session"), entry: try id(entry, "entry"))
        case "acknowledge": return .acknowledge(session: try place().0, sequence: try place().1)
        case "leave": return .leave
        case "setDoor": return .setDoor(try door(), passDigest: try blob(passDigest, "passDigest"))
        case "knock": return .knock(sealed: try blob(sealed, "sealed"))
        case "admit": return .admit(participant: try id(participant, "participant"), admits: try some(admits, "admits"))
        case "ping": return .ping(token: try u64(token, "token"))
        case "pong": return .pong(token: try u64(token, "token"))
        default: return try frameFromRelay()
        }
    }

    private func frameFromRelay() throws -> Frame {
        switch type {
        case "welcome":
            return .welcome(
                Welcome(
                    resumed: try some(resumed, "resumed"), created: try some(created, "created"), incarnation: try u64(incarnation, "incarnation"),
                    heartbeatSeconds: try some(heartbeatSeconds, "heartbeatSeconds"), silenceSeconds: try some(silenceSeconds, "silenceSeconds"),
                    resumeWindowSeconds: try some(resumeWindowSeconds, "resumeWindowSeconds"), graceSeconds: try some(graceSeconds, "graceSeconds"),
                    conversationQuotaBytes: try u64(conversationQuotaBytes, "conversationQuotaBytes")))
        case "position":
            let attendees = try some(participants, "participants").map {
                Attendance(participant: try id($0.participant, "participant"), presence: Presence(rawValue: $0.presence))
            }
            return .position(session: try place().0, sequence: try place().1, participants: attendees)
        case "complete": return .complete(session: try place().0, sequence: try place().1)
        case "entered": return .entered(session: try place().0, sequence: try place().1, participant: try id(participant, "participant"))
        case "exited":
            return .exited(
                session: try place().0, sequence: try place().1, participant: try id(participant, "participant"),
                reason: ExitReason(rawValue: try some(reason, "reason")))
        case "ended":
            return .ended(
                session: try place().0, sequence: try place().1, participant: try id(participant, "participant"),
                reason: EndReason(rawValue: try some(reason, "reason")))
        case "ordered":
            return .ordered(
                session: try place().0, sequence: try place().1, sender: try id(sender, "sender"), counter: try u64(counter, "counter"),
                recipients: try audience(), sealed: try blob(sealed, "sealed"))
        case "skipped":
            return .skipped(session: try place().0, sequence: try place().1, sender: try id(sender, "sender"), counter: try u64(counter, "counter"))
        case "sampled":
            return .sampled(session: try id(session, "session"), sender: try id(sender, "sender"), recipients: try audience(), sealed: try blob(sealed, "sealed"))
        case "entry":
            guard case .ofEntry(let version) = try some(version, "version") else { throw UnreadableVector(field: "entry.version") }
            return .entry(
                Entry(
                    session: try place().0, sequence: try place().1, version: try u64(version, "version"), putter: try id(putter, "putter"),
                    entry: try id(entry, "entry"), flags: try flags(), bodyLength: try u64(bodyLength, "bodyLength"), sealed: try blob(sealed, "sealed")))
        case "removed":
            return .removed(
                session: try place().0, sequence: try place().1, remover: try id(remover, "remover"), entry: try id(entry, "entry"),
                reason: RemovalReason(rawValue: try some(reason, "reason")))
        case "stable": return .stable(session: try place().0, sequence: try place().1)
        case "refused":
            return .refused(
                Refusal(
                    frameType: try some(frameType, "frameType"), session: try id(session, "session"), subject: try id(subject, "subject"),
                    counter: try u64(counter, "counter"), code: Refusal.Code(rawValue: try some(code, "code")), limit: try u64(limit, "limit"),
                    value: try u64(value, "value")))
        case "waiting": return .waiting(seconds: try some(seconds, "seconds"))
        case "door": return .door(try door())
        case "knocking": return .knocking(participant: try id(participant, "participant"), sealed: try blob(sealed, "sealed"))
        case "knocked": return .knocked(participant: try id(participant, "participant"), end: KnockEnd(rawValue: try some(reason, "reason")))
        case "presence": return .presence(participant: try id(participant, "participant"), presence: Presence(rawValue: try some(presence, "presence")))
        default: throw UnreadableVector(field: type)
        }
    }
}
