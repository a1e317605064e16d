// What is shown in place of one place of the log, for each kind of lie.

import Wire

struct Telling {
    var shown: [Shown]
    /// A place is counted and left out.
    var hole: Origin?
    /// Comes only after so many others.
    var holding: (after: Int, what: Shown)?

    init(_ shown: [Shown], hole: Origin? = nil, holding: (after: Int, what: Shown)? = nil) {
        self.shown = shown
        self.hole = hole
        self.holding = holding
    }
}

extension Liar {
    /// `nil`: this frame is no occasion for it.
    func telling(_ lie: Lie, _ frame: Frame, _ session: SessionID, _ place: UInt64, to participant: ParticipantID) -> Telling? {
        if case .exited(_, _, participant, _) = frame { return nil }
        if case .ended = frame { return nil }
        let truth = Shown(frame: frame, origin: .place(place))
        func made(_ frame: Frame) -> Shown { Shown(frame: frame, origin: self.made(frame)) }
        if session == .own { return ownTelling(lie, frame, truth, made) }
        switch lie.kind {
        case .drop: return Telling([], hole: self.made())
        case .swap: return Telling([], holding: (1 + lie.number % 3, truth))
        case .inventComing: return Telling([truth, made(.entered(session: session, sequence: 0, participant: somebody(lie.number)))])
        case .inventGoing:
            return Telling([truth, made(.exited(session: session, sequence: 0, participant: lie.number % 4 == 0 ? participant : somebody(lie.number), reason: .exited))])
        case .inventEnd: return Telling([truth, made(.ended(session: session, sequence: 0, participant: somebody(lie.number), reason: .byParticipant))])
        case .replayRecord:
            guard let old = oldRecords[session], !old.isEmpty else { return nil }
            return Telling([truth, made(old[lie.number % old.count])])
        case .replayElsewhere:
            guard let old = oldRecords.filter({ $0.key != session }).sorted(by: { $0.key.bytes.high < $1.key.bytes.high }).first?.value,
                case .ordered(_, _, let sender, let counter, let recipients, let sealed) = old[lie.number % old.count]
            else { return nil }
            return Telling([truth, made(.ordered(session: session, sequence: 0, sender: sender, counter: counter, recipients: recipients, sealed: sealed))])
        case .replayEntry:
            guard var old = oldEntry(in: session, lie.number) else { return nil }
            if lie.number % 2 == 0 { old.version += 1_000 }
            return Telling([truth, made(.entry(old))])
        case .hideComing: if case .entered = frame { return Telling([]) }
        case .hideGoing: if case .exited = frame { return Telling([]) }
        case .hideRemoval: if case .removed = frame { return Telling([]) }
        default: break
        }
        switch frame {
        case .ordered, .skipped: return recordTelling(lie, frame, truth, to: participant, made)
        case .entry(let entry): return entryTelling(lie, entry, truth, made)
        default: return nil
        }
    }

