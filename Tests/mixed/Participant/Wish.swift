// What a participant of the mixed conversation is asked and what it answers, as `Tests/mixed/voice.mjs` does in JavaScript.

import Foundation

struct Wish: Decodable {
    let wish: String
    var title: String?
    var from: Int?
    var to: Int?
    var number: Int?
    var sizeBytes: Int?
}

struct Answer: Encodable {
    var state: String?
    var title: String?
    /// Of what was to be said so far, how much has its place.
    var said: Int?
    /// How much was heard so far.
    var heardCount: Int?
    /// Who said it, and its number.
    var heard: [String]?
    var participants: [String]?
    /// Their numbers and owners.
    var attachments: [String]?
    /// By number: the length and a checksum of the content.
    var contents: [String: String]?
    var complaints: [String]?
    var error: String?
}

/// The content of each message and attachment follows from its number, in each language alike.
enum Content {
    static func text(_ name: String, _ number: Int) -> String { "\(name) \(number) " + String(repeating: "ü", count: number * 37 % 300) }

    static func bytes(_ number: Int, sizeBytes: Int) -> Data { Data((0..<sizeBytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number) }) }

    /// Adler-32.
    static func checksum(_ data: Data) -> String {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return "\(data.count) \(b << 16 | a)"
    }
}
