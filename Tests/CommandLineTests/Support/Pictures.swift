// Small files that are pictures by their headers, each with bytes of its own.

/// A JPEG with EXIF: turned by `orientation`, taken on 11 July 2026 at 18:05:09+02:00.
func jpeg(_ seed: UInt8, sizeBytes: Int = 2_000, width: UInt16 = 640, height: UInt16 = 480, orientation: UInt8 = 1, hasLocation: Bool = false) -> [UInt8] {
    func be(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
    func entry(_ tag: UInt16, _ type: UInt8, _ count: UInt8, _ value: [UInt8]) -> [UInt8] { be(tag) + [0, type, 0, 0, 0, count] + value }
    let mainCount: UInt8 = hasLocation ? 3 : 2
    let detailAt = 8 + 2 + mainCount * 12 + 4
    let textAt = detailAt + 2 + 2 * 12 + 4
    var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, mainCount]
    tiff += entry(0x0112, 3, 1, [0, orientation, 0, 0]) + entry(0x8769, 4, 1, [0, 0, 0, detailAt])
    if hasLocation { tiff += entry(0x8825, 4, 1, [0, 0, 0, detailAt]) }
    tiff += [0, 0, 0, 0, 0, 2] + entry(0x9003, 2, 20, [0, 0, 0, textAt]) + entry(0x9011, 2, 7, [0, 0, 0, textAt + 20]) + [0, 0, 0, 0]
    tiff += Array("2026:07:11 18:05:09\0+02:00\0".utf8)
    let exif = Array("Exif\0\0".utf8) + tiff
    var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe1] + be(UInt16(exif.count + 2)) + exif
    bytes += [0xff, 0xc0, 0, 11, 8] + be(height) + be(width) + [1, 1, 0x11, 0] + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    while bytes.count < sizeBytes - 2 { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31 &+ Int(seed)) & 0x7f) }
    return bytes + [0xff, 0xd9]
}

/// A GIF with one frame, or two.
func gif(frames: Int) -> [UInt8] {
    let frame: [UInt8] = [0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 7, 0, 5, 0, 0, 2, 2, 0x4c, 1, 0]
    return Array("GIF89a".utf8) + [7, 0, 5, 0, 0, 0, 0] + (0..<frames).flatMap { _ in frame } + [0x3b]
}

let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 0, 9, 8, 2, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
