// One session as a participant follows it: places, counters, who is there, what is owed. A value: it takes frames and returns effects.

import Sealing
import Wire

/// What a sealed frame held, as the shell found it.
enum Opened: Sendable {
    /// It did not have to be opened.
    case nothing
    case failed
    case frame(OpenedFrame, from: ParticipantID)
    case entry(OpenedEntry)
}

struct SessionState: Sendable {
    /// `entering` until there is a position, `syncing` until the ledger is whole.
    enum Phase: Sendable { case outside, entering, syncing, inside, exiting }

    let id: SessionID
    let local: ParticipantID
    var phase = Phase.outside
    /// The last place taken in.
    var sequence: UInt64 = 0
    /// There is a place in this incarnation, so that `hello` can name it.
    var hasPosition = false
    /// Who is in the session, in order of coming.
    var present: [Attendance] = []
    /// Samples that did not open or came twice.
    var droppedSampleCount = 0
    var ledger = Ledger()
    var records = UnstableRecords()
    var requests = PendingRequests()
    var chain: LogChain
    private(set) var divergences = Divergences()
    private var counters = SenderCounters()
    private var windows: [ParticipantID: ReplayWindow] = [:]
    /// Who was in the conversation when we entered.
    private var elders: Set<ParticipantID> = []
    private var isEnding = false
    private var isOverTold = true
    /// Somebody else has spoken, so that nobody can say that there is nobody.
    private var hasHeardSomebody = false
    /// The connection has been resumed, and what was missed is not all in.
    private var isCatchingUp = false
    private var unacknowledgedCount = 0
    private var unacknowledgedBytes = 0
    private var unacknowledgedSince: Duration?

    private static let acknowledgeAfterFrameCount = 64
    private static let acknowledgeAfterBytes = 1 << 20
    private static let acknowledgeAfter: Duration = .seconds(1)

    init(_ id: SessionID, local: ParticipantID) {
        self.id = id
        self.local = local
        chain = LogChain(of: local)
    }

    var isOwn: Bool { id == .own }
    var isEntered: Bool { phase == .syncing || phase == .inside }
    /// When an acknowledgement is due.
    var acknowledgeAt: Duration? { unacknowledgedSince.map { $0 + Self.acknowledgeAfter } }
    /// When it is due to say how far we have come.
    var positionAt: Duration? { phase == .inside && !isOwn ? chain.positionAt : nil }
    private var isAlone: Bool { !present.contains { $0.participant != local } && !hasHeardSomebody }

    mutating func enter() -> [Frame] {
        phase = .entering
        isOverTold = false
        hasPosition = false
        present = []
        ledger = Ledger()
        counters.rebase()
        elders = []
        chain.end()
        divergences = Divergences()
        return [.enter(session: id)] + records.unplaced(in: id)
    }

    mutating func exit() -> [Frame] {
        phase = .exiting
        return [.exit(session: id)]
    }

    mutating func end() -> [Frame] {
        isEnding = true
        return [.end(session: id)]
    }

    /// The connection is lost.
    mutating func interrupt() {
        isCatchingUp = false
        ledger.interrupt()
    }

    /// A new connection stands. What is still owed goes out again.
    mutating func comeBack(isResumed: Bool, wasNamed: Bool) -> [Frame] {
        if !isResumed {
            records.displace()
            chain.end()
            hasPosition = false
            // A place of an earlier incarnation, acknowledged to this one, would say that more is in than is: the log would be dropped before it is.
            owesNoAcknowledgement()
        }
        guard phase != .outside else { return [] }
        isCatchingUp = isResumed
        // A ledger that was cut off is asked for anew. Into the own session the relay itself puts whoever is not resumed.
        let mustEnter = isResumed ? !wasNamed || phase == .syncing : !wasNamed && !isOwn
        if !isResumed, phase == .inside { phase = .syncing }
        var frames: [Frame] = mustEnter ? [.enter(session: id)] : []
        frames += records.unplaced(in: id) + requests.frames
        if phase == .exiting { frames.append(.exit(session: id)) }
        if isEnding { frames.append(.end(session: id)) }
        return frames
    }

    // MARK: Taking in

