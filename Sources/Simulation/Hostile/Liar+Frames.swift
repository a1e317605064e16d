// What a lying relay makes of each frame that the real one sends: most it passes on, under the numbers that it has told so far.

import Wire

extension Liar {
    func show(_ frame: Frame, over port: SimulatedPort) -> [Frame] {
        let (participant, device) = (port.line.participant, port.line.device.index)
        switch frame {
        case .welcome(let welcome): return [.welcome(shown(welcome, to: participant, device))]
        case .position(let session, let place, let people): return [position(session, place, people, to: participant, device)]
        case .complete(let session, let place): return [.complete(session: session, sequence: log(participant, session)?.shownPlace(place) ?? place)]
        case .stable(let session, let place): return [.stable(session: session, sequence: stable(session, place, participant, device))]
        case .entry(let entry) where entry.sequence == 0: return kept(entry, to: participant, device)
        case .sampled: return sampled(frame, to: participant, device)
        default:
            guard let (session, place) = frame.place else { return [frame] }
            return logged(frame, session, place, to: participant, device)
        }
    }

    private func log(_ participant: ParticipantID, _ session: SessionID) -> ShownLog? { logs[participant]?[session]?.last }

    private func logged(_ frame: Frame, _ session: SessionID, _ place: UInt64, to participant: ParticipantID, _ device: Int) -> [Frame] {
        guard var log = log(participant, session) else { return [frame] }
        if let known = log.known(place) { return known }
        remember(frame)
        var telling = Telling([Shown(frame: frame, origin: .place(place))])
        if let author = frame.author, session != .own, isForked(author, from: device) {
            telling = Telling([])
        } else if let told = lie(to: device, { lie in self.telling(lie, frame, session, place, to: participant).map { ($0, lie.kind) } }) {
            telling = told.0
            hit(told.1, participant, session)
        }
        let frames = log.show(telling.shown, hole: telling.hole, holding: telling.holding)
        let index = (logs[participant]?[session]?.count ?? 1) - 1
        logs[participant]?[session]?[index] = log
        return frames
    }

    // MARK: Names and numbers

    private func shown(_ welcome: Welcome, to participant: ParticipantID, _ device: Int) -> Welcome {
        var welcome = welcome
        let own = welcome.incarnation
        if incarnations[participant]?[own] == nil {
            let invented: UInt64? = lie(to: device) { $0.kind == .incarnation ? own + 1_000 + UInt64($0.number) : nil }
            if invented != nil { hit(.incarnation, participant, nil) }
            incarnations[participant, default: [:]][own] = invented ?? own
        }
        welcome.incarnation = incarnations[participant]?[own] ?? own
        return welcome
    }

    /// As the hub knows it.
    func trueIncarnation(_ shown: UInt64, _ participant: ParticipantID) -> UInt64 { incarnations[participant]?.first { $0.value == shown }?.key ?? shown }

    private func position(_ session: SessionID, _ place: UInt64, _ people: [Attendance], to participant: ParticipantID, _ device: Int) -> Frame {
        var (base, people) = (place, people)
        if session != .own {
            if let further: UInt64 = lie(to: device, { $0.kind == .places ? ($0.number % 2 == 0 ? UInt64(1 + $0.number % 6) : UInt64($0.number)) : nil }) {
                base += further
                hit(.places, participant, session)
            }
            if let others: [Attendance] = lie(to: device, { $0.kind == .people ? self.otherPeople(people, $0.number, participant) : nil }) {
                people = others
                hit(.people, participant, session)
            }
        }
        let incarnation = world.life?.incarnation ?? 0
        logs[participant, default: [:]][session, default: []].append(ShownLog(incarnation: incarnations[participant]?[incarnation] ?? incarnation, base: base, trueBase: place))
        return .position(session: session, sequence: base, participants: people)
    }

