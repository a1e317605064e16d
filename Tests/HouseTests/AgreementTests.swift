// What is written down twice, for two languages, must say the same.

import Testing

@Suite("Swift, JavaScript and the text agree")
struct AgreementTests {
    static func numbers(in path: String, of form: Regex<(Substring, Substring, Substring)>) throws -> [String: Int] {
        let file = try #require(Repository.file(path))
        var found: [String: Int] = [:]
        for match in file.text.matches(of: form) {
            #expect(found[String(match.1)] == nil, "\(path) has \(match.1) twice")
            found[String(match.1)] = Int(match.2.filter { $0 != "_" })
        }
        return found
    }

    @Test("the limits of Swift and JavaScript have the same names and numbers")
    func limitsAreEqual() throws {
        let swift = try Self.numbers(in: "Sources/Wire/Limits.swift", of: /public static let (\w+) = ([\d_]+)/)
        let javaScript = try Self.numbers(in: "Web/groupactivities/limits.js", of: /(?m)^\s*(?:export const )?(\w+)(?:: | = )([\d_]+)[,;]/)
        #expect(swift.count > 20)
        #expect(swift == javaScript)
    }

    @Test("every number in the text's table of limits is one of the limits")
    func limitsAreThoseOfTheText() throws {
        let values = Set(try Self.numbers(in: "Sources/Wire/Limits.swift", of: /public static let (\w+) = ([\d_]+)/).values)
        let page = try #require(Repository.file("docs/protocol/README.md"))
        let table = try #require(page.text.firstRange(of: "\n## Limits\n")).upperBound
        let rows = page.text[table...].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(rows.count > 12)
        for row in rows {
            let cell = row.split(separator: "|")[1]
            let first = try #require(cell.firstMatch(of: /([\d,]+)( MiB)?/), "\(row)")
            let number = try #require(Int(first.1.filter { $0 != "," }))
            #expect(values.contains(first.2 == nil ? number : number * 1_048_576), "\(row)")
        }
    }

    @Test("the reasons for closing have the same numbers and words in Swift, JavaScript and the text")
    func closeReasonsAreEqual() throws {
        let swift = try Self.numbers(in: "Sources/Wire/CloseReason.swift", of: /case (\w+) = (\d+)/)
        let javaScript = try #require(Repository.file("Web/groupactivities/close-reasons.js"))
        let words = Dictionary(uniqueKeysWithValues: javaScript.text.matches(of: /(?m)^\s*(\d{4}): '([a-z-]+)'/).map { (Int($0.1)!, String($0.2)) })
        let page = try #require(Repository.file("docs/protocol/README.md"))
        let rows = Dictionary(uniqueKeysWithValues: page.text.matches(of: /(?m)^\| (4\d{3}) \| ([a-z ]+) \|/).map { (Int($0.1)!, String($0.2)) })
        #expect(swift.count > 10)
        #expect(Dictionary(uniqueKeysWithValues: swift.map { ($1, spaced($0)) }) == rows)
        #expect(words.mapValues { $0.replacing("-", with: " ") } == rows)
    }

    @Test("the container's build copies every folder that the package names")
    func containerHasThePackage() throws {
        let package = try #require(Repository.file("Package.swift"))
        let recipe = try #require(Repository.file("Deployment/Containerfile"))
        let copied = recipe.text.matches(of: /(?m)^COPY (\S+) \S+$/).map { $0.1 }
        let named = package.text.matches(of: /path: "([^"]+)"/).map { $0.1 }
        #expect(named.count > 10)
        for folder in named { #expect(copied.contains { folder == $0 || folder.hasPrefix($0 + "/") }, "\(folder)") }
    }

    @Test("every type of frame in the text is in the vectors")
    func vectorsCoverTheText() throws {
        let page = try #require(Repository.file("docs/protocol/frames.md"))
        let vectors = try #require(Repository.file("Vectors/wire/frames.json"))
        let types = page.text.matches(of: /(?m)^\| 0x[0-9a-f]{2} \| (\w+) \|/).map { String($0.1) }
        #expect(types.count > 20)
        for type in types {
            let isCovered = vectors.text.contains("\"type\":\"\(type)\"")
            #expect(isCovered, "\(type)")
        }
    }

    private func spaced(_ camelCase: String) -> String {
        camelCase.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    }
}
