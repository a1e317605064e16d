// What a program that was simply started takes from its surroundings, and what it shows in a terminal.

import Foundation
import QRCodes
import Synchronization
import Testing

@testable import GroupActivities

@Suite struct ProcessTests {
    @Test func `the environment's invitation comes before the person's current conversation, and neither is none`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "conversation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(ConversationProvider.currentLink(environment: [:], file: file) == nil)
        try Data("https://example.org/c/current\n".utf8).write(to: file)
        #expect(ConversationProvider.currentLink(environment: [:], file: file) == "https://example.org/c/current")
        #expect(ConversationProvider.currentLink(environment: ["HEARTH_INVITATION": ""], file: file) == "https://example.org/c/current")
        #expect(ConversationProvider.currentLink(environment: ["HEARTH_INVITATION": "https://example.org/c/other"], file: file) == "https://example.org/c/other")
    }

    @Test(
        arguments: [("yes", GroupActivityActivationResult.activationPreferred), ("n", .activationDisabled), ("c", .cancelled), ("", .cancelled), (nil, .cancelled)]
            as [(String?, GroupActivityActivationResult)])
    func `the terminal's answer is taken, and no answer cancels`(answer: String?, result: GroupActivityActivationResult) async {
        let lines = Lines()
        let presenter = TerminalPresenter(isTerminal: true, write: { lines.add($0) }, readAnswer: { answer })
        #expect(await presenter.askWhetherToShare(title: "Chess\u{1B}[2J") == result)
        #expect(lines.all.first?.contains("Chess [2J") == true)
    }

    @Test func `without a terminal nobody is asked, and without a conversation nobody is invited`() async {
        let lines = Lines()
        let presenter = TerminalPresenter(isTerminal: false, write: { lines.add($0) }, readAnswer: { "yes" })
        #expect(await presenter.askWhetherToShare(title: "Chess") == .activationDisabled)
        #expect(await presenter.invite(to: "Chess", link: nil) == .cancelled)
        #expect(await presenter.invite(to: "Chess", link: "https://example.org/c/x#1.y") == .success)
        #expect(lines.all.last?.contains("https://example.org/c/x#1.y") == true)
    }

    @Test(arguments: [true, false])
    func `on a terminal the link's QR code stands under it, and nowhere else`(isTerminal: Bool) async throws {
        let lines = Lines()
        let presenter = TerminalPresenter(isTerminal: isTerminal, write: { lines.add($0) }, readAnswer: { nil })
        let link = "https://example.org/c/x#1.y"
        #expect(await presenter.invite(to: "Chess", link: link) == .success)
        let code = try #require(QRCode.text(link))
        #expect(code.split(separator: "\n").count > 12)
        #expect(lines.all.joined().contains("\(link)\n\n\(code)") == isTerminal)
        #expect(lines.all.joined().contains("█") == isTerminal)
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock(\.self) }
    }
}
