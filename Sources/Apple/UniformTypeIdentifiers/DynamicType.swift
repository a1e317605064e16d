// Types that nobody has declared: their identifier carries the tag, in the form that Apple's systems use.

struct DynamicType {
    /// A tag longer than this is refused.
    static let tagLimitBytes = 128

    let identifier: String
    let tag: String
    let tagClass: UTTagClass
    let supertype: String

    private static let prefix = "dyn.a"
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    private static let dataCode = "6"
    private static let keys: [(key: Character, tagClass: UTTagClass)] = [("1", .filenameExtension), ("3", .mimeType)]

    init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType) {
        guard let key = Self.keys.first(where: { $0.tagClass == tagClass })?.key, !tag.contains(":"), !tag.contains("=") else { return nil }
        let code = supertype.identifier == "public.data" ? Self.dataCode : supertype.identifier
        identifier = Self.prefix + Self.encode(Array("?0=\(code):\(key)=\(tag)".utf8))
        self.tag = tag
        self.tagClass = tagClass
        self.supertype = supertype.identifier
    }

    init?(identifier: String) {
        guard identifier.hasPrefix(Self.prefix), identifier.utf8.count <= 4 * Self.tagLimitBytes, let bytes = Self.decode(identifier.dropFirst(Self.prefix.count)),
            let text = String(validating: bytes, as: UTF8.self), text.hasPrefix("?")
        else { return nil }
        var fields: [Character: String] = [:]
        for field in text.dropFirst().split(separator: ":") {
            let parts = field.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].count == 1, let key = parts[0].first else { return nil }
            fields[key] = String(parts[1])
        }
        guard let (key, tagClass) = Self.keys.first(where: { fields[$0.key] != nil }), let tag = fields[key] else { return nil }
        self.identifier = identifier
        self.tag = tag
        self.tagClass = tagClass
        let code = fields["0"] ?? Self.dataCode
        supertype = code == Self.dataCode ? "public.data" : code
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { result.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for letter in text.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return result
    }
}
