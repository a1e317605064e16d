// What may stay of EXIF: which way is up, and nothing else.

enum ExifRemainder {
    /// How much of a large EXIF block is looked at; its first directory, which holds the orientation, stands at its beginning.
    static let limitBytes = 1_048_576

    enum Verdict: Equatable, Sendable {
        /// It says nothing else already.
        case clean
        case gone
        /// A TIFF structure with the orientation alone.
        case replaced([UInt8])
    }

    static func judge(_ tiff: [UInt8]) -> Verdict {
        let orientation = Exif(tiff).orientation
        guard orientation != 1 else { return .gone }
        let alone: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        return alone == tiff ? .clean : .replaced(alone)
    }
}
