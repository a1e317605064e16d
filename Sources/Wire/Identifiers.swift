// The 16-byte names of the protocol, as values that cannot be mixed up.

/// 16 bytes, compared and hashed as two words.
public struct Bytes16: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static let zero = Bytes16(high: 0, low: 0)
}

public protocol Identifier: Hashable, Sendable {
    var bytes: Bytes16 { get }
    init(_ bytes: Bytes16)
}

public struct ConversationID: Identifier {
    public let bytes: Bytes16
    public init(_ bytes: Bytes16) { self.bytes = bytes }
}

public struct SessionID: Identifier {
    public let bytes: Bytes16
    public init(_ bytes: Bytes16) { self.bytes = bytes }
    /// The conversation's own session: whoever is in the conversation is in it.
    public static let own = SessionID(.zero)
}

public struct ParticipantID: Identifier {
    public let bytes: Bytes16
    public init(_ bytes: Bytes16) { self.bytes = bytes }
    /// Stands for the relay itself where a frame names who did something.
    public static let relay = ParticipantID(.zero)
}

public struct EntryID: Identifier {
    public let bytes: Bytes16
    public init(_ bytes: Bytes16) { self.bytes = bytes }
}

extension Identifier {
    /// The 22 characters of base64url without padding that addresses use. `nil` unless `text` is exactly the canonical form.
    public init?(base64URL text: some StringProtocol) {
        guard let bytes = Bytes16(base64URL: text) else { return nil }
        self.init(bytes)
    }

    public var base64URL: String { bytes.base64URL }
}

extension Bytes16 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    public init?(base64URL text: some StringProtocol) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            count += 1
            guard count <= 22 else { return nil }
            if count == 22 {
                // The last character carries two bits; the other four must be zero in the canonical form.
                guard value & 0x0f == 0 else { return nil }
                high = high << 2 | low >> 62
                low = low << 2 | UInt64(value >> 4)
            } else {
                high = high << 6 | low >> 58
                low = low << 6 | UInt64(value)
            }
        }
        guard count == 22 else { return nil }
        self.init(high: high, low: low)
    }

    public var base64URL: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(22)
        var (high, low) = (self.high, self.low)
        for _ in 0..<21 {
            characters.append(Self.alphabet[Int(high >> 58)])
            high = high << 6 | low >> 58
            low <<= 6
        }
        characters.append(Self.alphabet[Int(high >> 62) << 4])
        return String(decoding: characters, as: UTF8.self)
    }
}
