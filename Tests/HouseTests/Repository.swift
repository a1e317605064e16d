// Reads the repository that these tests are part of, so that its own rules can be checked against what is there.

import Foundation

/// A text file of the repository.
struct TextFile: CustomStringConvertible, Sendable {
    /// From the repository's root, with `/`.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var lineCount: Int { text.hasSuffix("\n") ? lines.count - 1 : lines.count }
    var description: String { path }
}

enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What is kept under version control, or would be: no build products, no packages of others.
    static let paths: Set<String> = {
        var found: Set<String> = []
        let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey])!
        for case let url as URL in walk {
            let path = String(url.path(percentEncoded: false).dropFirst(root.path(percentEncoded: false).count).trimmingSuffix { $0 == "/" })
            let name = url.lastPathComponent
            if name == "__pycache__" || name == "node_modules" || ["data", "artifacts", ".git", ".venv", ".pytest_cache"].contains(path) || path.hasPrefix(".build") {
                walk.skipDescendants()
                continue
            }
            found.insert(path)
        }
        return found
    }()

    static let names: Set<Substring> = Set(paths.map { $0.split(separator: "/").last ?? "" })

    static func files(under folder: String, suffix: String) -> [TextFile] {
        paths.filter { $0.hasPrefix(folder) && $0.hasSuffix(suffix) && !$0.hasPrefix("Web/vendor/") }.sorted().compactMap(file)
    }

    static func file(_ path: String) -> TextFile? {
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return nil }
        return TextFile(path: path, text: text)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
    }

    static let swift = files(under: "Sources/", suffix: ".swift")
    static let swiftTests = files(under: "Tests/", suffix: ".swift")
    static let javaScript = files(under: "Web/", suffix: ".js")
    /// The same without comments, by path.
    static let bareJavaScript = Dictionary(uniqueKeysWithValues: javaScript.map { ($0.path, withoutComments($0.text)) })
    static let python = files(under: "Tests/", suffix: ".py") + files(under: "Benchmarks/", suffix: ".py") + files(under: "Vectors/", suffix: ".py")
    static let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].compactMap(file) + files(under: "docs/", suffix: ".md")
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var kept = self[...]
        while let last = kept.last, isTrimmed(last) { kept = kept.dropLast() }
        return kept
    }
}
