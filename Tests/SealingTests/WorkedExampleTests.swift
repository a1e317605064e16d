// The browser library's worked example is made and opened here, and one is written here for the browser library.

import Foundation
import Testing
import Wire

@testable import Sealing

struct WorkedExampleTests {
    static let fromTheBrowser: WorkedExample = try! Vectors.read("hearth/worked-example.json")

    @Test func `the browser library's worked example comes out the same here, value for value`() throws {
        let example = Self.fromTheBrowser
        let worker = try ExampleWorker(link: example.invitation.link, session: #require(SessionID(base64URL: example.session)), seed: #require([UInt8](hex: example.participants[0].seed)))
        #expect(worker.invited == example.invitation)
        #expect(try worker.schedule() == example.keySchedule)
        #expect([worker.person] == example.participants)
        let frames = try worker.frames(
            example.frames.map { frame in
                let content = try FrameContent(kind: frame.kind, payload: #require([UInt8](hex: frame.payload))[...])
                return (frame.what, frame.class == "record" ? .record : .sample, content, try frame.recipients.map { try #require(ParticipantID(base64URL: $0)) })
            })
        #expect(frames == example.frames)
        for each in example.entries {
            let body = try EntryBody(kind: each.kind, #require([UInt8](hex: each.body))[...])
            let entry = try worker.entry(body, session: #require(SessionID(base64URL: each.session)), entry: #require(EntryID(base64URL: each.entry)), random: #require([UInt8](hex: each.random)))
            #expect(entry == each)
        }
        let body = example.body
        #expect(
            try worker.body(
                attachment: #require(EntryID(base64URL: body.attachmentId)), keyingMaterial: #require([UInt8](hex: body.ikm)), salt: #require([UInt8](hex: body.salt)),
                plainSize: body.plainLength) == body)
    }

    @Test func `what it holds opens, and nothing broken in it does`() throws {
        let example = Self.fromTheBrowser
        let keys = try EpochKeys(Invitation(example.invitation.link))
        let person = example.participants[0]
        func open(_ frameClass: String, _ recipients: [String], _ sealed: String) throws -> OpenedFrame {
            let opener = try FrameOpener(
                keys: keys, session: #require(SessionID(base64URL: example.session)), frameClass: frameClass == "record" ? .record : .sample,
                sender: #require(ParticipantID(base64URL: person.participantId)), publicKey: #require([UInt8](hex: person.publicKey)))
            return try opener.open(#require([UInt8](hex: sealed)), recipients: recipients.map { try #require(ParticipantID(base64URL: $0)) })
        }
        for frame in example.frames {
            let opened = try open(frame.class, frame.recipients, frame.sealed)
            #expect(opened == OpenedFrame(counter: frame.counter, content: try FrameContent(kind: frame.kind, payload: #require([UInt8](hex: frame.payload))[...])))
        }
        func openEntry(_ session: String, _ entry: String, _ sealed: String) throws -> OpenedEntry {
            try keys.openEntry(#require([UInt8](hex: sealed)), at: EntryPlace(session: #require(SessionID(base64URL: session)), entry: #require(EntryID(base64URL: entry))))
        }
        for entry in example.entries {
            let opened = try openEntry(entry.session, entry.entry, entry.sealed)
            #expect(opened.maker.base64URL == entry.maker && opened.body.encoded.hex == entry.body)
        }
        #expect(example.broken.frames.count > 20 && example.broken.entries.count > 15)
        for broken in example.broken.frames { #expect(throws: SealingError.self, "\(broken.what)") { try open(broken.class, broken.recipients, broken.sealed) } }
        for broken in example.broken.entries { #expect(throws: SealingError.self, "\(broken.what)") { try openEntry(broken.session, broken.entry, broken.sealed) } }
    }

    /// Other secrets, names and lengths than the browser's own example.
    func written() throws -> WorkedExample {
        func counting(_ count: Int, from start: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: start + 7 * $0) } }
        let conversation = ConversationID(Bytes16(counting(16, from: 3))!)
        let session = SessionID(Bytes16(counting(16, from: 0x21))!)
        let attachment = EntryID(Bytes16(counting(16, from: 0x33))!)
        let secret = SecretBytes(counting(32, from: 0x55))
        let worker = try ExampleWorker(
            link: Invitation(origin: "http://127.0.0.1:8080", conversation: conversation, secret: secret).link, session: session, seed: counting(32, from: 0x77))
        let recipients = [ParticipantID(Bytes16(high: .max, low: 0)), ParticipantID(Bytes16(high: 0, low: 1)), worker.identity.participant]
        let frames = try worker.frames([
            ("an empty message", .record, .message(identifier: "", json: Array("null".utf8)[...]), []),
            ("bytes of no length to three", .record, .data([]), recipients),
            ("a long message", .record, .message(identifier: "Äpfel 🍏", json: Array("\"\(String(repeating: "ß", count: 9000))\"".utf8)[...]), []),
            ("a sample", .sample, .data(ExampleWorker.plaintext(70)[...]), []),
            ("a sample to one", .sample, .message(identifier: "Cursor", json: Array("{}".utf8)[...]), [recipients[0]]),
        ])
        let body = try worker.body(attachment: attachment, keyingMaterial: counting(16, from: 0x99), salt: counting(16, from: 0xbb), plainSize: 1_048_269)
        let manifest = try Manifest(
            keyingMaterial: counting(16, from: 0x99), salt: counting(16, from: 0xbb), plainSizeBytes: body.plainLength, metadata: Array(#"{"name":"Straße.heic","at":1.5}"#.utf8))
        let final = try manifest.with(partHashes: body.partHashes.map { [UInt8](hex: $0)! })
        let announcement = EntryBody.Announcement(activityIdentifier: "org.example.Watch", activity: Array(#"{"url":"https://example.org/a"}"#.utf8), metadata: Array(#"{"title":"Ä"}"#.utf8))
        let entries = try [
            worker.entry(.introduction(name: "Zoë 🦉"), session: .own, entry: EntryID(worker.identity.participant.bytes), random: counting(16, from: 1)),
            worker.entry(.activity(announcement), session: .own, entry: EntryID(session.bytes), random: counting(16, from: 2)),
            worker.entry(.attachment(manifest), session: session, entry: attachment, random: counting(16, from: 3)),
            worker.entry(.attachment(final), session: session, entry: attachment, random: counting(16, from: 4)),
        ]
        return WorkedExample(
            about: "A worked example of docs/protocol/sealing.md in the form of worked-example.json, written by the Swift tests: HEARTH_WRITE_VECTORS=1 swift test --filter WorkedExampleTests.",
            invitation: worker.invited, keySchedule: try worker.schedule(), participants: [worker.person], session: session.base64URL, frames: frames, entries: entries, body: body,
            broken: broken(frames, entries))
    }

    /// One bit of every ninth byte, cuts, and things in the wrong place.
    private func broken(_ frames: [WorkedExample.Frame], _ entries: [WorkedExample.Entry]) -> WorkedExample.Broken {
        func spoilt(_ hex: String) -> [(what: String, sealed: String)] {
            let bytes = [UInt8](hex: hex)!
            let flipped = stride(from: 0, to: bytes.count, by: 9).map { index in
                var changed = bytes
                changed[index] ^= 1 << (index % 8)
                return ("byte \(index) changed", changed.hex)
            }
            return flipped + [("cut", Array(bytes.dropLast()).hex), ("nothing", ""), ("one byte more", hex + "00")]
        }
        let (first, several, sample) = (frames[0], frames[1], frames[3])
        var brokenFrames: [WorkedExample.Broken.Frame] = [first, sample].flatMap { frame in
            spoilt(frame.sealed).map { .init(what: $0.what, class: frame.class, sender: frame.sender, recipients: frame.recipients, sealed: $0.sealed) }
        }
        brokenFrames.append(.init(what: "said to be for everyone", class: "record", sender: several.sender, recipients: [], sealed: several.sealed))
        brokenFrames.append(.init(what: "a sample taken for a record", class: "record", sender: sample.sender, recipients: [], sealed: sample.sealed))
        var brokenEntries: [WorkedExample.Broken.Entry] = spoilt(entries[0].sealed).map { .init(what: $0.what, session: entries[0].session, entry: entries[0].entry, sealed: $0.sealed) }
        brokenEntries.append(.init(what: "under another name", session: entries[0].session, entry: entries[1].entry, sealed: entries[0].sealed))
        brokenEntries.append(.init(what: "in another session", session: entries[2].session, entry: entries[1].entry, sealed: entries[1].sealed))
        return .init(frames: brokenFrames, entries: brokenEntries)
    }

    @Test func `the example written here is what the repository holds for the browser library's tests`() throws {
        let path = Vectors.directory.appendingPathComponent("hearth/worked-example-swift.json")
        let example = try written()
        if ProcessInfo.processInfo.environment["HEARTH_WRITE_VECTORS"] != nil {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(example) + Data("\n".utf8)).write(to: path)
        }
        #expect(try Vectors.read("hearth/worked-example-swift.json") == example)
    }
}
