// Reads how large a picture is from the first bytes of its file. The bytes may be anything: every read is checked.

import Foundation

struct PictureSize: Equatable {
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let width: Int
    let height: Int

    init?(_ data: Data) {
        let reader = Reader(data: data)
        guard let size = reader.png ?? reader.jpeg ?? reader.gif ?? reader.webp, size.0 > 0, size.1 > 0 else { return nil }
        (width, height) = size
    }

    private struct Reader {
        let data: Data

        func byte(_ place: Int) -> Int? { place >= 0 && place < data.count ? Int(data[data.startIndex + place]) : nil }
        func bigEndian(_ place: Int, bytes: Int) -> Int? { number((0..<bytes).map { place + $0 }) }
        func littleEndian(_ place: Int, bytes: Int) -> Int? { number((0..<bytes).reversed().map { place + $0 }) }
        func has(_ text: String, at place: Int) -> Bool { Array(text.utf8).enumerated().allSatisfy { byte(place + $0.offset) == Int($0.element) } }

        private func number(_ places: [Int]) -> Int? {
            var result = 0
            for place in places {
                guard let next = byte(place) else { return nil }
                result = result << 8 | next
            }
            return result
        }

        private func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
            guard let width, let height else { return nil }
            return (width, height)
        }

        var png: (Int, Int)? {
            guard data.starts(with: PictureSize.pngSignature), has("IHDR", at: 12) else { return nil }
            return pair(bigEndian(16, bytes: 4), bigEndian(20, bytes: 4))
        }

        var gif: (Int, Int)? {
            guard has("GIF87a", at: 0) || has("GIF89a", at: 0) else { return nil }
            return pair(littleEndian(6, bytes: 2), littleEndian(8, bytes: 2))
        }

        var webp: (Int, Int)? {
            guard has("RIFF", at: 0), has("WEBP", at: 8) else { return nil }
            if has("VP8X", at: 12) { return pair(littleEndian(24, bytes: 3).map { $0 + 1 }, littleEndian(27, bytes: 3).map { $0 + 1 }) }
            if has("VP8 ", at: 12) { return pair(littleEndian(26, bytes: 2).map { $0 & 0x3FFF }, littleEndian(28, bytes: 2).map { $0 & 0x3FFF }) }
            guard has("VP8L", at: 12), byte(20) == 0x2F, let bits = littleEndian(21, bytes: 4) else { return nil }
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        }

        var jpeg: (Int, Int)? {
            guard byte(0) == 0xFF, byte(1) == 0xD8 else { return nil }
            var place = 2
            while let lead = byte(place), let marker = byte(place + 1) {
                guard lead == 0xFF else { return nil }
                if marker == 0xFF {
                    place += 1
                    continue
                }
                if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                    place += 2
                    continue
                }
                guard let length = bigEndian(place + 2, bytes: 2), length >= 2 else { return nil }
                // Start of frame, in all its kinds.
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return pair(bigEndian(place + 7, bytes: 2), bigEndian(place + 5, bytes: 2)) }
                place += 2 + length
            }
            return nil
        }
    }
}
