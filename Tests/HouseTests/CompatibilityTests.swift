// The page that says what of Apple's framework there is names tests; one that is not there shows nothing.

import Testing

@Suite("Compatibility")
struct CompatibilityTests {
    @Test("every declaration has a state, and every test that is named exists")
    func namedTestsExist() throws {
        let page = try #require(Repository.file("docs/compatibility.md"))
        let titles = Set(Repository.swiftTests.flatMap { $0.text.matches(of: /func `([^`]+)`/).map { String($0.1) } })
        let start = try #require(page.text.firstRange(of: "\n## GroupActivity & metadata\n")).lowerBound
        let rows = page.text[start...].split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| declaration") && !$0.hasPrefix("| ---") }
        #expect(rows.count > 160)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            let (state, title) = (cells[2], String(cells[3].reversed().drop { $0 == " " }.reversed()))
            #expect(["provided", "partial", "absent"].contains { state.hasPrefix($0) }, "\(row)")
            let isShown = title.isEmpty ? !state.hasPrefix("provided") : titles.contains(title)
            #expect(isShown, "\(row)")
        }
    }

    @Test("the examples import Apple's names and nothing else")
    func examplesImportApplesNames() {
        let apples: Set<String> = ["AVFoundation", "Combine", "CoreGraphics", "CoreTransferable", "Foundation", "GroupActivities", "OSLog", "UniformTypeIdentifiers"]
        let examples = Repository.files(under: "Examples/", suffix: ".swift")
        #expect(examples.count > 8)
        for file in examples { #expect(importedModules(of: file.text).isSubset(of: apples), "\(file)") }
    }

    @Test("every usual mistake that a program is told of is explained")
    func noticesAreExplained() throws {
        let page = try #require(Repository.file("docs/compatibility.md"))
        let notices = try #require(Repository.file("Sources/GroupActivities/Notices.swift"))
        let words = notices.text.matches(of: /case \w+ = "([a-z-]+)"/).map { String($0.1) }
        #expect(words.count >= 10)
        for word in words { #expect(page.text.contains("\n| \(word) |"), "\(word)") }
    }
}