    private func recordTelling(_ lie: Lie, _ frame: Frame, _ truth: Shown, to participant: ParticipantID, _ made: (Frame) -> Shown) -> Telling? {
        guard let sender = frame.author, sender != participant || lie.kind == .hideRecord && lie.number % 5 == 0 else { return nil }
        if lie.kind == .hideRecord { return Telling([]) }
        if case .skipped(let session, let place, _, let counter) = frame {
            switch lie.kind {
            case .skipOther: return Telling([made(.skipped(session: session, sequence: 0, sender: sender, counter: counter + 1))])
            case .sender: return Telling([made(.skipped(session: session, sequence: 0, sender: somebody(lie.number, but: sender), counter: counter))])
            case .showOthers:
                guard let incarnation = world.life?.incarnation, case .ordered(_, _, _, _, _, let sealed)? = world.log.frame(at: place, in: session, incarnation),
                    case .ordered(_, _, _, _, let recipients, _)? = world.log.frame(at: place, in: session, incarnation)
                else { return nil }
                let isHonest = lie.number % 2 == 0
                let told = Frame.ordered(session: session, sequence: 0, sender: sender, counter: counter, recipients: isHonest ? recipients : [], sealed: sealed)
                // For whom it is not, it says no more than that it is not.
                return Telling([Shown(frame: told, origin: isHonest ? truth.origin : self.made(told))])
            default: return nil
            }
        }
        guard case .ordered(let session, _, _, let counter, let recipients, let sealed) = frame else { return nil }
        func ordered(_ sender: ParticipantID, _ counter: UInt64, _ recipients: [ParticipantID], _ sealed: [UInt8]) -> Frame {
            .ordered(session: session, sequence: 0, sender: sender, counter: counter, recipients: recipients, sealed: sealed)
        }
        switch lie.kind {
        case .skipRecord:
            let skipped = Frame.skipped(session: session, sequence: 0, sender: sender, counter: counter)
            // Of what was said to some only they could tell, and they compare with nobody.
            return Telling([recipients.isEmpty ? made(skipped) : Shown(frame: skipped, origin: truth.origin)])
        case .skipOther: return Telling([made(.skipped(session: session, sequence: 0, sender: sender, counter: counter + 1))])
        case .repeatRecord: return Telling([truth, made(frame)])
        case .tamperRecord: return Telling([made(ordered(sender, counter, recipients, Self.flipped(sealed, lie.number)))])
        case .sender where lie.number % 7 == 0: return Telling([made(ordered(participant, counter, recipients, sealed))])
        // Who opens it knows better: it is the same place.
        case .sender: return Telling([Shown(frame: ordered(somebody(lie.number, but: participant), counter, recipients, sealed), origin: truth.origin)])
        case .counter: return Telling([Shown(frame: ordered(sender, counter + 1 + UInt64(lie.number % 3), recipients, sealed), origin: truth.origin)])
        case .recipients:
            if recipients.isEmpty { return Telling([made(ordered(sender, counter, [lie.number % 2 == 0 ? participant : somebody(lie.number, but: participant)], sealed))]) }
            return Telling([made(ordered(sender, counter, [], sealed))])
        default: return nil
        }
    }

    private func entryTelling(_ lie: Lie, _ entry: Entry, _ truth: Shown, _ made: (Frame) -> Shown) -> Telling? {
        switch lie.kind {
        case .hideEntry: return Telling([])
        case .entryAsNobodys: return Telling([made(.skipped(session: entry.session, sequence: 0, sender: nobody(), counter: 0))])
        case .repeatEntry:
            var again = entry
            again.version += UInt64(lie.number % 2)
            return Telling([truth, made(.entry(again))])
        case .tamperEntry, .size, .flags, .version: return changed(entry, lie).map { Telling([made(.entry($0))]) }
        default: return nil
        }
    }

    private func ownTelling(_ lie: Lie, _ frame: Frame, _ truth: Shown, _ made: (Frame) -> Shown) -> Telling? {
        switch lie.kind {
        case .hideOwn: return Telling([])
        case .inventPerson:
            let stranger = nobody()
            let old = oldEntry(in: .own, lie.number)
            let sealed = lie.number % 2 == 0 ? old?.sealed : nil
            let introduction = Entry(
                session: .own, sequence: 1, version: (old?.version ?? 0) + 1_000, putter: stranger, entry: EntryID(stranger.bytes), flags: .presenceBound, bodyLength: 0,
                sealed: sealed ?? (0..<200).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
            return Telling([truth, made(.entered(session: .own, sequence: 0, participant: stranger)), made(.entry(introduction))])
        default: return nil
        }
    }

    func changed(_ entry: Entry, _ lie: Lie) -> Entry? {
        var other = entry
        switch lie.kind {
        case .tamperEntry: other.sealed = Self.flipped(entry.sealed, lie.number)
        case .size: other.bodyLength = [0, entry.bodyLength + 1, entry.bodyLength / 2, 1 << 52][lie.number % 4]
        case .flags: other.flags.formSymmetricDifference(.bodyComplete)
        case .version: other.version = lie.number % 2 == 0 ? entry.version + 1 + UInt64(lie.number % 9) : max(1, entry.version - 1)
        default: return nil
        }
        return other == entry ? nil : other
    }

    /// Of those who are or were here, or nobody at all.
    private func somebody(_ number: Int, but other: ParticipantID? = nil) -> ParticipantID {
        let people = world.participations.map(\.id).filter { $0 != other }
        return number % 5 == 0 || people.isEmpty ? nobody() : people[number / 5 % people.count]
    }
}
