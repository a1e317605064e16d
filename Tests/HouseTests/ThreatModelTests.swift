// The page that says which attacks are stopped names the tests that try them; one that is not there stops nothing.

import Foundation
import Testing

@Suite("Threat model")
struct ThreatModelTests {
    @Test("every attack names what stops it and tests that exist")
    func namedTestsExist() throws {
        let page = try #require(Repository.file("docs/threat-model.md"))
        let start = try #require(page.text.firstRange(of: "\n## Attacks\n")).upperBound
        let end = try #require(page.text[start...].firstRange(of: "\n## ")).lowerBound
        let rows = page.text[start..<end].split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| attack |") && !$0.hasPrefix("| ---") }
        #expect(rows.count > 20)
        let titles = testTitles()
        for row in rows {
            let cells = row.split(separator: "|").map { String($0) }
            let named = (cells.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(cells.count == 3 && !named.isEmpty, "\(row)")
            for title in named { #expect(titles.contains(title), "\(title)") }
        }
    }

    /// Of all languages, as they are written.
    private func testTitles() -> Set<String> {
        var titles: Set<String> = []
        for file in Repository.swiftTests {
            titles.formUnion(file.text.matches(of: /func `([^`]+)`/).map { String($0.1) })
            titles.formUnion(file.text.matches(of: /@Test\("([^"]+)"/).map { String($0.1) })
        }
        for file in Repository.javaScript where file.path.hasSuffix(".test.js") {
            titles.formUnion(file.text.matches(of: /test\('((?:[^'\\]|\\.)+)'/).map { String($0.1).replacingOccurrences(of: "\\'", with: "'") })
        }
        for file in Repository.python { titles.formUnion(file.text.matches(of: /\ndef (test_\w+)/).map { String($0.1) }) }
        return titles
    }
}
