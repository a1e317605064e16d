// Reads size, orientation and date from a picture's own headers, so that nothing has to be decoded to judge it.

struct PictureHeader: Equatable, Sendable {
    /// As stored; `exif.orientation` is what is asked for on top of that.
    var width: Int
    var height: Int
    var exif = Exif()
    var isAnimated = false

    private static let stepLimit = 4_096
    private static let exifLimitBytes = 1_048_576
    /// What any of these formats can have.
    private static let edgeLimitPixels = 1 << 31

    /// `nil` when the headers are damaged.
    static func read(_ format: PictureFormat, _ file: FileWindow) -> PictureHeader? {
        let header =
            switch format {
            case .jpeg: jpeg(file)
            case .png: png(file)
            case .gif: gif(file)
            case .webp: webp(file)
            case .avif, .heic: BoxHeader.read(file)
            case .tiff: tiff(file)
            // Every maker has a format of its own: they are taken as they are.
            case .raw: PictureHeader(width: 1, height: 1)
            }
        guard let header, header.width > 0, header.height > 0, header.width <= edgeLimitPixels, header.height <= edgeLimitPixels else { return nil }
        return header
    }

    private static func jpeg(_ file: FileWindow) -> PictureHeader? {
        var exif: Exif?
        var at = 2
        for _ in 0..<stepLimit {
            guard let view = file.view(at, 4), view.u8(0) == 0xff else { return nil }
            let (marker, length) = (view.u8(1), view.u16(2))
            if marker == 0xff {
                at += 1
                continue
            }
            guard length >= 2, marker != 0xda, marker != 0xd9 else { return nil }
            if marker == 0xe1, exif == nil {
                let bytes = file.read(at + 4, length - 2)
                if bytes.starts(with: Array("Exif\0\0".utf8)) { exif = Exif(Array(bytes[6...])) }
            }
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
                return file.view(at + 4, 5).map { PictureHeader(width: $0.u16(3), height: $0.u16(1), exif: exif ?? Exif()) }
            }
            at += 2 + length
        }
        return nil
    }

    private static func png(_ file: FileWindow) -> PictureHeader? {
        guard let first = file.view(8, 16), file.name(12) == "IHDR" else { return nil }
        var header = PictureHeader(width: first.u32(8), height: first.u32(12))
        var at = 33
        for _ in 0..<stepLimit {
            guard let view = file.view(at, 8) else { break }
            let (length, name) = (view.u32(0), file.name(at + 4))
            if name == "acTL" { header.isAnimated = true }
            if name == "eXIf", length <= exifLimitBytes { header.exif = Exif(file.read(at + 8, length)) }
            if name == "IEND" { break }
            at += 12 + length
        }
        return header
    }

    private static func gif(_ file: FileWindow) -> PictureHeader? {
        guard var view = file.view(6, 7) else { return nil }
        view.isLittle = true
        func tableSize(_ flags: Int) -> Int { flags & 0x80 != 0 ? 3 << ((flags & 7) + 1) : 0 }
        var header = PictureHeader(width: view.u16(0), height: view.u16(2))
        var (at, frames) = (13 + tableSize(view.u8(4)), 0)
        for _ in 0..<stepLimit {
            guard let kind = file.read(at, 1).first, kind == 0x21 || kind == 0x2c else { break }
            if kind == 0x2c {
                frames += 1
                if frames == 2 {
                    header.isAnimated = true
                    break
                }
                guard let descriptor = file.view(at, 10) else { break }
                at += 11 + tableSize(descriptor.u8(9))
            } else {
                at += 2
            }
            while let length = file.read(at, 1).first {
                at += 1 + Int(length)
                if length == 0 { break }
            }
        }
        return header
    }

    private static func webp(_ file: FileWindow) -> PictureHeader? {
        guard var view = file.view(12, 18) else { return nil }
        view.isLittle = true
        switch file.name(12) {
        case "VP8 ": return PictureHeader(width: view.u16(14) & 0x3fff, height: view.u16(16) & 0x3fff)
        case "VP8L": return PictureHeader(width: view.u32(9) & 0x3fff + 1, height: view.u32(9) >> 14 & 0x3fff + 1)
        case "VP8X":
            let exif = view.u8(8) & 0x08 != 0 ? webpExif(file) : Exif()
            return PictureHeader(
                width: (view.u16(12) | view.u8(14) << 16) + 1, height: (view.u8(15) | view.u16(16) << 8) + 1, exif: exif, isAnimated: view.u8(8) & 0x02 != 0)
        default: return nil
        }
    }

    private static func webpExif(_ file: FileWindow) -> Exif {
        var at = 12
        for _ in 0..<stepLimit {
            guard var view = file.view(at, 8) else { break }
            view.isLittle = true
            let length = view.u32(4)
            if file.name(at) == "EXIF", length <= exifLimitBytes {
                let bytes = file.read(at + 8, length)
                return Exif(bytes.starts(with: Array("Exif\0\0".utf8)) ? Array(bytes[6...]) : bytes)
            }
            at += 8 + length + length & 1
        }
        return Exif()
    }

    private static func tiff(_ file: FileWindow) -> PictureHeader? {
        let exif = Exif(file.read(0, exifLimitBytes))
        // A first directory beyond what is looked at says nothing and is no damage.
        return PictureHeader(width: max(1, exif.width), height: max(1, exif.height), exif: exif)
    }
}
