// Leaves of a JPEG's segments those that a decoder needs, and cuts the file where its picture ends.

enum StripJPEG {
    private static let segmentLimit = 1_048_576
    private static let headSizeBytes = 40
    private static let exifHead = Array("Exif\0\0".utf8)
    private static let jfifSizeBytes = 18
    private static let scanPieceSizeBytes = 65_536

    /// `nil`: it cannot be understood. A file that ends inside its scan, as a broken transfer leaves it, is stripped all the same.
    static func pieces(_ file: FileWindow) -> Pieces? {
        var pieces = Pieces()
        pieces.keep(0..<2)
        var (at, hasScan, hasExif) = (2, false, false)
        for _ in 0..<segmentLimit where !pieces.isFull {
            guard let view = file.view(at, 2) else { return hasScan && at == file.sizeBytes ? pieces : nil }
            let marker = view.u8(1)
            guard view.u8(0) == 0xff, marker != 0x00, marker != 0xd8 else { return nil }
            if marker == 0xff {
                pieces.keep(at..<at + 1)
                at += 1
                continue
            }
            if marker == 0x01 || (0xd0...0xd9).contains(marker) {
                pieces.keep(at..<at + 2)
                at += 2
                guard marker == 0xd9 else { continue }
                if at < file.sizeBytes { pieces.drop() }
                return hasScan ? pieces : nil
            }
            guard let length = file.view(at + 2, 2)?.u16(0), length >= 2, at + 2 + length <= file.sizeBytes else { return nil }
            let segment = at..<at + 2 + length
            let head = file.read(at + 4, min(headSizeBytes, length - 2))
            at = segment.upperBound
            if marker == 0xda {
                hasScan = true
                at = scanEnd(file, from: segment.upperBound)
                pieces.keep(segment.lowerBound..<at)
            } else if marker == 0xe1, head.starts(with: exifHead) {
                passExif(file, &pieces, segment, isRepeated: hasExif)
                hasExif = true
            } else if marker == 0xe0, head.starts(with: Array("JFIF\0".utf8)) {
                passJFIF(file, &pieces, segment)
            } else if isNeeded(marker, head) {
                pieces.keep(segment)
            } else {
                pieces.drop()
            }
        }
        return nil
    }

    /// Of all that applications may add, only the colour profile and Adobe's note on the colour model change how the picture looks.
    private static func isNeeded(_ marker: Int, _ head: [UInt8]) -> Bool {
        if marker == 0xe2 { return head.starts(with: Array("ICC_PROFILE\0".utf8)) }
        if marker == 0xee { return head.starts(with: Array("Adobe".utf8)) }
        return marker != 0xfe && !(0xe0...0xef).contains(marker)
    }

    /// Decoders go by the first EXIF segment; the orientation stays where it stood.
    private static func passExif(_ file: FileWindow, _ pieces: inout Pieces, _ segment: Range<Int>, isRepeated: Bool) {
        let start = segment.lowerBound + 4 + exifHead.count
        switch ExifRemainder.judge(file.read(start, segment.upperBound - start)) {
        case .clean where !isRepeated: pieces.keep(segment)
        case .replaced(let remainder) where !isRepeated:
            let length = 2 + exifHead.count + remainder.count
            pieces.insert([0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + exifHead + remainder)
            pieces.drop()
        default: pieces.drop()
        }
    }

    /// A JFIF segment can hold a small picture, which may show what was cut away from the large one.
    private static func passJFIF(_ file: FileWindow, _ pieces: inout Pieces, _ segment: Range<Int>) {
        guard segment.count > jfifSizeBytes else { return pieces.keep(segment) }
        var bytes = file.read(segment.lowerBound, jfifSizeBytes)
        bytes.replaceSubrange(2..<4, with: [0, UInt8(jfifSizeBytes - 2)])
        bytes.replaceSubrange(jfifSizeBytes - 2..<jfifSizeBytes, with: [0, 0])
        pieces.insert(bytes)
        pieces.drop()
    }

    /// Where the next marker stands that does not belong to the scan, or the file's end.
    private static func scanEnd(_ file: FileWindow, from start: Int) -> Int {
        var at = start
        while true {
            let bytes = file.read(at, scanPieceSizeBytes)
            guard !bytes.isEmpty else { return at }
            var index = bytes.firstIndex(of: 0xff)
            while let found = index, found + 1 < bytes.count {
                let next = bytes[found + 1]
                let belongsToScan = next == 0x00 || (0xd0...0xd7).contains(next)
                if !belongsToScan, next != 0xff { return at + found }
                index = bytes[(found + (belongsToScan ? 2 : 1))...].firstIndex(of: 0xff)
            }
            // The last byte alone may be the first half of a marker.
            guard let index else {
                at += bytes.count
                continue
            }
            if index == 0 { return at + bytes.count }
            at += index
        }
    }
}
