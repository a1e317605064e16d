// What happened in a test, line by line, to be read when it fails.

import Foundation
import Synchronization
import Wire

/// The last events of a simulated conversation.
public final class Story: Sendable, CustomStringConvertible {
    private static let lineLimit = 500
    /// For a test that does not end.
    private static let isShownAtOnce = ProcessInfo.processInfo.environment["HEARTH_STORY"] != nil
    private let lines = Mutex<(text: [String], leftOut: Int)>(([], 0))
    private let clock: VirtualClock
    let seed: UInt64

    init(clock: VirtualClock, seed: UInt64) {
        self.clock = clock
        self.seed = seed
    }

    /// Adds a line of one's own.
    public func tell(_ line: String) {
        let milliseconds = clock.now / .milliseconds(1)
        let line = "\(Int(milliseconds.rounded())) ms  \(line)"
        if Self.isShownAtOnce { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
        lines.withLock { lines in
            lines.text.append(line)
            if lines.text.count > Self.lineLimit {
                lines.text.removeFirst()
                lines.leftOut += 1
            }
        }
    }

    func tell(_ name: String, sends frames: [Frame]) {
        let words = frames.compactMap(Self.word)
        if !words.isEmpty { tell("\(name) sends \(words.joined(separator: ", "))") }
    }

    private static func word(_ frame: Frame) -> String? {
        switch frame {
        case .hello: "hello"
        case .enter: "enter"
        case .exit: "exit"
        case .end: "end"
        case .leave: "leave"
        case .record(_, let counter, let recipients, let sealed):
            "record \(counter)\(recipients.isEmpty ? "" : " for \(recipients.count)") (\(sealed.count) bytes)"
        case .sample(_, _, let sealed): "sample (\(sealed.count) bytes)"
        case .put(_, let entry, _, _, _): "put \(entry.base64URL.prefix(6))"
        case .remove(_, let entry): "remove \(entry.base64URL.prefix(6))"
        default: nil
        }
    }

    public var description: String {
        lines.withLock { lines in
            (["The story of a conversation with seed \(seed):"] + (lines.leftOut > 0 ? ["(\(lines.leftOut) earlier lines)"] : []) + lines.text).joined(separator: "\n  ")
        }
    }
}

/// What a test of a conversation fails with: what was claimed, and the story up to there.
public struct ConversationTestFailure: Error, CustomStringConvertible {
    public let claim: String
    public let story: String

    public var description: String { "\(claim)\n\(story)" }
}
