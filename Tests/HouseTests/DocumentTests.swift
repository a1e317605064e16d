// A page that names a file which is not there sends its reader nowhere.

import Testing

@Suite("Pages")
struct DocumentTests {
    @Test("every page leads only to files that exist")
    func linksLeadSomewhere() {
        #expect(Repository.pages.count > 8)
        for page in Repository.pages {
            for link in links(in: page.text) {
                let target = link.hasPrefix("/") ? String(link.dropFirst()) : resolve(link, from: page.path)
                #expect(target.map(Repository.exists) == true, "\(page) links to \(link)")
            }
        }
    }

    @Test("every path that a page names exists")
    func namedPathsExist() {
        for page in Repository.pages {
            for path in namedPaths(in: page.text) {
                #expect(Repository.exists(path) || Repository.exists(resolve(path, from: page.path) ?? path), "\(page) names \(path)")
            }
        }
    }

    @Test("every bare file name in a page is that of a file of the repository")
    func namedFilesExist() {
        for page in Repository.pages {
            for name in namedFiles(in: page.text) {
                let isKnown = Repository.names.contains(Substring(name))
                #expect(isKnown, "\(page) names \(name)")
            }
        }
    }

    @Test("every command of make that a page names exists")
    func namedCommandsExist() throws {
        let makefile = try #require(Repository.file("Makefile"))
        let targets = Set(makefile.text.matches(of: /(?m)^([a-z]+):/).map { String($0.1) })
        #expect(targets.isSuperset(of: ["run", "test", "check", "bench", "format", "clean", "help"]))
        for page in Repository.pages {
            for match in page.text.matches(of: /`(?:[A-Z]+=\S+ )*make ([a-z]+)/) {
                let isKnown = targets.contains(String(match.1))
                #expect(isKnown, "\(page) names make \(match.1)")
            }
        }
    }
}

/// Targets of links inside the repository, without anchors.
func links(in page: String) -> [String] {
    page.matches(of: /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/).compactMap { match in
        let target = String(match.1.prefix { $0 != "#" })
        return target.isEmpty || target.contains("://") || target.hasPrefix("mailto:") ? nil : target
    }
}

/// Words in code spans that are paths of this repository: they start with one of its folders and have nothing that varies.
func namedPaths(in page: String) -> [String] {
    let folders = ["Sources", "Web", "Tests", "Vectors", "Benchmarks", "docs", "scripts", ".ci"]
    return codeWords(in: page).filter { word in
        folders.contains { word.hasPrefix($0 + "/") } && word.wholeMatch(of: /[\w.\/-]+/) != nil
    }
}

/// Words in code spans that are the name of one file, without a folder.
func namedFiles(in page: String) -> [String] {
    codeWords(in: page).filter { $0.wholeMatch(of: /[\w-]+\.(swift|js|py|md|css|html)/) != nil }
}

/// The words of a page's code spans. Blocks of code are examples and may name what the reader has.
private func codeWords(in page: String) -> [String] {
    var isBlock = false
    var words: [String] = []
    for line in page.split(separator: "\n") {
        if line.drop(while: { $0 == " " }).hasPrefix("```") {
            isBlock.toggle()
        } else if !isBlock {
            words += line.matches(of: /`([^`]+)`/).flatMap { $0.1.split(separator: " ").map(String.init) }
        }
    }
    return words
}

@Suite("Reading pages")
struct PageReadingTests {
    @Test("links out of the repository and anchors are not paths")
    func readsLinks() {
        #expect(links(in: "[a](b/c.md#d) [e](https://example.org/f) [g](#h) ![i](docs/j.png \"k\") [l](mailto:m@n)") == ["b/c.md", "docs/j.png"])
    }

    @Test("paths are read from code spans, also within a command, and not from blocks")
    func readsPaths() {
        let page = "`Sources/Wire/` and `python3 Vectors/wire/make.py` and `docs/<name>.md` and `a/b`\n```\n`Web/none.js`\n```\n`Web/x.js`"
        #expect(namedPaths(in: page) == ["Sources/Wire/", "Vectors/wire/make.py", "Web/x.js"])
        #expect(namedFiles(in: "`limits.js` and `a/b.js` and `x.jpg` and frames.md") == ["limits.js"])
    }
}
