// Every key of one participation: seals what it says, opens what it hears, and keeps what would be costly or wrong to make twice.

import Sealing
import Wire

/// Used by one conversation, which sees to it that no two calls overlap.
final class Seals {
    private struct Key: Hashable {
        let session: SessionID
        let participant: ParticipantID
        let frameClass: FrameClass
    }

    let keys: EpochKeys
    let identity: Identity
    /// Kept as long as the identity: a second sealer for the same session would use its counters again.
    private var sealers: [Key: FrameSealer] = [:]
    private var openers: [Key: FrameOpener] = [:]

    init(keys: EpochKeys, identity: Identity) {
        self.keys = keys
        self.identity = identity
    }

    /// - Parameter stretch: of the log, for a record.
    func seal(
        _ content: FrameContent, _ frameClass: FrameClass, to recipients: [ParticipantID], after stretch: LogStretch = .nothing, in session: SessionID
    ) throws(SealingError) -> SealedFrame {
        let key = Key(session: session, participant: identity.participant, frameClass: frameClass)
        let sealer = if let known = sealers[key] { known } else { try FrameSealer(keys: keys, identity: identity, session: session, frameClass: frameClass) }
        sealers[key] = sealer
        switch content {
        case .message(let identifier, let json): return try sealer.sealMessage(identifier: identifier, json: json, to: recipients, after: stretch)
        case .data(let bytes): return try sealer.sealData(bytes, to: recipients, after: stretch)
        case .position: return try sealer.sealPosition(after: stretch)
        case .unknown: throw .malformed
        }
    }

    func seal(_ body: EntryBody, at place: EntryPlace) throws(SealingError) -> [UInt8] { try keys.seal(body, by: identity, at: place) }

    func open(_ frame: Frame, sender: (UInt64) -> (participant: ParticipantID, publicKey: [UInt8])?) -> Opened {
        do throws(SealingError) {
            switch frame {
            case .entry(let entry): return .entry(try keys.openEntry(entry.sealed, at: EntryPlace(session: entry.session, entry: entry.entry)))
            case .door(let door): return .entry(try keys.openEntry(door.sealed, at: EntryPlace(session: .own, entry: EntryID(.zero))))
            case .knocking(let participant, let sealed):
                return .entry(try keys.openEntry(sealed, at: EntryPlace(session: .own, entry: EntryID(participant.bytes))))
            case .ordered(let session, _, _, _, let recipients, let sealed): return try open(sealed, .record, recipients, session, sender)
            case .sampled(let session, _, let recipients, let sealed): return try open(sealed, .sample, recipients, session, sender)
            default: return .nothing
            }
        } catch {
            return .failed
        }
    }

    private func open(
        _ sealed: [UInt8], _ frameClass: FrameClass, _ recipients: [ParticipantID], _ session: SessionID, _ sender: (UInt64) -> (participant: ParticipantID, publicKey: [UInt8])?
    ) throws(SealingError) -> Opened {
        guard let (participant, publicKey) = sender(try claimedSender(of: sealed).kid) else { throw .tampered }
        let key = Key(session: session, participant: participant, frameClass: frameClass)
        let opener =
            if let known = openers[key] { known } else {
                try FrameOpener(keys: keys, session: session, frameClass: frameClass, sender: participant, publicKey: publicKey)
            }
        openers[key] = opener
        return .frame(try opener.open(sealed, recipients: recipients), from: participant)
    }

    /// Those of a session that is over for good.
    func forget(_ session: SessionID) { openers = openers.filter { $0.key.session != session } }
}
