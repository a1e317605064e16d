// The vectors that both languages read, as plain values.

import Foundation

@testable import Sealing

enum Vectors {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors")

    static func read<Value: Decodable>(_ path: String, as _: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(contentsOf: directory.appendingPathComponent(path)))
    }
}

/// Bytes written in hexadecimal.
struct Hex: Decodable, Equatable, Sendable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = [UInt8](hex: text) else { throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text)) }
        self.bytes = bytes
    }
}

extension Array where Element == UInt8 {
    init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
        }
        self = bytes
    }

    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
