// Ledger entries: bound to their place and to their maker.

import Testing
import Wire

@testable import Sealing

struct EntrySealingTests {
    let keys: EpochKeys
    let ana: Identity
    let place = EntryPlace(session: SessionID(Bytes16(high: 1, low: 2)), entry: EntryID(Bytes16(high: 3, low: 4)))

    init() throws {
        let invitation = try Invitation(relay: "https://relay.example")
        keys = try EpochKeys(invitation)
        ana = try Identity(conversation: invitation.conversation)
    }

    var bodies: [EntryBody] {
        get throws {
            let hashes = (0..<2).map { [UInt8](repeating: $0, count: 32) }
            return [
                .introduction(name: "Ana 🌱"),
                .activity(.init(activityIdentifier: "org.example.Drawing", activity: Array(#"{"title":"Plan"}"#.utf8), metadata: Array("null".utf8))),
                .attachment(try Manifest(plainSizeBytes: 1_100_000, metadata: Array(#"{"name":"a.jpg"}"#.utf8))),
                .attachment(try Manifest(plainSizeBytes: 1_100_000, metadata: Array(repeating: 0x20, count: 65_536)).with(partHashes: hashes)),
            ]
        }
    }

    @Test func `what was put in comes out, with its maker`() throws {
        for body in try bodies {
            let sealed = try keys.seal(body, by: ana, at: place)
            #expect(sealed.count <= Limits.entrySizeLimitBytes)
            let opened = try keys.openEntry(sealed, at: place)
            #expect(opened == OpenedEntry(publicKey: ana.publicKey, maker: ana.participant, body: body))
        }
    }

    @Test func `with any one bit of any byte flipped it does not open`() throws {
        for body in try bodies.prefix(3) {
            let sealed = try keys.seal(body, by: ana, at: place)
            for index in sealed.indices {
                var broken = sealed
                broken[index] ^= 1 << (index % 8)
                #expect(throws: SealingError.self) { try keys.openEntry(broken, at: place) }
            }
            for count in sealed.indices { #expect(throws: SealingError.self) { try keys.openEntry(Array(sealed[..<count]), at: place) } }
            #expect(throws: SealingError.self) { try keys.openEntry(sealed + [0], at: place) }
        }
    }

    @Test func `it opens at no other place`() throws {
        let sealed = try keys.seal(.introduction(name: "Ana"), by: ana, at: place)
        #expect(throws: SealingError.tampered) { try keys.openEntry(sealed, at: EntryPlace(session: .own, entry: place.entry)) }
        #expect(throws: SealingError.tampered) { try keys.openEntry(sealed, at: EntryPlace(session: place.session, entry: EntryID(.zero))) }
        let others = try EpochKeys(Invitation(relay: "https://relay.example"))
        #expect(throws: SealingError.tampered) { try others.openEntry(sealed, at: place) }
    }

    @Test func `names and metadata have limits that the error names`() throws {
        #expect(throws: SealingError.tooLarge(limitBytes: 64, valueBytes: 65)) { try EntryBody.introduction(checking: String(repeating: "a", count: 65)) }
        #expect(throws: SealingError.malformed) { try EntryBody.introduction(checking: "") }
        #expect(try EntryBody.introduction(checking: String(repeating: "é", count: 32)) == .introduction(name: String(repeating: "é", count: 32)))
        #expect(throws: SealingError.tooLarge(limitBytes: 65_536, valueBytes: 65_537)) { try Manifest(plainSizeBytes: 1, metadata: Array(repeating: 1, count: 65_537)) }
        #expect(throws: SealingError.tooLarge(limitBytes: 100_000_000, valueBytes: 100_000_001)) { try Manifest(plainSizeBytes: 100_000_001, metadata: []) }
        let large = EntryBody.activity(.init(activityIdentifier: "a", activity: Array(repeating: 1, count: 131_072), metadata: []))
        let error = #expect(throws: SealingError.self) { try keys.seal(large, by: ana, at: place) }
        guard case .tooLarge(131_072, let value) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(value > 131_072)
    }

    @Test(arguments: [
        "01", "0100", "0101ff", "0141" + String(repeating: "61", count: 65), "014042",
        "02", "020161", "02016101", "03", "03" + String(repeating: "00", count: 32) + "00010001" + String(repeating: "00", count: 10),
    ])
    func `a body that does not hold what its kind holds is refused`(_ hex: String) throws {
        let bytes = [UInt8](hex: hex)!
        #expect(throws: SealingError.malformed) { try EntryBody(kind: bytes[0], bytes[1...]) }
    }

    @Test func `a kind that is not known is told as such`() throws {
        #expect(try EntryBody(kind: 9, [1, 2, 3]) == .unknown(kind: 9))
    }

    @Test func `a manifest's number of hashes has to fit its length`() throws {
        let manifest = try Manifest(plainSizeBytes: 1_100_000, metadata: [])
        #expect(throws: SealingError.malformed) { try manifest.with(partHashes: [[UInt8](repeating: 0, count: 32)]) }
        #expect(throws: SealingError.malformed) { try manifest.with(partHashes: [[1], [2]]) }
        let final = try manifest.with(partHashes: Array(repeating: [UInt8](repeating: 0, count: 32), count: 2))
        #expect(manifest.mayBeReplaced(by: final) && !final.mayBeReplaced(by: manifest))
        #expect(!manifest.mayBeReplaced(by: try Manifest(plainSizeBytes: 1_100_000, metadata: [])))
    }
}
