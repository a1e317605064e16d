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
    var kept = ""
    var rest = Substring(javaScript)
    while let character = rest.first {
        if rest.hasPrefix("//") {
            rest = rest.drop { $0 != "\n" }
        } else if rest.hasPrefix("/*") {
            rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
        } else if character == "'" || character == "\"" || character == "`" {
            let literal = quoted(rest, by: character)
            kept += literal
            rest = rest[literal.endIndex...]
        } else {
            kept.append(character)
            rest = rest.dropFirst()
        }
    }
    return kept
}

private func quoted(_ text: Substring, by quote: Character) -> Substring {
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
        if text[index] == "\\" {
            index = text.index(after: index)
            guard index < text.endIndex else { break }
        } else if text[index] == quote || (text[index] == "\n" && quote != "`") {
            return text[...index]
        }
        index = text.index(after: index)
    }
    return text
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
