// Reads what a file imports from its lines alone: a module graph that a build in steps does not enforce.

/// The modules that a Swift file imports.
func importedModules(of swift: String) -> Set<String> {
    let keyword = /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)/
    return Set(swift.split(separator: "\n").compactMap { $0.firstMatch(of: keyword).map { String($0.1) } })
}

/// What a JavaScript module names as its imports, by any of the ways that there are, workers included.
func importedSpecifiers(of javaScript: String) -> [String] {
    let text = withoutComments(javaScript)
    let forms: [Regex<(Substring, Substring)>] = [
        /\bfrom\s*['"]([^'"]+)['"]/,
        /\bimport\s*['"]([^'"]+)['"]/,
        /\bimport\s*\(\s*['"]([^'"]+)['"]/,
        /\bnew\s+URL\s*\(\s*['"]([^'"]+)['"]\s*,\s*import\.meta\.url/,
    ]
    return forms.flatMap { form in text.matches(of: form).map { String($0.1) } }
}

/// JavaScript without its comments. Text in quotes stays, also where it looks like a comment.
func withoutComments(_ javaScript: String) -> String {
    let text = Array(javaScript.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
        let byte = text[index]
        let next = index + 1 < text.count ? text[index + 1] : 0
        if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
            index = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
            index += 2
            while index < text.count, !(text[index] == UInt8(ascii: "/") && text[index - 1] == UInt8(ascii: "*")) { index += 1 }
            index = min(index + 1, text.count)
        } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") {
            let end = endOfQuoted(text, from: index)
            kept += text[index..<end]
            index = end
        } else {
            kept.append(byte)
            index += 1
        }
    }
    return String(decoding: kept, as: UTF8.self)
}

/// The place behind the closing quote, or behind the line where none closes it.
private func endOfQuoted(_ text: [UInt8], from start: Int) -> Int {
    let quote = text[start]
    var index = start + 1
    while index < text.count {
        if text[index] == UInt8(ascii: "\\") {
            index += 1
        } else if text[index] == quote || (text[index] == UInt8(ascii: "\n") && quote != UInt8(ascii: "`")) {
            return index + 1
        }
        index += 1
    }
    return text.count
}

/// Where a relative specifier leads, from the root; `nil` when it climbs out of it.
func resolve(_ specifier: String, from path: String) -> String? {
    var places = path.split(separator: "/").dropLast().map(String.init)
    for step in specifier.split(separator: "/") where step != "." {
        if step == ".." {
            guard places.popLast() != nil else { return nil }
        } else {
            places.append(String(step))
        }
    }
    return places.joined(separator: "/")
}
