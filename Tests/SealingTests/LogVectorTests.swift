// Links, stretches and the records that carry them, as an implementation that shares nothing with this one wrote them.

import Testing
import Wire

@testable import Sealing

struct LogVectors: Decodable {
    struct Sender: Decodable { let participantId: String, publicKey: Hex }
    struct Record: Decodable {
        let what: String
        let recipients: [String]
        let counter: UInt64
        let stretch: Hex
        let kind: UInt8
        let payload, plaintext, sealed: Hex
    }
    struct Link: Decodable {
        struct Opened: Decodable { let sender: String, counter: UInt64 }
        let what: String
        let frame: Hex
        let opened: Opened?
        let link: Hex
    }

    let link, session: String
    let sender: Sender
    let links: [Link]
    let records: [Record]
}

struct LogVectorTests {
    let vectors: LogVectors
    let keys: EpochKeys
    let session: SessionID

    init() throws {
        vectors = try Vectors.read("hearth/log.json")
        keys = try EpochKeys(Invitation(vectors.link))
        session = try #require(SessionID(base64URL: vectors.session))
    }

    @Test func `every place of a log gives the link that the vectors hold`() throws {
        #expect(vectors.links.count > 9)
        for vector in vectors.links {
            let frame = try #require(try Frame.decode(message: vector.frame.bytes).first)
            let opened = try vector.opened.map { (sender: try #require(ParticipantID(base64URL: $0.sender)), counter: $0.counter) }
            #expect(LogLink(frame, opened: opened)?.bytes.hex == vector.link.bytes.hex, "\(vector.what)")
        }
    }

    @Test func `what has no place gives no link`() {
        let entry = Entry(
            session: session, sequence: 0, version: 1, putter: ParticipantID(.zero), entry: EntryID(.zero), flags: [], bodyLength: 0, sealed: [UInt8](repeating: 1, count: 40))
        for frame in [Frame.entry(entry), .stable(session: session, sequence: 4), .position(session: session, sequence: 4, participants: [])] { #expect(LogLink(frame) == nil) }
    }

    @Test func `the records that carry stretches open, and say what they say`() throws {
        let opener = try FrameOpener(
            keys: keys, session: session, frameClass: .record, sender: #require(ParticipantID(base64URL: vectors.sender.participantId)), publicKey: vectors.sender.publicKey.bytes)
        for record in vectors.records {
            let recipients = try record.recipients.map { try #require(ParticipantID(base64URL: $0)) }
            let opened = try opener.open(record.sealed.bytes, recipients: recipients)
            #expect(opened.counter == record.counter && opened.stretch.encoded == record.stretch.bytes, "\(record.what)")
            #expect(opened.content == (try FrameContent(kind: record.kind, payload: record.payload.bytes[...])), "\(record.what)")
            #expect(Array(record.plaintext.bytes[64..<120]) == record.stretch.bytes, "\(record.what)")
        }
        #expect(vectors.records.map(\.kind) == [3, 1, 2, 3])
    }

    @Test func `a sample carries no stretch, and a place that no log can have is not read`() throws {
        var reader = FieldReader([UInt8](repeating: 0, count: 8) + [0, 0x20, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 40))
        #expect(throws: SealingError.malformed) { try LogStretch(&reader) }
        let ana = try Identity(conversation: keys.conversation)
        let sealed = try FrameSealer(keys: keys, identity: ana, session: session, frameClass: .sample).sealData([1, 2, 3]).sealed
        let opener = try FrameOpener(keys: keys, session: session, frameClass: .sample, sender: ana.participant, publicKey: ana.publicKey)
        #expect(try opener.open(sealed) == OpenedFrame(counter: 0, content: .data([1, 2, 3])))
        #expect(sealed.count < 64)
    }
}
