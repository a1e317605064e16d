// A new file as a list of pieces of the old one and a few bytes between them, so that a photo is never read into memory to change it.

struct Pieces: Equatable, Sendable {
    enum Piece: Equatable, Sendable {
        case file(Range<Int>)
        case bytes([UInt8])

        var count: Int {
            switch self {
            case .file(let range): range.count
            case .bytes(let bytes): bytes.count
            }
        }
    }

    /// More pieces than a file of any camera needs: a stripper that sees this gives up.
    private static let cutLimit = 16_384

    private(set) var pieces: [Piece] = []
    /// Something was left out.
    private(set) var isShorter = false
    var isFull: Bool { pieces.count > Self.cutLimit }
    var sizeBytes: Int { pieces.reduce(0) { $0 + $1.count } }

    mutating func keep(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if case .file(let last)? = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .file(last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.file(range))
        }
    }

    mutating func insert(_ bytes: [UInt8]) { pieces.append(.bytes(bytes)) }

    /// Other bytes for an inserted piece.
    mutating func replace(_ index: Int, by bytes: [UInt8]) { pieces[index] = .bytes(bytes) }

    mutating func drop() { isShorter = true }
}
