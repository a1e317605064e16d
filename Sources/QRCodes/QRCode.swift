// A QR code as text for a terminal: two rows of modules in each line, by half blocks.

import CQREncode

public enum QRCode {
    /// `nil` when `text` is too long. Light modules are drawn, dark ones left out, with the quiet zone that scanners want.
    public static func text(_ text: String) -> String? {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = code.pointee.data!
        func isLight(_ x: Int, _ y: Int) -> Bool {
            guard (0..<width).contains(x), (0..<width).contains(y) else { return true }
            return modules[y * width + x] & 1 == 0
        }
        let quiet = 2
        var lines = ""
        for y in stride(from: -quiet, to: width + quiet, by: 2) {
            for x in -quiet..<(width + quiet) {
                // Below the last row there is nothing to draw.
                switch (isLight(x, y), y + 1 < width + quiet && isLight(x, y + 1)) {
                case (true, true): lines += "█"
                case (true, false): lines += "▀"
                case (false, true): lines += "▄"
                case (false, false): lines += " "
                }
            }
            lines += "\n"
        }
        return lines
    }
}