    /// Whether a frame has to be opened before it is taken in.
    func mustOpen(_ frame: Frame) -> Bool {
        switch frame {
        case .entry(let entry):
            phase != .outside && (entry.sequence == 0 || entry.sequence > sequence) && ledger.entries[entry.entry].map { entry.version > $0.version } ?? true
        case .ordered(_, let place, let sender, _, let recipients, _): isEntered && place > sequence && sender != local && isForUs(recipients)
        case .sampled(_, let sender, let recipients, _): isEntered && sender != local && isForUs(recipients)
        default: false
        }
    }

    private func isForUs(_ recipients: [ParticipantID]) -> Bool { recipients.isEmpty || recipients.contains(local) }

    /// - Parameters:
    ///   - welcome: the last one.
    ///   - inConversation: everybody who is or was in the conversation, as far as is known.
    mutating func take(_ frame: Frame, _ opened: Opened, _ now: Duration, welcome: Welcome?, inConversation: () -> Set<ParticipantID>) -> [ConversationEffect] {
        switch frame {
        case .position(_, let sequence, let participants):
            if !isOwn, let welcome { follow(welcome, from: sequence, now) }
            return position(sequence, participants, now, inConversation)
        case .complete: return complete()
        case .stable(_, let sequence):
            records.stable(sequence)
            return caughtUp()
        case .sampled: return sampled(opened)
        case .refused(let refusal): return refused(refusal)
        case .entry(let entry) where entry.sequence == 0: return hasPosition ? self.entry(entry, opened) : []
        case .entered(_, let place, _), .exited(_, let place, _, _), .ended(_, let place, _, _), .ordered(_, let place, _, _, _, _), .skipped(_, let place, _, _),
            .removed(_, let place, _, _, _):
            return logged(frame, at: place, opened, now)
        case .entry(let entry): return logged(frame, at: entry.sequence, opened, now)
        default: return []
        }
    }

    private mutating func logged(_ frame: Frame, at place: UInt64, _ opened: Opened, _ now: Duration) -> [ConversationEffect] {
        // Before the position there is no place to compare with: that frame belongs to an earlier stay.
        guard hasPosition, place > sequence else { return [] }
        // Who is on the way out waits for the end of it, whatever is missing before.
        guard place == sequence + 1 || phase == .exiting else { return fail(.gap) }
        sequence = place
        unacknowledgedCount += 1
        unacknowledgedBytes += frame.sealedSizeBytes
        if unacknowledgedSince == nil { unacknowledgedSince = now }
        let wasAlone = isAlone
        let effects = taken(frame, opened, now)
        link(frame, opened, now, wasAlone: wasAlone)
        return effects + acknowledgement(now)
    }

    private mutating func taken(_ frame: Frame, _ opened: Opened, _ now: Duration) -> [ConversationEffect] {
        switch frame {
        case .entered(_, _, let participant):
            present.removeAll { $0.participant == participant }
            present.append(Attendance(participant: participant, presence: .connected))
            return [.session(id, .participantsChanged)]
        case .exited(_, _, let participant, _):
            if participant == local { return outside(.left) }
            present.removeAll { $0.participant == participant }
            if !present.contains(where: { $0.participant != local }) { hasHeardSomebody = false }
            return [.session(id, .participantsChanged)]
        case .ended: return outside(.ended)
        case .entry(let entry): return self.entry(entry, opened)
        case .removed(_, _, _, let entry, _):
            let settled = settled(requests.answerRemove(entry))
            return ledger.remove(entry) ? [.session(id, .ledgerChanged)] + settled : settled
        case .skipped(_, _, let sender, let counter): return counted(sender, counter).effects
        case .ordered(_, let place, let sender, let counter, let recipients, _):
            if sender == local { return settled(records.place(counter, at: place).map { [$0] } ?? []) }
            guard isEntered else { return [] }
            guard isForUs(recipients) else { return counted(sender, counter).effects }
            guard case .frame(let record, let maker) = opened else { return fail(.tampered) }
            hasHeardSomebody = true
            let (isNext, effects) = counted(maker, record.counter)
            // A repeat says the same again, unless another was passed off as having its counter.
            guard isNext else { return effects.isEmpty && chain.judge(record.stretch, in: id) == .different ? compare(record.stretch, of: maker, isForAll: false, now) : effects }
            let found = compare(record.stretch, of: maker, isForAll: recipients.isEmpty, now)
            return record.content == .position ? found : found + [.session(id, .received(record.content, from: maker, isReliable: true))]
        default: return []
        }
    }

