// The tutorials show code step by step: what a reader has typed after each step must compile as it stands.

import Foundation
import Testing

@Suite("Tutorials")
struct StepTests {
    @Test("what a reader has after each step compiles", arguments: Tutorial.all)
    func stepsCompile(tutorial: Tutorial) async throws {
        #expect(tutorial.steps.count > 5)
        #expect(tutorial.unknown.isEmpty)
        for (number, files) in tutorial.steps.enumerated() {
            let complaints = try await Compiler.complaints(about: files)
            #expect(complaints.isEmpty, "\(tutorial), code \(number + 1):\n\(complaints)")
        }
    }

    @Test("every file of code is shown, and the last state of each is the one that is built and run")
    func everyFileIsShown() {
        let shown = Set(Tutorial.all.flatMap(\.code))
        #expect(shown == Set(Tutorial.codeFiles.keys))
        let last = Tutorial.all.last?.steps.last ?? [:]
        #expect(last.count == 5)
        for (name, file) in last where name != "Package.swift" {
            #expect(["Lunch", "LunchTests"].contains(file.deletingLastPathComponent().lastPathComponent), "\(name) is \(file.lastPathComponent)")
        }
    }

    @Test("the compiler's complaints are heard")
    func complaintsAreHeard() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
        try Data("import GroupActivities\nlet session: GroupSession<Int>\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await Compiler.complaints(about: ["Wrong.swift": file]).contains("GroupActivity"))
    }
}
