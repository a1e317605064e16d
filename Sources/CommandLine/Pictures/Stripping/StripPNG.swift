// Leaves of a PNG's chunks those that change how it looks, and cuts the file where it says that it ends.

enum StripPNG {
    private static let chunkLimit = 1_048_576
    private static let lengthLimitBytes = 0x7fff_ffff
    /// Chunks that a decoder may pass over and that still change the picture. All that are not here and not critical go, so that a chunk nobody has heard of yet goes too.
    private static let looks: Set<String> = [
        "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "mDCv", "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]

    /// `nil`: it cannot be understood. A file that ends inside its picture data is stripped all the same.
    static func pieces(_ file: FileWindow) -> Pieces? {
        var pieces = Pieces()
        pieces.keep(0..<8)
        var (at, hasExif) = (8, false)
        for step in 0..<chunkLimit where !pieces.isFull {
            guard let view = file.view(at, 8) else { return nil }
            let (length, letters) = (view.u32(0), view.bytes[4...])
            let name = String(decoding: letters, as: UTF8.self)
            guard length <= lengthLimitBytes, letters.allSatisfy({ (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }), (step == 0) == (name == "IHDR") else { return nil }
            let chunk = at..<at + 12 + length
            guard chunk.upperBound <= file.sizeBytes else {
                guard name == "IDAT" || name == "fdAT" else { return nil }
                pieces.keep(at..<file.sizeBytes)
                return pieces
            }
            if name == "eXIf" {
                passExif(file.read(at + 8, min(length, ExifRemainder.limitBytes)), &pieces, chunk, isRepeated: hasExif)
                hasExif = true
            } else if (0x41...0x5a).contains(letters.first ?? 0) || looks.contains(name) {
                pieces.keep(chunk)
            } else {
                pieces.drop()
            }
            at = chunk.upperBound
            if name == "IEND" {
                if at < file.sizeBytes { pieces.drop() }
                return pieces
            }
        }
        return nil
    }

    private static func passExif(_ tiff: [UInt8], _ pieces: inout Pieces, _ chunk: Range<Int>, isRepeated: Bool) {
        switch ExifRemainder.judge(tiff) {
        case .clean where !isRepeated: pieces.keep(chunk)
        case .replaced(let remainder) where !isRepeated:
            let body = Array("eXIf".utf8) + remainder
            pieces.insert(bigEndian(UInt32(remainder.count)) + body + bigEndian(crc32(body)))
            pieces.drop()
        default: pieces.drop()
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { [UInt8(value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)] }

    /// Of a few bytes: a table would be longer than the work.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 } }
    }
}
