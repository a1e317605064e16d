// The standards' own vectors: what the protocol takes from others works as theirs does.

import Foundation
import Testing

@testable import Sealing

struct StandardVectorTests {
    struct MLS: Decodable {
        struct Expand: Decodable {
            let context, out, secret: Hex
            let label: String
            let length: Int
        }
        struct Derive: Decodable {
            let label: String
            let out, secret: Hex
        }
        struct RefHash: Decodable {
            let label: String
            let out, value: Hex
        }
        struct Sign: Decodable {
            let content, priv, pub, signature: Hex
            let label: String
        }
        let cipherSuite: Int
        let expandWithLabel: Expand
        let deriveSecret: Derive
        let refHash: RefHash
        let signWithLabel: Sign
    }

    @Test func `labelled derivation, hash and signature are RFC 9420's under its prefix`() throws {
        let all: [MLS] = try Vectors.read("mls/crypto-basics.json")
        let suite = try #require(all.first { $0.cipherSuite == 1 })
        let labels = Labels.mls
        let expand = suite.expandWithLabel
        #expect(try labels.expand(SecretBytes(expand.secret.bytes), expand.label, context: expand.context.bytes, sizeBytes: expand.length).revealed() == expand.out.bytes)
        #expect(try labels.derive(SecretBytes(suite.deriveSecret.secret.bytes), suite.deriveSecret.label).revealed() == suite.deriveSecret.out.bytes)
        // RFC 9420's RefHash takes its label whole; the prefix is part of the labels it is called with.
        #expect(try Labels(prefix: "").refHash(suite.refHash.label, suite.refHash.value.bytes) == suite.refHash.out.bytes)
        let sign = suite.signWithLabel
        let key = try SigningKey(seed: SecretBytes(sign.priv.bytes))
        #expect(key.publicKey == sign.pub.bytes)
        #expect(try key.signature(sign.label, sign.content.bytes, labels: labels) == sign.signature.bytes)
        let verifying = try VerifyingKey(sign.pub.bytes)
        #expect(verifying.verifies(sign.signature.bytes, sign.label, sign.content.bytes, labels: labels))
        #expect(!verifying.verifies(sign.signature.bytes, sign.label, sign.content.bytes, labels: .hearth))
    }

    struct Length: Decodable {
        let vlbytesHeader: Hex
        let length: Int
    }

    @Test func `variable-length integers are RFC 9420's, both ways`() throws {
        let all: [Length] = try Vectors.read("mls/deserialization.json")
        #expect(all.count == 14)
        for each in all {
            var reader = FieldReader(each.vlbytesHeader.bytes)
            let length = try reader.variableLengthInteger()
            #expect(length == each.length)
            var bytes: [UInt8] = []
            bytes.appendVariableLengthInteger(each.length)
            #expect(bytes == each.vlbytesHeader.bytes)
            #expect(vectorPrefixSize(each.length) == bytes.count)
        }
    }

    @Test(arguments: ["", "40", "403f", "8000", "80003fff", "800000", "c0", "c000000000000000"])
    func `a length that is cut short, longer than need be or of a form to come is refused`(_ hex: String) throws {
        var reader = FieldReader([UInt8](hex: hex)!)
        #expect(throws: SealingError.malformed) { try reader.variableLengthInteger() }
    }