    private mutating func counted(_ sender: ParticipantID, _ counter: UInt64) -> (isNext: Bool, effects: [ConversationEffect]) {
        guard sender != local, isEntered else { return (false, []) }
        switch counters.judge(sender, counter, wasThereBefore: elders.contains(sender)) {
        case .next: return (true, [])
        case .duplicate: return (false, [])
        case .gap: return (false, fail(.gap))
        }
    }

    // MARK: What others have seen

    private mutating func follow(_ welcome: Welcome, from place: UInt64, _ now: Duration) {
        hasHeardSomebody = false
        chain.begin(in: welcome.incarnation, at: place)
        divergences.begin(.seconds(Int(welcome.resumeWindowSeconds)), now)
    }

    private mutating func compare(_ stretch: LogStretch, of sender: ParticipantID, isForAll: Bool, _ now: Duration) -> [ConversationEffect] {
        let verdict = chain.judge(stretch, in: id)
        if verdict == .same, isForAll { chain.vouch(stretch, now) }
        guard divergences.weigh(verdict, of: sender, now) else { return [] }
        chain.contradict(stretch, now)
        return [.session(id, .diverged(from: sender))]
    }

    private mutating func link(_ frame: Frame, _ opened: Opened, _ now: Duration, wasAlone: Bool) {
        var record: (sender: ParticipantID, counter: UInt64)?
        var isCause = true
        switch (frame, opened) {
        case (.ordered, .frame(let opened, let maker)):
            record = (maker, opened.counter)
            isCause = opened.content != .position
        case (.ordered(_, _, let sender, _, _, _), _), (.skipped(_, _, let sender, _), _): isCause = sender != local
        default: break
        }
        guard let link = LogLink(frame, opened: record) else { return }
        chain.add(link, isCause: isCause, now)
        switch frame {
        case .entered(_, _, let participant):
            divergences.came(participant, now)
            if wasAlone { chain.beginAnew() }
        case .exited(_, _, let participant, _): divergences.went(participant)
        default: break
        }
    }

    private mutating func sampled(_ opened: Opened) -> [ConversationEffect] {
        guard isEntered else { return [] }
        if case .nothing = opened { return [] }
        if case .frame(let sample, let sender) = opened, sample.content != .position, windows[sender, default: ReplayWindow()].accept(sample.counter) {
            return [.session(id, .received(sample.content, from: sender, isReliable: false))]
        }
        droppedSampleCount += 1
        return []
    }

    private mutating func position(
        _ sequence: UInt64, _ participants: [Attendance], _ now: Duration, _ inConversation: () -> Set<ParticipantID>
    ) -> [ConversationEffect] {
        guard phase != .outside else { return [] }
        let isFirst = phase == .entering
        if isFirst { elders = inConversation() }
        if phase != .exiting { phase = .syncing }
        hasPosition = true
        self.sequence = sequence
        owesNoAcknowledgement()
        // The relay has kept what came before it, in case that it would not arrive.
        if !isFirst { unacknowledgedSince = now }
        ledger.beginSnapshot()
        present = participants
        let effects: [ConversationEffect] = [.session(id, .participantsChanged), .session(id, .ledgerChanged)]
        return isFirst ? [.session(id, .joined)] + effects : effects
    }

    /// The first `stable` of a resumed connection stands behind everything that was missed.
    private mutating func caughtUp() -> [ConversationEffect] {
        guard isCatchingUp else { return [] }
        isCatchingUp = false
        ledger.resume()
        return [.session(id, .ledgerChanged)]
    }

    private mutating func complete() -> [ConversationEffect] {
        guard hasPosition, phase != .outside else { return [] }
        if phase == .syncing { phase = .inside }
        ledger.completeSnapshot()
        return [.session(id, .ledgerChanged)]
    }

