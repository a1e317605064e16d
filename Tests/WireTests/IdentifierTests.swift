// Names and numbers as people and addresses show them.

import Testing
import Wire

@Suite("Identifiers and close reasons") struct IdentifierTests {
    @Test("base64url there and back", arguments: 0..<200 as Range<UInt64>) func base64URL(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let id: SessionID = generator.id()
        #expect(id.base64URL.utf8.count == 22)
        #expect(SessionID(base64URL: id.base64URL) == id)
    }

    @Test(
        "only the canonical 22 characters are a name",
        arguments: [
            "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAA+AAAAAAAAAA",
            "AAAAAAAAAAA/AAAAAAAAAA", "AAAAAAAAAA AAAAAAAAAAA", "ÄAAAAAAAAAAAAAAAAAAAAA",
        ]) func notNames(text: String)
    {
        #expect(SessionID(base64URL: text) == nil)
    }

    @Test("the own session's name is zeros") func own() { #expect(SessionID.own.base64URL == String(repeating: "A", count: 22)) }

    @Test("the hundreds of a close reason tell what to do") func consequences() {
        #expect(CloseReason.left.consequence == .over)
        #expect(CloseReason.conversationEnded.consequence == .over)
        #expect(CloseReason.notInvited.consequence == .refused)
        #expect(CloseReason.shuttingDown.consequence == .resume)
        #expect(CloseReason.cannotResume.consequence == .comeBackAsNew)
        #expect(CloseReason.allCases.allSatisfy { ($0.consequence == .resume) == (4200..<4300).contains($0.rawValue) })
    }
}
