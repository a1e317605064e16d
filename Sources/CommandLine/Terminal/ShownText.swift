// Makes text from strangers one harmless line: no control character, no mark that turns, hides or breaks what stands around it.

enum ShownText {
    private static let lengthLimit = 1_000

    /// Controls become visible signs (ESC is ␛), invisible and turning marks become `\u{…}`.
    static func line(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(lengthLimit) {
            switch scalar.value {
            case 0..<0x20: shown.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7f: shown.append("\u{2421}")
            case _ where isInvisible(scalar): shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Takes no room, breaks lines, or changes the direction of writing.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7f...0x9f, 0xad, 0x61c, 0x115f, 0x1160, 0x180e, 0x200b, 0x200c, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x3164, 0xfeff, 0xfff9...0xfffb: true
        default: false
        }
    }
}