    private mutating func entry(_ frame: Entry, _ opened: Opened) -> [ConversationEffect] {
        let content: OpenedEntry? = if case .entry(let entry) = opened { entry } else { nil }
        let isChanged = ledger.put(frame, content, isOwnSession: isOwn)
        let settled = settled(frame.putter == local ? requests.answerPut(frame.entry, sealed: frame.sealed) : [])
        // The ledger first: who is told that its entry has a place looks it up there.
        return isChanged ? [.session(id, .ledgerChanged)] + settled : settled
    }

    private mutating func refused(_ refusal: Refusal) -> [ConversationEffect] {
        if refusal.code == .unknownSession, phase != .outside { return outside(.ended) }
        switch FrameType(rawValue: refusal.frameType) {
        case .enter: return phase == .entering ? outside(.refused(refusal.code), .refused(refusal)) : []
        case .exit: return phase == .exiting ? outside(.left) : []
        // The relay has heard us go, or the session has ended and another has begun under its name, in which we have no place.
        case .hello: return phase == .outside ? [] : outside(phase == .exiting ? .left : .ended)
        case .end:
            isEnding = false
            // The session goes on without us: whoever ends one is done with it.
            return refusal.code == .storageFailed && isEntered ? exit().map { .send($0) } : []
        case .remove:
            let tokens = requests.refuse(.remove, refusal.subject)
            return settled(tokens, refusal.code == .unknownEntry ? .done : .refused(refusal))
        case .put: return settled(requests.refuse(.put, refusal.subject), .refused(refusal))
        case .record:
            let effects = settled(records.refuse(refusal.counter).map { [$0] } ?? [], .refused(refusal))
            // The others would miss that counter: nothing sent after it could be taken in.
            return isEntered ? effects + fail(.gap) : effects
        default: return []
        }
    }

    // MARK: Ending

    /// Nothing that follows can be trusted to be whole: leave, and say why.
    private mutating func fail(_ reason: SessionEnd) -> [ConversationEffect] {
        guard isEntered else { return [] }
        return over(reason) + exit().map { .send($0) }
    }

    private mutating func over(_ reason: SessionEnd) -> [ConversationEffect] {
        guard !isOverTold else { return [] }
        isOverTold = true
        return [.session(id, .over(reason))]
    }

    private mutating func outside(_ reason: SessionEnd, _ settlement: Settlement = .abandoned) -> [ConversationEffect] {
        phase = .outside
        hasPosition = false
        isEnding = false
        owesNoAcknowledgement()
        let tokens = records.abandon() + requests.abandon()
        // Whoever announces an ended session anew begins another log, which what was sealed for this one says nothing true of.
        if reason == .ended { records = UnstableRecords() }
        return settled(tokens, settlement) + over(reason)
    }

    /// The whole conversation is over.
    mutating func abandon() -> [ConversationEffect] { settled(records.abandon() + requests.abandon(), .abandoned) }

    // MARK: Time

    mutating func tick(_ now: Duration) -> [ConversationEffect] {
        let acknowledgements = acknowledgeAt.map { now >= $0 } ?? false ? acknowledgement(now) : []
        guard let positionAt, now >= positionAt else { return acknowledgements }
        if isAlone {
            chain.beginAnew()
            return acknowledgements
        }
        chain.postpone(now)
        return acknowledgements + [.sealPosition(id)]
    }

    private mutating func acknowledgement(_ now: Duration) -> [ConversationEffect] {
        let isDue = unacknowledgedCount >= Self.acknowledgeAfterFrameCount || unacknowledgedBytes >= Self.acknowledgeAfterBytes || acknowledgeAt.map { now >= $0 } ?? false
        guard phase != .outside, isDue else { return [] }
        owesNoAcknowledgement()
        return [.send(.acknowledge(session: id, sequence: sequence))]
    }

    private mutating func owesNoAcknowledgement() {
        unacknowledgedCount = 0
        unacknowledgedBytes = 0
        unacknowledgedSince = nil
    }

    private func settled(_ tokens: [Token], _ settlement: Settlement = .done) -> [ConversationEffect] { tokens.map { .settle($0, settlement) } }
}
