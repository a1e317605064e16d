// What was said, so that what is heard can be compared with it: every message carries who made it and its number.

import Sealing
import Wire

struct SayingName: Hashable, CustomStringConvertible {
    /// Of the participation.
    let speaker: Int
    let number: Int

    var description: String { "\(speaker)/\(number)" }
}

final class Saying {
    enum Outcome { case pending, placed, failed }

    let name: SayingName
    let session: SessionID
    let sender: ParticipantID
    let recipients: [ParticipantID]
    let isReliable: Bool
    let content: [UInt8]
    var outcome = Outcome.pending

    init(_ name: SayingName, session: SessionID, sender: ParticipantID, recipients: [ParticipantID], isReliable: Bool, sizeBytes: Int) {
        self.name = name
        self.session = session
        self.sender = sender
        self.recipients = recipients
        self.isReliable = isReliable
        var content = [UInt8](repeating: UInt8(truncatingIfNeeded: name.number), count: 9 + sizeBytes)
        content[0] = isReliable ? 1 : 0
        withUnsafeBytes(of: UInt32(name.speaker).bigEndian) { content.replaceSubrange(1..<5, with: $0) }
        withUnsafeBytes(of: UInt32(name.number).bigEndian) { content.replaceSubrange(5..<9, with: $0) }
        self.content = content
    }

    static func name(in content: [UInt8]) -> SayingName? {
        guard content.count >= 9 else { return nil }
        func number(_ start: Int) -> Int { content[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return SayingName(speaker: number(1), number: number(5))
    }

    func isFor(_ participant: ParticipantID) -> Bool { participant != sender && (recipients.isEmpty || recipients.contains(participant)) }
}

/// An attachment that somebody has made.
final class Item {
    let session: SessionID
    let entry: EntryID
    let maker: Participation
    let content: [UInt8]
    var isUploading = true
    /// The relay has said that everything is on its disk.
    var isKept = false
    var isRemovalAsked = false
    /// The relay has said that it is gone.
    var isRemoved = false

    init(session: SessionID, entry: EntryID, maker: Participation, content: [UInt8]) {
        self.session = session
        self.entry = entry
        self.maker = maker
        self.content = content
    }
}
