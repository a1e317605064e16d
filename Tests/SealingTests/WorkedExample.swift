// One small conversation of fixed keys, with every value on the way, in the form that Web/tests/support/worked-example.js writes too.

import Foundation
import Wire

@testable import Sealing

/// Bytes are hex, names are base64url, numbers that may pass 2^53 are text.
struct WorkedExample: Codable, Equatable {
    struct Invited: Codable, Equatable { var link, origin, conversationId, secret: String }
    struct Schedule: Codable, Equatable { var linkPrk, relayToken, psk, epochSecret, baseKey, entrySecret, authenticator, code: String }
    struct Person: Codable, Equatable { var seed, publicKey, participantId, recordKid, sampleKid: String }
    struct Frame: Codable, Equatable {
        var what, `class`, sender: String
        var recipients: [String]
        var kind: UInt8
        var payload: String
        var counter: UInt64
        var sframeKey, sframeSalt, nonce, header, metadata, plaintext, sealed: String
    }
    struct Entry: Codable, Equatable {
        var session, entry, maker: String
        var kind: UInt8
        var random, body, sealed: String
    }
    struct Body: Codable, Equatable {
        var attachmentId, ikm, salt: String
        var plainLength: Int
        var plaintext, plaintextHash, contentKey, contentNonce: String
        var bodyLength: Int
        var partLengths: [Int]
        var partHashes: [String]
        var firstBytes, lastBytes: String
    }
    struct Broken: Codable, Equatable {
        struct Frame: Codable, Equatable { var what, `class`, sender: String, recipients: [String], sealed: String }
        struct Entry: Codable, Equatable { var what, session, entry, sealed: String }
        var frames: [Frame]
        var entries: [Entry]
    }

    var about: String
    var invitation: Invited
    var keySchedule: Schedule
    var participants: [Person]
    var session: String
    var frames: [Frame]
    var entries: [Entry]
    var body: Body
    var broken: Broken
}

/// Works an example anew from what is chosen in it: secrets, names, contents and random bytes.
struct ExampleWorker {
    let conversation: ConversationID
    let session: SessionID
    let invitation: Invitation
    let keys: EpochKeys
    let identity: Identity
    let seed: [UInt8]

    init(link: String, session: SessionID, seed: [UInt8]) throws {
        invitation = try Invitation(link)
        conversation = invitation.conversation
        self.session = session
        self.seed = seed
        keys = try EpochKeys(invitation)
        identity = try Identity(conversation: conversation, key: SigningKey(seed: SecretBytes(seed)))
    }

    var invited: WorkedExample.Invited {
        .init(link: invitation.link, origin: invitation.origin, conversationId: conversation.base64URL, secret: invitation.secret.revealed().hex)
    }

    func schedule() throws -> WorkedExample.Schedule {
        let link = try HKDF.extract(salt: conversation.bytes.array, invitation.secret)
        return .init(
            linkPrk: link.revealed().hex, relayToken: keys.relayToken.hex, psk: try Labels.hearth.derive(link, "psk").revealed().hex,
            epochSecret: keys.epochSecret.revealed().hex, baseKey: try keys.baseKey(of: session).revealed().hex, entrySecret: keys.entrySecret.revealed().hex,
            authenticator: try Labels.hearth.derive(keys.epochSecret, "authenticator").revealed().hex, code: keys.sessionCode)
    }

    var person: WorkedExample.Person {
        .init(
            seed: seed.hex, publicKey: identity.publicKey.hex, participantId: identity.participant.base64URL, recordKid: "\(kid(of: identity.participant, .record))",
            sampleKid: "\(kid(of: identity.participant, .sample))")
    }