    private func otherPeople(_ people: [Attendance], _ number: Int, _ participant: ParticipantID) -> [Attendance] {
        switch number % 3 {
        case 0: return people.filter { $0.participant == participant }
        case 1: return people + [Attendance(participant: nobody(), presence: .connected)]
        default:
            let former = world.participations.first { each in !people.contains { $0.participant == each.id } }
            return people + [Attendance(participant: former?.id ?? nobody(), presence: .connected)]
        }
    }

    private func stable(_ session: SessionID, _ place: UInt64, _ participant: ParticipantID, _ device: Int) -> UInt64 {
        guard let log = log(participant, session) else { return place }
        if session != .own, lie(to: device, { $0.kind == .stable ? true : nil }) == true {
            hit(.stable, participant, session)
            return log.end
        }
        return log.shownPlace(place)
    }

    // MARK: What is handed over on entering

    private func kept(_ entry: Entry, to participant: ParticipantID, _ device: Int) -> [Frame] {
        remember(.entry(entry))
        guard entry.session != .own else { return [.entry(entry)] }
        let told: ([Frame], LieKind)? = lie(to: device) { lie in
            switch lie.kind {
            case .hideKept: return ([], lie.kind)
            case .oldKept:
                guard var old = self.oldEntry(in: entry.session, lie.number) else { return nil }
                old.sequence = 0
                if lie.number % 3 == 0 { old.version = entry.version + 1 }
                return (lie.number % 2 == 0 ? [.entry(old), .entry(entry)] : [.entry(old)], lie.kind)
            case .tamperEntry, .size, .flags, .version: return self.changed(entry, lie).map { ([.entry($0)], lie.kind) }
            default: return nil
            }
        }
        if let told { hit(told.1, participant, entry.session) }
        return told?.0 ?? [.entry(entry)]
    }

    func oldEntry(in session: SessionID, _ number: Int) -> Entry? {
        guard let old = oldEntries[session], !old.isEmpty else { return nil }
        return old[number % old.count]
    }

    // MARK: Samples

    private func sampled(_ frame: Frame, to participant: ParticipantID, _ device: Int) -> [Frame] {
        guard case .sampled(let session, let sender, let recipients, let sealed) = frame else { return [frame] }
        remember(frame)
        let told: ([Frame], LieKind)? = lie(to: device) { lie in
            switch lie.kind {
            case .repeatSample:
                let old = self.oldSamples[session] ?? []
                return ([frame, old[lie.number % old.count], frame], lie.kind)
            case .tamperSample: return ([.sampled(session: session, sender: sender, recipients: recipients, sealed: Self.flipped(sealed, lie.number))], lie.kind)
            case .recordAsSample:
                guard let old = self.oldRecords[session], case .ordered(_, _, let sender, _, let recipients, let sealed) = old[lie.number % old.count] else { return nil }
                return ([.sampled(session: session, sender: sender, recipients: recipients, sealed: sealed), frame], lie.kind)
            case .sampleElsewhere:
                guard let other = self.world.log.sessions.first(where: { $0 != session && $0 != .own }) else { return nil }
                return ([.sampled(session: other, sender: sender, recipients: recipients, sealed: sealed)], lie.kind)
            case .sampleRecipients: return ([.sampled(session: session, sender: sender, recipients: recipients.isEmpty ? [participant] : [], sealed: sealed)], lie.kind)
            default: return nil
            }
        }
        if let told { hit(told.1, participant, session) }
        return told?.0 ?? [frame]
    }

    static func flipped(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
        guard !bytes.isEmpty else { return [1] }
        var bytes = bytes
        bytes[number % bytes.count] ^= 1 << UInt8(number / 7 % 8)
        return bytes
    }

    func nobody() -> ParticipantID { ParticipantID(Bytes16(high: dice.next(), low: dice.next())) }
}

extension Frame {
    /// Who has said it, put it or taken it away, by the relay's word.
    var author: ParticipantID? {
        switch self {
        case .ordered(_, _, let sender, _, _, _), .skipped(_, _, let sender, _): sender
        case .removed(_, _, let remover, _, _): remover
        case .entry(let entry): entry.putter
        default: nil
        }
    }
}
