// Base64url without padding (RFC 4648 §5), only in its canonical form.

enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var characters: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                characters.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { characters.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// `nil` for a character outside the alphabet, a length that cannot be, or bits left over that are not zero.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xffff
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
