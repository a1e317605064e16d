// Reads the relay token out of an Authorization header.

enum BearerToken {
    static let lengthBytes = 32

    /// `nil` unless the header is exactly `Bearer` and 32 bytes in canonical base64url without padding.
    static func read(_ header: String?) -> [UInt8]? {
        guard let header, header.utf8.count == 7 + 43, header.lowercased().hasPrefix("bearer ") else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lengthBytes)
        var held: UInt32 = 0
        var heldBits = 0
        for character in header.utf8.dropFirst(7) {
            guard let value = sextet(character) else { return nil }
            held = held << 6 | value
            heldBits += 6
            if heldBits >= 8 {
                heldBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(heldBits)))
                held &= (1 << UInt32(heldBits)) - 1
            }
        }
        return held == 0 ? bytes : nil
    }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
