// Leaves of a WebP's chunks those that are the picture, and mends the flags and the length that count on the others.

enum StripWebP {
    private static let chunkLimit = 1_048_576
    private static let flagExif: UInt8 = 0x08
    private static let flagXMP: UInt8 = 0x04
    private static let looks: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
    private static let pictures: Set<String> = ["VP8 ", "VP8L", "ANMF"]

    /// `nil`: it cannot be understood.
    static func pieces(_ file: FileWindow) -> Pieces? {
        var header = file.read(0, 12)
        guard header.count == 12 else { return nil }
        let fileEnd = 8 + ByteView(header, isLittle: true).u32(4)
        guard fileEnd <= file.sizeBytes else { return nil }
        var pieces = Pieces()
        pieces.insert(header)
        var features: (place: Int, bytes: [UInt8])?
        var (hasPicture, hasExif, hasOrientation) = (false, false, false)
        var (at, step) = (12, 0)
        while at < fileEnd {
            guard step < chunkLimit, !pieces.isFull, at + 8 <= fileEnd, var view = file.view(at, 8) else { return nil }
            view.isLittle = true
            let (name, length) = (String(decoding: view.bytes[..<4], as: UTF8.self), view.u32(4))
            guard at + 8 + length <= fileEnd else { return nil }
            // Some writers leave out the byte that makes the last chunk even.
            let chunk = at..<min(at + 8 + length + length & 1, fileEnd)
            hasPicture = hasPicture || pictures.contains(name)
            if name == "VP8X", features == nil, length >= 10, length <= 1_024 {
                features = (pieces.pieces.count, file.read(at, chunk.count))
                pieces.insert(features?.bytes ?? [])
            } else if looks.contains(name) {
                pieces.keep(chunk)
            } else if name == "EXIF" {
                hasOrientation = passExif(file.read(at + 8, min(length, ExifRemainder.limitBytes)), &pieces, chunk, isRepeated: hasExif) || hasOrientation
                hasExif = true
            } else {
                pieces.drop()
            }
            at = chunk.upperBound
            step += 1
        }
        guard hasPicture else { return nil }
        if fileEnd < file.sizeBytes { pieces.drop() }
        if var features {
            features.bytes[8] &= ~(flagXMP | (hasOrientation ? 0 : flagExif))
            pieces.replace(features.place, by: features.bytes)
        }
        let size = UInt32(clamping: pieces.sizeBytes - 8)
        for index in 0..<4 { header[4 + index] = UInt8(size >> UInt32(8 * index) & 0xff) }
        pieces.replace(0, by: header)
        return pieces
    }

    /// Whether a chunk with the orientation stays.
    private static func passExif(_ bytes: [UInt8], _ pieces: inout Pieces, _ chunk: Range<Int>, isRepeated: Bool) -> Bool {
        let hasHead = bytes.starts(with: Array("Exif\0\0".utf8))
        switch ExifRemainder.judge(hasHead ? Array(bytes[6...]) : bytes) {
        case .clean where !isRepeated && !hasHead:
            pieces.keep(chunk)
            return true
        case .replaced(let remainder) where !isRepeated: return insert(remainder, &pieces)
        case .clean where !isRepeated: return insert(Array(bytes[6...]), &pieces)
        default:
            pieces.drop()
            return false
        }
    }

    private static func insert(_ remainder: [UInt8], _ pieces: inout Pieces) -> Bool {
        pieces.insert(Array("EXIF".utf8) + [UInt8(remainder.count), 0, 0, 0] + remainder)
        pieces.drop()
        return true
    }
}