    func frames(_ contents: [(what: String, class: FrameClass, content: FrameContent, recipients: [ParticipantID])]) throws -> [WorkedExample.Frame] {
        let sealers = try [FrameClass.record, .sample].map { try FrameSealer(keys: keys, identity: identity, session: session, frameClass: $0) }
        return try contents.map { what, frameClass, content, recipients in
            let sealer = sealers[Int(frameClass.rawValue)]
            let kid = kid(of: identity.participant, frameClass)
            let (kind, payload, frame): (UInt8, [UInt8], SealedFrame)
            switch content {
            case .message(let identifier, let json):
                kind = 1
                var bytes: [UInt8] = []
                bytes.appendVector(identifier.utf8)
                payload = bytes + json
                frame = try sealer.sealMessage(identifier: identifier, json: json, to: recipients)
            case .data(let bytes):
                kind = 2
                payload = [0] + bytes
                frame = try sealer.sealData(bytes, to: recipients)
            case .position, .unknown: throw SealingError.malformed
            }
            let header = SFrameHeader(kid: kid, counter: frame.counter).encoded
            let metadata = FrameMetadata(keys, session, frameClass).bytes(recipients)
            let (key, salt) = try SFrameKey.keyAndSalt(baseKey: keys.baseKey(of: session), kid: kid)
            var plaintext = [UInt8](repeating: 0, count: frame.sealed.count - header.count - tagSizeBytes)
            let opening = try SFrameKey(baseKey: keys.baseKey(of: session), kid: kid, .opening)
            try withMutableBytes(of: &plaintext) { plaintext throws(SealingError) in
                try withBytes(of: frame.sealed[header.count...]) { sealed throws(SealingError) in
                    try opening.open(sealed, to: plaintext.baseAddress!, counter: frame.counter, aad: header + metadata)
                }
            }
            let nonce = Nonce(base: salt, number: frame.counter)
            return .init(
                what: what, class: frameClass == .record ? "record" : "sample", sender: identity.participant.base64URL, recipients: recipients.map(\.base64URL), kind: kind,
                payload: payload.hex, counter: frame.counter, sframeKey: key.revealed().hex, sframeSalt: salt.revealed().hex, nonce: withUnsafeBytes(of: nonce.bytes) { Array($0) }.hex,
                header: header.hex, metadata: metadata.hex, plaintext: plaintext.hex, sealed: frame.sealed.hex)
        }
    }

    func entry(_ body: EntryBody, session: SessionID, entry: EntryID, random: [UInt8]) throws -> WorkedExample.Entry {
        let sealed = try keys.seal(body, by: identity, at: EntryPlace(session: session, entry: entry), random: random)
        return .init(
            session: session.base64URL, entry: entry.base64URL, maker: identity.participant.base64URL, kind: body.kind, random: random.hex, body: body.encoded.hex, sealed: sealed.hex)
    }

    static func plaintext(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: 31 * $0 + $0 / 512) } }

    func body(attachment: EntryID, keyingMaterial: [UInt8], salt: [UInt8], plainSize: Int) throws -> WorkedExample.Body {
        let plaintext = Self.plaintext(plainSize)
        let manifest = try Manifest(keyingMaterial: keyingMaterial, salt: salt, plainSizeBytes: plainSize, metadata: [])
        let sealer = try BodySealer(manifest, attachment: attachment)
        let parts = try (0..<sealer.layout.partCount).map { number in
            try sealer.withPart(number, read: { offset, buffer in buffer.copyBytes(from: plaintext[offset..<offset + buffer.count]) }, { Array($0) })
        }
        let (key, nonce) = try ContentEncoding.keyAndNonce(keyingMaterial: keyingMaterial, salt: salt)
        func hash(_ bytes: [UInt8]) throws -> String { try withBytes(of: bytes) { bytes throws(SealingError) in try sha256(bytes) }.hex }
        return .init(
            attachmentId: attachment.base64URL, ikm: keyingMaterial.hex, salt: salt.hex, plainLength: plainSize, plaintext: "byte i is (31 × i + floor(i / 512)) mod 256",
            plaintextHash: try hash(plaintext), contentKey: key.revealed().hex, contentNonce: nonce.revealed().hex, bodyLength: sealer.layout.bodySizeBytes,
            partLengths: parts.map(\.count), partHashes: try parts.map(hash), firstBytes: Array(parts[0].prefix(64)).hex, lastBytes: Array(parts.last!.suffix(64)).hex)
    }
}
