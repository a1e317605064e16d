// A tutorial as its reader follows it: after each step, the files that are there by then.

import Foundation

struct Tutorial: CustomStringConvertible, Sendable {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalogues = ["Sources/GroupActivities/GroupActivities.docc", "Sources/GroupActivitiesTesting/GroupActivitiesTesting.docc"].map { root.appending(path: $0) }

    /// By name, as a step names them.
    static let codeFiles: [String: URL] = Dictionary(
        uniqueKeysWithValues: catalogues.flatMap { files(under: $0.appending(path: "Code")) }.map { ($0.lastPathComponent, $0) })

    /// In the order in which they are read: the second goes on where the first has ended.
    static let all: [Tutorial] = {
        var known: [String: URL] = [:]
        return catalogues.flatMap { files(under: $0.appending(path: "Tutorials")) }.compactMap { page in
            guard let text = try? String(contentsOf: page, encoding: .utf8), text.contains("@Step {") else { return nil }
            return Tutorial(page.lastPathComponent, text, &known)
        }
    }()

    let description: String
    /// After each step that shows code in Swift: what is there, by the name that the reader gives it.
    private(set) var steps: [[String: URL]] = []
    /// The files of all steps, scripts included.
    private(set) var code: [String] = []
    /// Named in a step and nowhere to be found.
    private(set) var unknown: [String] = []

    private init(_ name: String, _ text: String, _ known: inout [String: URL]) {
        description = name
        for match in text.matches(of: /@Code\(name: "([^"]+)", file: "([^"]+)"\)/) {
            let (shownName, file) = (String(match.1), String(match.2))
            code.append(file)
            guard let url = Self.codeFiles[file] else {
                unknown.append(file)
                continue
            }
            guard shownName.hasSuffix(".swift") else { continue }
            known[shownName] = url
            steps.append(known)
        }
    }

    private static func files(under folder: URL) -> [URL] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.contains(".") }.sorted().map { folder.appending(path: $0) }
    }
}
