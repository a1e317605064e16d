// Makes names that strangers chose safe to save under, on any system, beside what is there already.

import Foundation

enum SafeName {
    private static let lengthLimitBytes = 200
    private static let reserved: Set<String> = Set(["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// Has no folder in it, hides nothing, and ends in an extension of what the content is.
    static func of(_ name: String, _ format: PictureFormat?) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { safe.append(isUnsafe(scalar) ? "_" : scalar) }
        var text = String(safe)
        text = String(text.drop { $0 == "." || $0.isWhitespace })
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        if text.isEmpty { text = "photo" }
        if reserved.contains(text.prefix { $0 != "." }.lowercased()) { text = "_" + text }
        let (stem, ending) = split(text)
        guard let format else { return cut(text, ".bin") }
        return format.extensions.contains(ending.dropFirst().lowercased()) ? cut(stem, ending) : cut(text, ".\(format.extensions[0])")
    }

    /// The first of `name`, `name (2)`, … that is not taken.
    static func free(_ name: String, isTaken: (String) -> Bool) -> String {
        let (stem, ending) = split(name)
        var number = 1
        var candidate = name
        while isTaken(candidate) {
            number += 1
            candidate = "\(stem) (\(number))\(ending)"
        }
        return candidate
    }

    /// Equal for names that some system takes for the same: in either Unicode form, in capitals or not.
    static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || "/\\:*?\"<>|\u{fffd}".unicodeScalars.contains(scalar) || ShownText.isInvisible(scalar) }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.distance(from: dot, to: name.endIndex) <= 9 else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static func cut(_ stem: String, _ ending: String) -> String {
        var stem = stem
        while stem.utf8.count + ending.utf8.count > lengthLimitBytes { stem.removeLast() }
        return stem + ending
    }
}
