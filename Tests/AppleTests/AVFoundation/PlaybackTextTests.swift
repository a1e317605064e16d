// What the protocol's text shows of playback messages is what coordinators say.

import Foundation
import Testing

@testable import AVFoundation

@Suite struct PlaybackTextTests {
    private static let examples: [Data] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/protocol/playback.md").standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "```json\n").dropFirst().map { Data($0.components(separatedBy: "```")[0].utf8) }
    }()

    @Test(arguments: [0, 1])
    func `each message in the text is read, acceptable, and written alike`(index: Int) throws {
        let example = try #require(Self.examples.indices.contains(index) ? Self.examples[index] : nil)
        let message = try JSONDecoder().decode(PlaybackMessage.self, from: example)
        #expect(message.isAcceptable)
        if case .timelines(let told) = message { #expect(told.timelines.count == 1 && told.timelines.allSatisfy(\.isAcceptable)) }
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(message)) as? NSDictionary
        let shown = try JSONSerialization.jsonObject(with: example) as? NSDictionary
        #expect(written != nil && written == shown)
    }

    @Test func `the example says what the text says it says`() throws {
        try #require(Self.examples.count == 2)
        guard case .status(let status) = try JSONDecoder().decode(PlaybackMessage.self, from: Self.examples[0]) else { return #expect(Bool(false)) }
        let other = try #require(UUID(uuidString: "00000000-0000-0001-0000-000000000003"))
        #expect(status.ready == status.held && status.echoes[other]?.age == 20_000_000)
        guard case .timelines(let told) = try JSONDecoder().decode(PlaybackMessage.self, from: Self.examples[1]) else { return #expect(Bool(false)) }
        #expect(told.timelines.first?.itemTime == CMTime(seconds: 3, preferredTimescale: 30) && told.timelines.first?.version.author == other)
    }
}
