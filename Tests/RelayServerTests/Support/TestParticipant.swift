// A participant that speaks the protocol without keys: what the relay sees of one.

import Wire

final class TestParticipant {
    let id: ParticipantID
    let secret: Bytes16
    let conversation: TestConversation
    private(set) var client: WebSocketClient
    private var waiting: [Frame] = []

    /// Joins; returns once the ledger of the own session is complete.
    init(_ conversation: TestConversation, port: Int, creates: Bool = true) throws {
        self.conversation = conversation
        id = ParticipantID(.random)
        secret = .random
        client = try WebSocketClient(port: port, conversation: conversation.id)
        try client.send([
            .hello(Hello(create: creates, participant: id, secret: secret, relayToken: conversation.token))
        ])
        _ = try wait { if case .complete(.own, _) = $0 { true } else { nil } }
    }

    /// The first frame for which `pick` gives something. Frames that come before it are kept.
    func wait<Value>(_ pick: (Frame) -> Value?) throws -> Value {
        for (index, frame) in waiting.enumerated() {
            if let value = pick(frame) {
                waiting.remove(at: index)
                return value
            }
        }
        while true {
            switch try client.next() {
            case .closed(let code): throw ClosedUnexpectedly(code: code)
            case .message(let bytes):
                var found: Value?
                for frame in try Frame.decode(message: bytes) {
                    if found == nil, let value = pick(frame) { found = value } else { waiting.append(frame) }
                }
                if let found { return found }
            }
        }
    }

    /// Says why, when the relay has closed meanwhile.
    func send(_ frames: [Frame]) throws {
        do { try client.send(frames) } catch RawSocketError.brokenOff { throw ClosedUnexpectedly(code: try closeCode()) }
    }

    struct ClosedUnexpectedly: Error { let code: Int }
    struct Refused: Error { let refusal: Refusal }

    /// Waits for the close and returns its code.
    func closeCode() throws -> Int {
        while true { if case .closed(let code) = try client.next() { return code } }
    }

    /// Announces the conversation's one session of these tests and enters it.
    func beginSession() throws {
        try put(EntryID(conversation.session.bytes), in: .own)
        let session = conversation.session
        try send([.enter(session: session)])
        try wait { if case .complete(session, _) = $0 { () } else { nil } }
    }

    func put(_ entry: EntryID, in session: SessionID, bodyLength: Int = 0, isBodyComplete: Bool = false, sealed: [UInt8] = [1, 2, 3]) throws {
        try send([.put(session: session, entry: entry, flags: isBodyComplete ? .bodyComplete : [], bodyLength: UInt64(bodyLength), sealed: sealed)])
        let refusal: Refusal? = try wait { frame in
            switch frame {
            case .entry(let found) where found.entry == entry: .some(nil)
            case .refused(let refusal): .some(refusal)
            default: nil
            }
        }
        if let refusal { throw Refused(refusal: refusal) }
    }

    /// Shows that the relay still serves this participant.
    func pingIsAnswered() throws {
        let token = UInt64.random(in: 0...UInt64.max)
        try send([.ping(token: token)])
        try wait { if case .pong(token) = $0 { () } else { nil } }
    }
}

struct TestConversation {
    let id = ConversationID(.random)
    let session = SessionID(.random)
    let token = (0..<32).map { _ in UInt8.random(in: 0...255) }

    var authorization: String { "Authorization: Bearer \(base64URL(token))" }

    func partPath(_ entry: EntryID, _ number: Int) -> String { "\(attachmentPath(entry))/parts/\(number)" }

    func attachmentPath(_ entry: EntryID) -> String {
        "/v1/conversations/\(id.base64URL)/sessions/\(session.base64URL)/attachments/\(entry.base64URL)"
    }
}

extension Bytes16 {
    static var random: Bytes16 { Bytes16(high: .random(in: 0...UInt64.max), low: .random(in: 1...UInt64.max)) }
}

func base64URL(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    var held = 0
    var heldBits = 0
    for byte in bytes {
        held = held << 8 | Int(byte)
        heldBits += 8
        while heldBits >= 6 {
            heldBits -= 6
            text.append(alphabet[held >> heldBits & 63])
        }
        held &= 1 << heldBits - 1
    }
    if heldBits > 0 { text.append(alphabet[held << (6 - heldBits) & 63]) }
    return text
}
