// Small files that say why they exist: the rules of size, of opening lines and of names.

import Testing

@Suite("Files")
struct FileTests {
    static let sources = Repository.swift + Repository.javaScript.filter { !$0.path.hasPrefix("Web/tests/") }
    static let tests = Repository.swiftTests + Repository.javaScript.filter { $0.path.hasPrefix("Web/tests/") } + Repository.python

    @Test("no source has more than 500 lines, no test more than 600")
    func filesAreSmall() {
        #expect(Self.sources.count > 40)
        #expect(Self.tests.count > 10)
        for file in Self.sources { #expect(file.lineCount <= 500, "\(file): \(file.lineCount) lines") }
        for file in Self.tests { #expect(file.lineCount <= 600, "\(file): \(file.lineCount) lines") }
    }

    @Test("nine in ten sources have at most 300 lines")
    func mostFilesAreSmaller() {
        let long = Self.sources.filter { $0.lineCount > 300 }
        #expect(long.count * 10 <= Self.sources.count, "\(long.map { "\($0): \($0.lineCount)" })")
    }

    @Test("every file opens with the sentence that says why it exists")
    func filesSayWhy() {
        for file in Self.sources + Self.tests {
            let opening = file.lines.first { !$0.isEmpty && !$0.hasPrefix("#!") } ?? ""
            let isComment = ["//", "/*", "\"\"\"", "#"].contains { opening.hasPrefix($0) }
            #expect(isComment && opening.count > 15, "\(file) opens with: \(opening)")
        }
        for file in Repository.files(under: "Web/", suffix: ".css") {
            let opens = file.text.hasPrefix("/*")
            #expect(opens, "\(file)")
        }
    }

    @Test("no type is named Manager, Helper, Util, Service, Base or Impl")
    func namesAreNouns() {
        let empty = /\b(?:struct|class|enum|actor|protocol)\s+(\w*(?:Manager|Helper|Helpers|Util|Utils|Service|Base|Impl))\b/
        for file in Self.sources + Self.tests {
            let found = file.text.firstMatch(of: empty)?.1
            #expect(found == nil, "\(file)")
        }
    }

    @Test("nothing is left for later in the sources")
    func nothingIsLeftForLater() {
        let later = /\b(TODO|FIXME|XXX|HACK)\b/
        for file in Self.sources + Self.tests where file.path != "Tests/HouseTests/FileTests.swift" {
            let found = file.text.firstMatch(of: later)?.1
            #expect(found == nil, "\(file)")
        }
    }
}
