// Sees every record that the relay tells anybody, and remembers what stood at each place of each log.

import Sealing
import Wire

/// A place in the order of a session. A session of the same name may begin again after it has ended: that is another life.
struct LogPlace: Hashable {
    let incarnation: UInt64
    let life: Int
    let sequence: UInt64

    func precedes(_ other: LogPlace) -> Bool { (incarnation, life, sequence) < (other.incarnation, other.life, other.sequence) }
}

/// Used on the world's thread only.
final class LogWitness {
    private struct SessionKey: Hashable {
        let incarnation: UInt64
        let session: SessionID
    }

    private struct Log {
        var life = 0
        var frames: [UInt64: Frame] = [:]
        var last: UInt64 = 0
        var endedAt: UInt64?
    }

    private unowned let world: World
    private let keys: EpochKeys
    private var logs: [SessionKey: Log] = [:]
    private var publicKeys: [ParticipantID: [UInt8]] = [:]
    private var openers: [SessionID: [ParticipantID: FrameOpener]] = [:]
    /// Where each message was ordered, life after life.
    private(set) var places: [SayingName: [LogPlace]] = [:]
    private(set) var recordCount = 0

    init(world: World, keys: EpochKeys) {
        self.world = world
        self.keys = keys
    }

    var sessions: [SessionID] { Set(logs.keys.map(\.session)).sorted { $0.bytes.high < $1.bytes.high } }

    func life(of session: SessionID, _ incarnation: UInt64) -> Int { logs[SessionKey(incarnation: incarnation, session: session)]?.life ?? 0 }

    func frame(at sequence: UInt64, in session: SessionID, _ incarnation: UInt64) -> Frame? {
        logs[SessionKey(incarnation: incarnation, session: session)]?.frames[sequence]
    }

    /// Whether the session has ended in any life.
    func hasEnded(_ session: SessionID) -> Bool { world.disk.endedSessions.contains(session) || logs.contains { $0.key.session == session && ($0.value.life > 0 || $0.value.endedAt != nil) } }

    /// The conversation has been made anew.
    func created(_ incarnation: UInt64) {
        for key in logs.keys where key.incarnation == incarnation { begin(key) }
    }

    private func begin(_ key: SessionKey) {
        let life = (logs[key]?.life ?? 0) + 1
        logs[key] = Log()
        logs[key]?.life = life
    }

    /// Somebody is told that it stands at a place of a session.
    func positioned(_ session: SessionID, _ incarnation: UInt64) {
        let key = SessionKey(incarnation: incarnation, session: session)
        if logs[key]?.endedAt != nil { begin(key) }
    }

    func saw(_ frame: Frame, at sequence: UInt64, in session: SessionID, _ incarnation: UInt64) {
        let key = SessionKey(incarnation: incarnation, session: session)
        if let end = logs[key]?.endedAt, !(sequence <= end && logs[key]?.frames[sequence] == frame) { begin(key) }
        var log = logs[key] ?? Log()
        if let known = log.frames[sequence] {
            if let standing = Self.same(known, frame) {
                log.frames[sequence] = standing
            } else {
                world.fail(.oneOrder, "two different records stand at \(sequence) of \(world.name(of: session)): \(Self.word(known)) and \(Self.word(frame))")
            }
            if case .skipped = known, case .ordered = frame { ordered(frame, LogPlace(incarnation: incarnation, life: log.life, sequence: sequence)) }
        } else {
            log.frames[sequence] = frame
            recordCount += 1
            ordered(frame, LogPlace(incarnation: incarnation, life: log.life, sequence: sequence))
        }
        log.last = max(log.last, sequence)
        if case .ended = frame { log.endedAt = sequence }
        logs[key] = log
        if case .removed(.own, _, _, let entry, .sessionEnded) = frame {
            let ended = SessionKey(incarnation: incarnation, session: SessionID(entry.bytes))
            if let log = logs[ended], log.endedAt == nil { logs[ended]?.endedAt = log.last }
        }
    }

    /// What stands there, when both may; a `skipped` is the shadow of an `ordered`.
    private static func same(_ known: Frame, _ other: Frame) -> Frame? {
        if known == other { return known }
        func speaker(_ frame: Frame) -> (ParticipantID, UInt64)? {
            switch frame {
            case .ordered(_, _, let sender, let counter, _, _), .skipped(_, _, let sender, let counter): (sender, counter)
            default: nil
            }
        }
        guard let one = speaker(known), let two = speaker(other), one == two else { return nil }
        if case .skipped = other { return known }
        if case .skipped = known { return other }
        return nil
    }

