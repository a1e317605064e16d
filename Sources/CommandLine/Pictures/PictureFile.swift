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
            // In bytes where people's figures would say the same of both.
            case .tooLarge(let limit, let value) where Amounts.bytes(value) == Amounts.bytes(limit): "it has \(value) bytes, where \(limit) is the limit"
            case .tooLarge(let limit, let value): "it has \(Amounts.bytes(value)), where \(Amounts.bytes(limit)) is the limit"
            case .noPicture: "it is no picture, going by its content"
            case .damaged: "its headers are damaged"
            }
        }

        var exit: Program.Exit { self == .unreadable ? .cannotRead : .refusedFile }
    }

    let path: String
    let name: String
    /// Of what is shared.
    let sizeBytes: Int
    /// Of the file.
    let fileSizeBytes: Int
    let format: PictureFormat
    /// Upright.
    let width: Int
    let height: Int
    let takenAt: String?
    let isAnimated: Bool
    /// What is shared says where it was taken.
    let hasLocation: Bool
    let metadata: MetadataFate
    /// What is left of the file; `nil` where all of it is shared.
    private let pieces: Pieces?
    /// SHA-256 of what is shared, in hexadecimal.
    let digest: String

    /// - Parameter keepsMetadata: share the file byte for byte.
    init(path: String, keepsMetadata: Bool) throws(Refusal) {
        guard let window = FileWindow(path: path) else { throw .unreadable }
        guard window.sizeBytes > 0 else { throw .empty }
        guard window.sizeBytes <= Limits.attachmentSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.attachmentSizeLimitBytes, valueBytes: window.sizeBytes) }
        guard var format = PictureFormat(head: window.read(0, PictureFormat.headSizeBytes)) else { throw .noPicture }
        guard let header = PictureHeader.read(format, window) else { throw .damaged }
        if format == .tiff, header.exif.isRaw { format = .raw }
        let left = keepsMetadata ? nil : Pieces.left(of: window, format)
        let pieces = left.flatMap { $0.isShorter ? $0 : nil }
        guard let source = try? Self.source(path, pieces), let digest = FileDigest.sha256(source) else { throw .unreadable }
        let isTurned = header.exif.orientation >= 5
        let isSizeKnown = header.width > 1 && header.height > 1 || (format != .raw && format != .tiff)
        self.path = path
        self.name = path.split(separator: "/").last.map(String.init) ?? path
        sizeBytes = source.sizeBytes
        fileSizeBytes = window.sizeBytes
        self.pieces = pieces
        metadata = pieces != nil ? .takenOut : left != nil ? .clean : .stays
        self.format = format
        width = isSizeKnown ? (isTurned ? header.height : header.width) : 0
        height = isSizeKnown ? (isTurned ? header.width : header.height) : 0
        takenAt = header.exif.takenAt
        isAnimated = header.isAnimated
        hasLocation = header.exif.hasLocation && left == nil
        self.digest = digest
    }

    /// The bytes to share.
    func source() throws(ConversationError) -> any AttachmentSource { try Self.source(path, pieces) }

    private static func source(_ path: String, _ pieces: Pieces?) throws(ConversationError) -> any AttachmentSource {
        guard let pieces else { return try FileSource(path: path) }
        return try StrippedFile(path: path, pieces)
    }
}

enum FileDigest {
    private static let pieceSizeBytes = 262_144

    /// `nil` when it cannot be read.
    static func sha256(_ path: String) -> String? { (try? FileSource(path: path)).flatMap { sha256($0) } }

    static func sha256(_ source: any AttachmentSource) -> String? {
        guard let digest = try? RunningDigest() else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSizeBytes, alignment: 64)
        defer { buffer.deallocate() }
        var at = 0
        while at < source.sizeBytes {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(pieceSizeBytes, source.sizeBytes - at)])
            guard (try? source.read(at: at, into: piece)) != nil, (try? digest.update(UnsafeRawBufferPointer(piece))) != nil else { return nil }
            at += piece.count
        }
        return finish(digest)
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
