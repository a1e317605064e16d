// Tells what a picture is from its first bytes, because names are claims. The browser's gallery decides by the same bytes.

enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, gif, avif, heic
    /// What the browser's gallery shows as a plain tile with its preview.
    case tiff, raw

    static let headSizeBytes = 64
    private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]

    /// `nil` for whatever is no picture.
    init?(head bytes: [UInt8]) {
        func ascii(_ at: Int, _ count: Int) -> String { at + count <= bytes.count ? String(decoding: bytes[at..<at + count], as: UTF8.self) : "" }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if ["GIF87a", "GIF89a"].contains(ascii(0, 6)) {
            self = .gif
        } else if ascii(0, 4) == "RIFF", ascii(8, 4) == "WEBP" {
            self = .webp
        } else if ascii(4, 4) == "ftyp" {
            guard let format = Self.brand(bytes, ascii) else { return nil }
            self = format
        } else if ascii(0, 15) == "FUJIFILMCCD-RAW" || ["IIRO", "IIRS", "MMOR"].contains(ascii(0, 4)) || bytes.starts(with: [0x49, 0x49, 0x55, 0x00]) {
            self = .raw
        } else if bytes.starts(with: [0x49, 0x49, 0x2a, 0x00]) || bytes.starts(with: [0x4d, 0x4d, 0x00, 0x2a]) {
            self = .tiff
        } else {
            return nil
        }
    }

    private static func brand(_ bytes: [UInt8], _ ascii: (Int, Int) -> String) -> PictureFormat? {
        let size = min(bytes[..<4].reduce(0) { $0 << 8 | Int($1) }, bytes.count)
        let brands = [ascii(8, 4)] + stride(from: 16, through: size - 4, by: 4).map { ascii($0, 4) }
        if brands.contains("avif") || brands.contains("avis") { return .avif }
        if brands.contains(where: heicBrands.contains) || brands[0] == "mif1" || brands[0] == "msf1" { return .heic }
        return brands[0] == "crx " ? .raw : nil
    }

    /// A MIME type.
    var type: String { self == .raw ? "image/x-raw" : "image/\(rawValue)" }

    init?(type: String) {
        guard let format = Self.allCases.first(where: { $0.type == type }) else { return nil }
        self = format
    }

    /// The first is the usual one.
    var extensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png", "apng"]
        case .webp: ["webp"]
        case .gif: ["gif"]
        case .avif: ["avif", "avifs"]
        case .heic: ["heic", "heif", "hif"]
        case .tiff: ["tif", "tiff", "dng", "cr2", "nef", "arw", "pef", "srw", "3fr", "iiq"]
        case .raw: ["raw", "raf", "orf", "rw2", "cr3"]
        }
    }
}
