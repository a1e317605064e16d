// What everybody in a session sees of one place of its log, in bytes that two participants can compare.

import Wire

/// docs/protocol/sealing.md, "The log". A record for some gives the same link whether it was shown or skipped; one for everyone is never skipped.
public struct LogLink: Equatable, Sendable {
    private static let digestSizeBytes = 32

    public let bytes: [UInt8]

    /// As others wrote them: for vectors.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter opened: whose record it turned out to be, and which; `nil`: what the relay says of it counts.
    /// `nil` for a frame that has no place.
    public init?(_ frame: Frame, opened: (sender: ParticipantID, counter: UInt64)? = nil) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(90)
        func begin(_ type: FrameType, _ sequence: UInt64) {
            bytes.append(type.rawValue)
            bytes.appendInteger(sequence)
        }
        switch frame {
        // Reasons are left out: not every client tells those of a later version from each other.
        case .entered(_, let sequence, let participant):
            begin(.entered, sequence)
            bytes.append(participant.bytes)
        case .exited(_, let sequence, let participant, _):
            begin(.exited, sequence)
            bytes.append(participant.bytes)
        case .ended(_, let sequence, let participant, _):
            begin(.ended, sequence)
            bytes.append(participant.bytes)
        case .ordered(_, let sequence, let sender, let counter, let recipients, _):
            begin(recipients.isEmpty ? .ordered : .skipped, sequence)
            bytes.append((opened?.sender ?? sender).bytes)
            bytes.appendInteger(opened?.counter ?? counter)
        case .skipped(_, let sequence, let sender, let counter):
            begin(.skipped, sequence)
            bytes.append(sender.bytes)
            bytes.appendInteger(counter)
        case .entry(let entry) where entry.sequence > 0:
            begin(.entry, entry.sequence)
            bytes.appendInteger(entry.version)
            bytes.append(entry.putter.bytes)
            bytes.append(entry.entry.bytes)
            // Whatever a relay changes of it hides it from somebody, and flags and length are outside of what is sealed.
            bytes.append(entry.flags.rawValue)
            bytes.appendInteger(entry.bodyLength)
            bytes += (try? withBytes(of: entry.sealed, sha256)) ?? [UInt8](repeating: 0, count: Self.digestSizeBytes)
        case .removed(_, let sequence, let remover, let entry, _):
            begin(.removed, sequence)
            bytes.append(remover.bytes)
            bytes.append(entry.bytes)
        default: return nil
        }
        self.bytes = bytes
    }
}
