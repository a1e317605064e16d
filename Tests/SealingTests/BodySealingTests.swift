// Bodies of attachments: any part at any time, the same bytes each time; opened in order, and only as a whole.

import Testing
import Wire

@testable import Sealing

struct BodySealingTests {
    let attachment = EntryID(Bytes16(high: 5, low: 6))

    func plain(_ size: Int) -> [UInt8] {
        var generator = Seeded(state: UInt64(size))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 8)
        while bytes.count < size { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes[..<size])
    }

    func manifest(_ size: Int) throws -> Manifest {
        try Manifest(keyingMaterial: Array(0..<16), salt: Array(16..<32), plainSizeBytes: size, metadata: [])
    }

    func part(_ number: Int, _ sealer: BodySealer, _ plain: [UInt8]) throws -> [UInt8] {
        try sealer.withPart(number, read: { offset, buffer in buffer.copyBytes(from: plain[offset..<offset + buffer.count]) }, { Array($0) })
    }

    func seal(_ plain: [UInt8]) throws -> [UInt8] {
        let sealer = try BodySealer(manifest(plain.count), attachment: attachment)
        return try (0..<sealer.layout.partCount).flatMap { try part($0, sealer, plain) }
    }

    func open(_ body: [UInt8], size: Int, pieceSize: Int = .max, hashes: [[UInt8]] = []) throws -> [UInt8] {
        let opener = try BodyOpener(manifest(size), attachment: attachment, bodySizeBytes: body.count)
        var output: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            try rest.prefix(pieceSize).withUnsafeBytes { try opener.take($0) { output.append(contentsOf: $0) } }
            rest = rest.dropFirst(pieceSize)
        }
        try opener.finish(partHashes: hashes)
        return output
    }

    static let sizes = [0, 1, 65_518, 65_519, 65_520, 1_048_000, 1_048_267, 1_048_268, 1_048_269, 1_048_304, 1_048_576, 2_096_608, 3_000_000]

    @Test(arguments: sizes)
    func `a body has the length that the protocol gives and opens to what was sealed`(_ size: Int) throws {
        let plain = plain(size)
        let body = try seal(plain)
        #expect(body.count == 37 + size + 17 * max(1, (size + 65_518) / 65_519))
        #expect(try open(body, size: size) == plain)
        #expect(try open(body, size: size, pieceSize: 7_001) == plain)
        let hashes = try stride(from: 0, to: body.count, by: Limits.partSizeBytes).map { start in
            try withBytes(of: body[start..<min(body.count, start + Limits.partSizeBytes)]) { bytes throws(SealingError) in try sha256(bytes) }
        }
        #expect(try open(body, size: size, pieceSize: 300_000, hashes: hashes) == plain)
        var wrong = hashes
        wrong[0][0] ^= 1
        #expect(throws: SealingError.tampered) { try open(body, size: size, hashes: wrong) }
    }

    @Test func `the largest attachment has the length that the limits say`() {
        #expect(BodyLayout(plainSizeBytes: Limits.attachmentSizeLimitBytes).bodySizeBytes == Limits.bodySizeLimitBytes)
    }

    @Test func `parts asked for in any order are the same bytes`() throws {
        let plain = plain(4_500_000)
        let body = try seal(plain)
        let sealer = try BodySealer(manifest(plain.count), attachment: attachment)
        for number in [3, 1, 2, 0, 4, 4, 0, 1] {
            let start = number * Limits.partSizeBytes
            #expect(try part(number, sealer, plain) == Array(body[start..<min(body.count, start + Limits.partSizeBytes)]))
        }
    }

    @Test func `a source that has changed is noticed before a nonce serves twice`() throws {
        var plain = plain(3_000_000)
        let sealer = try BodySealer(manifest(plain.count), attachment: attachment)
        _ = try part(0, sealer, plain)
        _ = try part(1, sealer, plain)
        plain[500_000] ^= 1
        #expect(throws: BodySealer.Failure.sourceChanged) { try part(0, sealer, plain) }
        #expect(try part(2, sealer, plain).count > 0)
    }

    @Test func `with any byte flipped the body does not open`() throws {
        let body = try seal(plain(300))
        for index in body.indices {
            var broken = body
            broken[index] ^= 1 << (index % 8)
            #expect(throws: SealingError.tampered) { try open(broken, size: 300) }
        }
    }

    @Test func `a byte flipped anywhere in a long body is noticed`() throws {
        let body = try seal(plain(1_200_000))
        for index in stride(from: 0, to: body.count, by: 65_521) {
            var broken = body
            broken[index] ^= 0x10
            #expect(throws: SealingError.tampered) { try open(broken, size: 1_200_000, pieceSize: 100_000) }
        }
    }

    @Test func `a body cut short, lengthened, reordered or of another attachment is refused`() throws {
        let size = 200_000
        let body = try seal(plain(size))
        for count in [0, 36, 37, 65_573, 131_109, body.count - 1] {
            let opener = try BodyOpener(manifest(size), attachment: attachment, bodySizeBytes: body.count)
            try body[..<count].withUnsafeBytes { try opener.take($0) { _ in } }
            #expect(throws: SealingError.tampered) { try opener.finish() }
        }
        let opener = try BodyOpener(manifest(size), attachment: attachment, bodySizeBytes: body.count)
        #expect(throws: SealingError.tampered) { try (body + [0]).withUnsafeBytes { try opener.take($0) { _ in } } }
        #expect(throws: SealingError.tampered) { try BodyOpener(manifest(size), attachment: attachment, bodySizeBytes: body.count - 17) }
        let swapped = body[..<37] + body[65_573..<131_109] + body[37..<65_573] + body[131_109...]
        #expect(throws: SealingError.tampered) { try open(Array(swapped), size: size) }
        let other = try BodyOpener(manifest(size), attachment: EntryID(.zero), bodySizeBytes: body.count)
        #expect(throws: SealingError.tampered) { try body.withUnsafeBytes { try other.take($0) { _ in } } }
    }
}