    struct SFrame: Decodable {
        struct Number: Decodable {
            let value: UInt64
            init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(UInt64.self) }
        }
        struct Header: Decodable {
            let kid, ctr: Number
            let encoded: Hex
        }
        struct Case: Decodable {
            let cipherSuite: Int
            let kid, ctr: Number
            let baseKey, sframeKey, sframeSalt, metadata, nonce, aad, pt, ct: Hex
        }
        let header: [Header]
        let sframe: [Case]
    }

    @Test func `SFrame headers are RFC 9605's, both ways`() throws {
        let vectors: SFrame = try Vectors.read("sframe/test-vectors.json")
        #expect(vectors.header.count == 289)
        for each in vectors.header {
            let header = SFrameHeader(kid: each.kid.value, counter: each.ctr.value)
            #expect(header.encoded == each.encoded.bytes)
            let decoded = try decode(each.encoded.bytes + [0xaa])
            #expect(decoded.header == header && decoded.sizeBytes == each.encoded.bytes.count)
            for cut in each.encoded.bytes.indices { #expect(throws: SealingError.malformed) { try decode(Array(each.encoded.bytes[..<cut])) } }
        }
    }

    @Test(arguments: ["8000", "8007", "900001", "0800", "0807", "090001"])
    func `an SFrame number that is not in its shortest form is refused`(_ hex: String) {
        #expect(throws: SealingError.malformed) { try decode([UInt8](hex: hex)!) }
    }

    private func decode(_ bytes: [UInt8]) throws(SealingError) -> (header: SFrameHeader, sizeBytes: Int) {
        try withBytes(of: bytes) { bytes throws(SealingError) in try SFrameHeader.decode(bytes) }
    }

    @Test func `SFrame suite 4 seals and opens as RFC 9605's does`() throws {
        let vectors: SFrame = try Vectors.read("sframe/test-vectors.json")
        let suite = try #require(vectors.sframe.first { $0.cipherSuite == 4 })
        let baseKey = SecretBytes(suite.baseKey.bytes)
        let (key, salt) = try SFrameKey.keyAndSalt(baseKey: baseKey, kid: suite.kid.value)
        #expect(key.revealed() == suite.sframeKey.bytes)
        #expect(salt.revealed() == suite.sframeSalt.bytes)
        let nonce = Nonce(base: salt).with(suite.ctr.value)
        #expect(withUnsafeBytes(of: nonce.bytes) { Array($0) } == suite.nonce.bytes)
        let header = SFrameHeader(kid: suite.kid.value, counter: suite.ctr.value).encoded
        #expect(header + suite.metadata.bytes == suite.aad.bytes)

        var frame = suite.pt.bytes + [UInt8](repeating: 0, count: tagSizeBytes)
        let sealing = try SFrameKey(baseKey: baseKey, kid: suite.kid.value, .sealing)
        try withMutableBytes(of: &frame) { frame throws(SealingError) in try sealing.seal(frame, counter: suite.ctr.value, aad: suite.aad.bytes) }
        #expect(header + frame == suite.ct.bytes)

        let opening = try SFrameKey(baseKey: baseKey, kid: suite.kid.value, .opening)
        var plain = [UInt8](repeating: 0, count: suite.pt.bytes.count)
        try withMutableBytes(of: &plain) { plain throws(SealingError) in
            try withBytes(of: frame) { frame throws(SealingError) in try opening.open(frame, to: plain.baseAddress!, counter: suite.ctr.value, aad: suite.aad.bytes) }
        }
        #expect(plain == suite.pt.bytes)
    }

    struct Encoding: Decodable {
        let key, salt, keyid, cek, nonce, plaintextUtf8, body: String
        let rs: Int
        let paddingPerRecord: [Int]
    }

    @Test func `the content encoding's keys and records are RFC 8188's`() throws {
        let examples: [Encoding] = try Vectors.read("rfc8188/rfc8188-examples.json")
        #expect(examples.count == 2)
        for example in examples {
            let salt = try #require(Base64URL.decode(example.salt))
            let (key, nonce) = try ContentEncoding.keyAndNonce(keyingMaterial: #require(Base64URL.decode(example.key)), salt: salt)
            #expect(Base64URL.encode(key.revealed()) == example.cek)
            #expect(Base64URL.encode(nonce.revealed()) == example.nonce)
            let cipher = try AESGCM(key: key, .sealing)
            var body = ContentEncoding.header(salt: salt, recordSizeBytes: example.rs, keyID: Array(example.keyid.utf8))
            var rest = Array(example.plaintextUtf8.utf8)[...]
            for (number, padding) in example.paddingPerRecord.enumerated() {
                let isLast = number == example.paddingPerRecord.count - 1
                let plain = rest.prefix(isLast ? rest.count : example.rs - 17 - padding)
                rest = rest.dropFirst(plain.count)
                var record = plain + [isLast ? 2 : 1] + [UInt8](repeating: 0, count: padding + tagSizeBytes)
                record = Array(record)[...]
                var bytes = Array(record)
                try withMutableBytes(of: &bytes) { bytes throws(SealingError) in try cipher.seal(bytes, nonce: Nonce(base: nonce, number: UInt64(number))) }
                body += bytes
            }
            #expect(Base64URL.encode(body) == example.body)
        }
    }

    @Test func `HKDF and HMAC take an empty key for what it is`() throws {
        // RFC 5869, test case 3.
        let secret = try HKDF.extract(salt: [], SecretBytes([UInt8](repeating: 0x0b, count: 22)))
        #expect(secret.revealed().hex == "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04")
        let output = try HKDF.expand(secret, info: [], sizeBytes: 42)
        #expect(output.revealed().hex == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }
}
