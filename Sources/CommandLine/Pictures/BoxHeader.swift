// Reads size and date from the boxes of AVIF and HEIC.

enum BoxHeader {
    private struct Box {
        let name: String
        let at: Int
        let end: Int
    }

    private static let boxLimit = 1_024
    private static let exifLimitBytes = 1_048_576

    static func read(_ file: FileWindow) -> PictureHeader? {
        let top = boxes(file, 0, file.sizeBytes)
        guard let meta = top.first(where: { $0.name == "meta" }) else { return nil }
        let parts = boxes(file, meta.at + 4, meta.end)
        guard let properties = parts.first(where: { $0.name == "iprp" }), let container = boxes(file, properties.at, properties.end).first(where: { $0.name == "ipco" }) else { return nil }
        var header = PictureHeader(width: 0, height: 0, isAnimated: top.contains { $0.name == "moov" })
        var isTurned = false
        for box in boxes(file, container.at, container.end) {
            // Tiles and previews have sizes of their own; the whole picture's is the largest.
            if box.name == "ispe", let view = file.view(box.at + 4, 8), Double(view.u32(0)) * Double(view.u32(4)) > Double(header.width) * Double(header.height) {
                (header.width, header.height) = (view.u32(0), view.u32(4))
            }
            if box.name == "irot" { isTurned = (file.read(box.at, 1).first ?? 0) & 1 == 1 }
        }
        if isTurned { (header.width, header.height) = (header.height, header.width) }
        header.exif = exif(file, parts)
        // These pictures are turned by `irot`; the format says to ignore the orientation of EXIF.
        header.exif.orientation = 1
        return header
    }

    private static func boxes(_ file: FileWindow, _ start: Int, _ end: Int) -> [Box] {
        var found: [Box] = []
        var at = start
        while at + 8 <= end, found.count < boxLimit, let view = file.view(at, 8) {
            var (length, head) = (view.u32(0), 8)
            if length == 1 { (length, head) = (file.view(at + 8, 8)?.u64(0) ?? 0, 16) } else if length == 0 { length = end - at }
            guard length >= head, length <= end - at else { break }
            found.append(Box(name: file.name(at + 4), at: at + head, end: at + length))
            at += length
        }
        return found
    }

    private static func exif(_ file: FileWindow, _ parts: [Box]) -> Exif {
        guard let infos = parts.first(where: { $0.name == "iinf" }), let places = parts.first(where: { $0.name == "iloc" }) else { return Exif() }
        let start = infos.at + (file.read(infos.at, 1).first == 0 ? 6 : 8)
        for info in boxes(file, start, infos.end) {
            guard let view = file.view(info.at, 12), view.u8(0) == 2, file.name(info.at + 8) == "Exif" else { continue }
            guard let place = place(file, places, of: view.u16(4)), (8...exifLimitBytes).contains(place.count), let prefix = file.view(place.at, 4) else { return Exif() }
            let skip = 4 + prefix.u32(0)
            return skip < place.count ? Exif(file.read(place.at + skip, place.count - skip)) : Exif()
        }
        return Exif()
    }

    private static func place(_ file: FileWindow, _ table: Box, of item: Int) -> (at: Int, count: Int)? {
        let view = ByteView(file.read(table.at, min(table.end - table.at, 65_536)))
        let version = view.u8(0)
        let (baseSize, indexSize) = (view.u8(5) >> 4, version == 1 ? view.u8(5) & 15 : 0)
        guard version <= 1, view.u8(4) == 0x44, [0, 4].contains(baseSize), [0, 4].contains(indexSize) else { return nil }
        var at = 8
        for _ in 0..<view.u16(6) {
            let head = 2 + (version == 1 ? 2 : 0) + 2 + baseSize + 2
            guard at + head <= view.bytes.count else { return nil }
            let id = view.u16(at)
            let base = baseSize == 4 ? view.u32(at + head - 6) : 0
            let extents = view.u16(at + head - 2)
            at += head
            if id == item, extents == 1, at + indexSize + 8 <= view.bytes.count { return (base + view.u32(at + indexSize), view.u32(at + indexSize + 4)) }
            at += extents * (indexSize + 8)
        }
        return nil
    }
}