    private func ordered(_ frame: Frame, _ place: LogPlace) {
        switch frame {
        case .entry(let entry): introduced(entry)
        case .ordered(let session, _, let sender, _, let recipients, let sealed):
            guard let saying = open(sealed, recipients, sender, session) else { return }
            places[saying.name, default: []].append(place)
        default: break
        }
    }

    func introduced(_ entry: Entry) {
        guard entry.session == .own, entry.flags.contains(.presenceBound) else { return }
        guard publicKeys[entry.putter] == nil, let opened = try? keys.openEntry(entry.sealed, at: EntryPlace(session: .own, entry: entry.entry)) else { return }
        publicKeys[opened.maker] = opened.publicKey
    }

    private func open(_ sealed: [UInt8], _ recipients: [ParticipantID], _ sender: ParticipantID, _ session: SessionID) -> Saying? {
        guard let publicKey = publicKeys[sender] else {
            world.fail(.nothingInvented, "a record of somebody who was never introduced was ordered in \(world.name(of: session))")
            return nil
        }
        do {
            let known = openers[session]?[sender]
            let opener = try known ?? FrameOpener(keys: keys, session: session, frameClass: .record, sender: sender, publicKey: publicKey)
            openers[session, default: [:]][sender] = opener
            if case .data(let bytes) = try opener.open(sealed, recipients: recipients).content, let saying = Saying.name(in: Array(bytes)).flatMap({ world.sayings[$0] }) { return saying }
        } catch {
            world.fail(.nothingInvented, "a record in \(world.name(of: session)) does not open: \(error)")
        }
        return nil
    }

    static func word(_ frame: Frame) -> String {
        switch frame {
        case .ordered(_, let sequence, _, let counter, let recipients, let sealed):
            "record \(counter) at \(sequence)\(recipients.isEmpty ? "" : " for \(recipients.count)") (\(sealed.count) bytes)"
        case .skipped(_, let sequence, _, let counter): "skipped \(counter) at \(sequence)"
        case .entered(_, let sequence, _): "a coming at \(sequence)"
        case .exited(_, let sequence, _, let reason): "a going at \(sequence) (\(reason))"
        case .ended(_, let sequence, _, _): "the end at \(sequence)"
        case .entry(let entry): "entry version \(entry.version) at \(entry.sequence)"
        case .removed(_, let sequence, _, _, let reason): "a removal at \(sequence) (\(reason))"
        case .hello(let hello): "hello \(hello.incarnation) with \(hello.places.map { "\($0.sequence)" })"
        case .welcome(let welcome): "welcome \(welcome.incarnation)\(welcome.resumed ? " resumed" : "")"
        case .position(let session, let sequence, let people): "position \(session.short) \(sequence) with \(people.count)"
        case .complete(let session, let sequence): "complete \(session.short) \(sequence)"
        case .enter(let session): "enter \(session.short)"
        case .exit(let session): "exit \(session.short)"
        case .refused(let refusal): "refused \(refusal.frameType) in \(refusal.session.short): \(refusal.code)"
        case .put(let session, let entry, _, _, _): "put \(entry.short) in \(session.short)"
        case .record(let session, let counter, _, _): "record \(counter) in \(session.short)"
        default: "\(frame)".split(separator: "(").first.map(String.init) ?? ""
        }
    }
}

extension Frame {
    /// The session and the place in its order, of what has one.
    var place: (session: SessionID, sequence: UInt64)? {
        switch self {
        case .entered(let session, let sequence, _), .exited(let session, let sequence, _, _), .ended(let session, let sequence, _, _),
            .ordered(let session, let sequence, _, _, _, _), .skipped(let session, let sequence, _, _), .removed(let session, let sequence, _, _, _):
            (session, sequence)
        case .entry(let entry): entry.sequence > 0 ? (entry.session, entry.sequence) : nil
        default: nil
        }
    }
}

extension Identifier {
    /// Enough to tell it from others in a story.
    var short: String { bytes == .zero ? "own" : String(base64URL.prefix(4)) }
}
