// Names and texts of strangers: what a terminal shows, what a disk is given, what a line of JSON holds.

import Foundation
import Testing

@testable import CommandLine

@Suite struct NameTests {
    @Test(arguments: [
        ("../../x", "_.._x.jpg"), ("/abs/x.jpg", "_abs_x.jpg"), ("a/../../x.jpg", "a_.._.._x.jpg"), ("..", "photo.jpg"), (".hidden", "hidden.jpg"), ("CON.jpg", "_CON.jpg"),
        ("lpt1", "_lpt1.jpg"), ("a|b:c?.jpg", "a_b_c_.jpg"), ("e\u{1b}[2J\u{7}\r.jpg", "e_[2J__.jpg"), ("beach.JPEG", "beach.JPEG"), ("beach.exe", "beach.exe.jpg"), ("", "photo.jpg"),
        ("x\u{202e}gpj.exe", "x_gpj.exe.jpg"), ("trailing. . ", "trailing.jpg"), ("🏖️.jpg", "🏖️.jpg"),
    ])
    func `a name is made safe to save under`(_ name: String, _ expected: String) { #expect(SafeName.of(name, .jpeg) == expected) }

    @Test func `a long name is cut between characters and keeps its ending`() {
        let name = SafeName.of(String(repeating: "🎉", count: 100) + ".jpg", .jpeg)
        #expect(name.utf8.count <= 200)
        #expect(name.hasSuffix("🎉.jpg"))
    }

    @Test func `a taken name gets a number, and another Unicode form or capitals count as the same name`() {
        let taken: Set<String> = [SafeName.key("U\u{308}bung.jpg"), SafeName.key("a.jpg"), SafeName.key("a (2).jpg")]
        func free(_ name: String) -> String { SafeName.free(name) { taken.contains(SafeName.key($0)) } }
        #expect(free("Übung.jpg") == "Übung (2).jpg")
        #expect(free("A.JPG") == "A (3).JPG")
        #expect(free("b.jpg") == "b.jpg")
    }

    @Test func `what a terminal would obey is shown and not done`() {
        #expect(ShownText.line("a\u{1b}[2Jb\rc\u{7}\n") == "a␛[2Jb␍c␇␊")
        #expect(ShownText.line("\u{9b}31m\u{202e}x") == "\\u{9b}31m\\u{202e}x")
    }

    @Test func `a line of JSON is one line, reads back, and holds nothing that a terminal would obey`() throws {
        let hostile = "a\"\\\u{1b}[2J\n\u{9b}\u{202e}🎉"
        let line = JSONLine.object([("name", .string(hostile)), ("list", .array([1, nil, true]))]).text
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !ShownText.isInvisible($0) })
        let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(read["name"] as? String == hostile)
        #expect(JSONLine.raw("{\n\"a\":\"\u{202e}\"}").text == "{ \"a\":\"\\u202e\"}")
    }

    @Test(arguments: [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (9_960, "10 kB"), (2_340_000, "2.3 MB"), (999_700, "1.0 MB"), (100_000_000, "100 MB"), (4_294_967_296, "4.3 GB")])
    func `sizes are said as people read them`(_ count: Int, _ words: String) { #expect(Amounts.bytes(count) == words) }

    @Test(arguments: [(1, "1 second"), (90, "90 seconds"), (600, "10 minutes"), (7_200, "2 hours"), (604_800, "7 days")])
    func `times are said as people read them`(_ count: Int, _ words: String) { #expect(Amounts.seconds(count) == words) }

    @Test func `a bar tells how far everything is together`() {
        #expect(TransferBoard.line("adding", done: 1, of: 4, 3_000_000, 6_000_000, isInterrupted: false) == "adding 1 of 4 ████████████░░░░░░░░░░░░ 50 %  3.0 MB of 6.0 MB")
        #expect(TransferBoard.line("saving", done: 0, of: 1, 0, 0, isInterrupted: true).hasSuffix("100 %  0 bytes of 0 bytes, interrupted: trying again"))
    }
}
