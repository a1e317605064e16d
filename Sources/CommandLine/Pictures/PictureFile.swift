// A file that somebody wants to share: judged by its size and headers before a byte is sent.

import Conversations
import Foundation
import Sealing
import Wire

struct PictureFile: Sendable {
    enum Refusal: Error, Equatable, Sendable {
        case unreadable
        case empty
        case tooLarge(limitBytes: Int, valueBytes: Int)
        case noPicture
        case damaged

        var words: String {
            switch self {
            case .unreadable: "it cannot be read"
            case .empty: "it is empty"
            case .tooLarge(let limit, let value): "it has \(value) bytes, where \(limit) is the limit"
            case .noPicture: "it is no picture, going by its content"
            case .damaged: "its headers are damaged"
            }
        }

        var exit: Program.Exit { self == .unreadable ? .cannotRead : .refusedFile }
    }

    let path: String
    let name: String
    let sizeBytes: Int
    let format: PictureFormat
    /// Upright.
    let width: Int
    let height: Int
    let takenAt: String?
    let isAnimated: Bool
    let hasLocation: Bool
    /// SHA-256 of the file, in hexadecimal.
    let digest: String

    init(path: String) throws(Refusal) {
        guard let window = FileWindow(path: path) else { throw .unreadable }
        guard window.sizeBytes > 0 else { throw .empty }
        guard window.sizeBytes <= Limits.attachmentSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.attachmentSizeLimitBytes, valueBytes: window.sizeBytes) }
        guard var format = PictureFormat(head: window.read(0, PictureFormat.headSizeBytes)) else { throw .noPicture }
        guard let header = PictureHeader.read(format, window) else { throw .damaged }
        if format == .tiff, header.exif.isRaw { format = .raw }
        guard let digest = FileDigest.sha256(path) else { throw .unreadable }
        let isTurned = header.exif.orientation >= 5
        let isSizeKnown = header.width > 1 && header.height > 1 || (format != .raw && format != .tiff)
        self.path = path
        self.name = path.split(separator: "/").last.map(String.init) ?? path
        sizeBytes = window.sizeBytes
        self.format = format
        width = isSizeKnown ? (isTurned ? header.height : header.width) : 0
        height = isSizeKnown ? (isTurned ? header.width : header.height) : 0
        takenAt = header.exif.takenAt
        isAnimated = header.isAnimated
        hasLocation = header.exif.hasLocation
        self.digest = digest
    }
}

enum FileDigest {
    private static let pieceSizeBytes = 262_144

    /// `nil` when it cannot be read.
    static func sha256(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let digest = try? RunningDigest() else { return nil }
        defer { try? file.close() }
        while true {
            guard let piece = try? file.read(upToCount: pieceSizeBytes) else { return finish(digest) }
            if piece.isEmpty { return finish(digest) }
            guard (try? piece.withUnsafeBytes { try digest.update($0) }) != nil else { return nil }
        }
    }

    private static func finish(_ digest: RunningDigest) -> String? {
        (try? digest.finish()).map { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }
}
