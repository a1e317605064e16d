// Stories are values: the same seed is the same story, what is told again comes out the same, and a long one is made short.

import Foundation
import Testing

@testable import Simulation

@Suite("Stories") struct StoryTests {
    /// In a process of its own, where nothing is left to chance.
    private func program(_ arguments: String...) throws -> (status: Int32, output: String) {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = Swift.CommandLine.arguments.compactMap { $0.contains(".xctest") ? URL(filePath: $0).deletingLastPathComponent() : nil }
        let program = (beside + [folder]).map { $0.appending(path: "Simulation") }.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
        let process = Process()
        process.executableURL = try #require(program, "the program lies beside the tests")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("the same seed gives the same story, frame by frame", arguments: [7, 23, 162]) func sameAgain(seed: Int) throws {
        let first = try program("--seed", "\(seed)", "--frames")
        let second = try program("--seed", "\(seed)", "--frames")
        #expect(first.output == second.output)
        #expect(first.output.split(separator: "\n").count > 20)
        let other = try program("--seed", "\(seed + 1)", "--frames")
        #expect(first.output != other.output)
    }

    @Test("a campaign tells what it told, and what was broken with the command that shows it again") func campaign() throws {
        let good = try program("--conversations", "8", "--jobs", "2", "--json")
        #expect(good.status == 0)
        let summary = try #require(try JSONSerialization.jsonObject(with: Data(good.output.utf8)) as? [String: Any])
        #expect(summary["conversations"] as? Int == 8)
        #expect((summary["broken"] as? [Any])?.isEmpty == true)

        let bad = try program("--conversations", "20", "--sabotage", "drop-record")
        #expect(bad.status == 1)
        let command = try #require(bad.output.firstMatch(of: /again: make simulate SEED=(\d+) KEEP=([\d,-]+)( CALM=1)? SABOTAGE=drop-record/))
        let again = try program("--seed", String(command.1), "--keep", String(command.2), "--sabotage", "drop-record", command.3 == nil ? "--story" : "--calm")
        #expect(again.status == 1)
        #expect(again.output.contains("one-order"))
    }

    @Test("what is asked wrongly is told, and nothing is run") func misuse() throws {
        #expect(try program("--bogus").status == 64)
        #expect(try program("--seed", "many").status == 64)
        #expect(try program("--keep", "9-3").status == 64)
    }

    @Test("a story is made short: only what breaks the promise is left") func short() {
        let story = StoryWriter.story(seed: 3)
        let needed: Set<Int> = [story.steps[2].number, story.steps[story.steps.count - 1].number]
        var shrinking = Shrinking { keep, _ in needed.isSubset(of: keep) ? .oneOrder : .exactlyOnce }
        let (keep, isCalm) = shrinking.shorten(story, .oneOrder)
        #expect(Set(keep) == needed)
        #expect(isCalm)
    }

    @Test("a story that needs its delays keeps them") func notCalm() {
        let story = StoryWriter.story(seed: 3)
        var shrinking = Shrinking { _, isCalm in isCalm ? nil : .oneOrder }
        let (keep, isCalm) = shrinking.shorten(story, .oneOrder)
        #expect(keep.isEmpty && !isCalm)
    }

    @Test("lists of numbers are read as they are written") func numberLists() {
        #expect(NumberList.text([0, 3, 5, 6, 7, 9]) == "0,3,5-7,9")
        #expect(NumberList.numbers("0,3,5-7,9") == [0, 3, 5, 6, 7, 9])
        #expect(NumberList.numbers("") == [])
        #expect(NumberList.numbers("5-3") == nil && NumberList.numbers("x") == nil && NumberList.numbers("1-2-3") == nil)
    }

    @Test("conversations are small most of the time, and as large as calls are some of the time") func sizes() {
        let counts = (1...1_000).map { StoryWriter.story(seed: UInt64($0)).personCount }
        #expect(counts.min() == 2 && counts.max()! > 16 && counts.max()! <= 33)
        #expect(counts.filter { $0 <= 4 }.count > 500)
    }

    /// The last thing that befalls somebody in each: nobody can be compared with the others who does not know yet that the connection is dead.
    @Test("nobody is taken to be at rest whose connection has died without a word", arguments: [5344, 6582, 6888, 6927] as [UInt64]) func silentLines(seed: UInt64) {
        let violation = tell(StoryWriter.story(seed: seed)).violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.text): \($0.detail)" } ?? "")")
    }

    /// What goes out directly, in the moment in which what waited has gone, did not wait.
    @Test("a sample that was written before a record came is not taken for one that went before it") func writtenAtOnce() {
        let violation = tell(StoryWriter.story(seed: 21879)).violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.text): \($0.detail)" } ?? "")")
    }

    private static let found: [UInt64] = [
        83, 151, 152, 162, 370, 428, 448, 492, 633, 1314, 1490, 1718, 1810, 4929, 8608, 18109, 37601, 45313, 52862, 53378, 55042, 70252, 87204, 140701, 148721, 152210, 160387, 169192, 169960, 200394,
        304064,
    ]

    /// They broke a promise once: each has its own test where its fault was.
    @Test("stories that once broke a promise hold", arguments: found) func foundBefore(seed: UInt64) {
        let violation = tell(StoryWriter.story(seed: seed)).violation
        #expect(violation == nil, "\(violation.map { "\($0.claim.text): \($0.detail)" } ?? "")")
    }
}
