// A photo without what a camera wrote beside the picture, made of pieces of the file while it is sent.

import Conversations
import Sealing

/// May be used from any thread.
struct StrippedFile: AttachmentSource {
    let sizeBytes: Int
    private let file: FileSource
    /// With the place of each in the new file.
    private let pieces: [(start: Int, piece: Pieces.Piece)]

    /// - Throws: `file-failed` for what cannot be opened.
    init(path: String, _ pieces: Pieces) throws(ConversationError) {
        file = try FileSource(path: path)
        sizeBytes = pieces.sizeBytes
        var start = 0
        self.pieces = pieces.pieces.map { piece in
            defer { start += piece.count }
            return (start, piece)
        }
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ConversationError) {
        var filled = 0
        for (start, piece) in pieces[firstPiece(at: offset)...] where filled < buffer.count {
            let inside = offset + filled - start
            let count = min(piece.count - inside, buffer.count - filled)
            guard count > 0 else { continue }
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            switch piece {
            case .file(let range): try file.read(at: range.lowerBound + inside, into: target)
            case .bytes(let bytes): target.copyBytes(from: bytes[inside..<inside + count])
            }
            filled += count
        }
    }

    private func firstPiece(at offset: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].start + pieces[middle].piece.count <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What becomes of a file's metadata.
enum MetadataFate: Equatable, Sendable {
    /// Nothing of it was there, or nothing is left.
    case clean
    case takenOut
    /// Nothing is known of how to take it out of such a file, or of this one.
    case stays
}

extension Pieces {
    /// What is left of a picture's file; `nil` where all of it has to stay.
    static func left(of file: FileWindow, _ format: PictureFormat) -> Pieces? {
        switch format {
        case .jpeg: StripJPEG.pieces(file)
        case .png: StripPNG.pieces(file)
        case .webp: StripWebP.pieces(file)
        case .gif, .avif, .heic, .tiff, .raw: nil
        }
    }
}
