// The rules of a participant's side: a value that takes events and returns effects, without I/O, clock or randomness of its own.

import Sealing
import Wire

/// An activity that runs, as it is announced.
public struct RunningActivity: Equatable, Sendable {
    public let session: SessionID
    public let announcement: EntryBody.Announcement
    /// Who made the version of the announcement that was seen first.
    public let initiator: ParticipantID
    /// Grows with every replacement.
    public let version: UInt64
}

struct ConversationState: Sendable {
    /// What a participation is made of before it begins.
    struct Options: Sendable {
        var local: ParticipantID
        /// 16 bytes, chosen once.
        var participantSecret: Bytes16
        var relayToken: [UInt8]
        var sealedIntroduction: [UInt8]
        var mayCreate: Bool
        /// 32 bytes, of an earlier participation of the same person.
        var pass: [UInt8]?
        var policy = ReconnectionPolicy()
    }

    struct Introduction: Equatable, Sendable {
        let publicKey: [UInt8]
        let name: String
    }

    let options: Options
    private(set) var link: LinkState
    private(set) var door: DoorState
    private(set) var own: SessionState
    /// Not the own one.
    private(set) var sessions: [SessionID: SessionState] = [:]
    /// Everybody who was ever validly introduced: kept after they have left, for what they sent before may be taken in later.
    private(set) var introductions: [ParticipantID: Introduction] = [:]
    /// The relay has answered once.
    private(set) var isAdmitted = false
    private(set) var welcome: Welcome?
    private var senders: [UInt64: ParticipantID] = [:]
    private var initiators: [SessionID: ParticipantID] = [:]
    private var incarnation: UInt64 = 0
    /// The one before it: what is said to a restarted relay that has not told yet where it stands.
    private var formerIncarnation: UInt64 = 0
    /// What the last `hello` named.
    private var named: Set<SessionID> = []

    /// - Parameter introductionToken: settled once the introduction has its place.
    init(_ options: Options, introductionToken: Token) {
        self.options = options
        link = LinkState(policy: options.policy)
        door = DoorState(pass: options.pass)
        own = SessionState(.own, local: options.local)
        _ = own.enter()
        introduce(introductionToken)
    }

    var local: ParticipantID { options.local }

    /// Activities that run, in order of announcement.
    var activities: [RunningActivity] {
        own.ledger.inOrder.compactMap { entry in
            guard case .activity(let announcement) = entry.body else { return nil }
            let session = SessionID(entry.entry.bytes)
            return RunningActivity(session: session, announcement: announcement, initiator: initiators[session] ?? entry.maker, version: entry.version)
        }
    }

    /// In the conversation and validly introduced, in order of coming.
    var participants: [Attendance] { own.present.filter { introductions[$0.participant] != nil } }

    func session(_ id: SessionID) -> SessionState? { id == .own ? own : sessions[id] }

    /// Who seals under this KID.
    func sender(of kid: UInt64) -> (participant: ParticipantID, publicKey: [UInt8])? {
        guard let sender = senders[kid], let introduction = introductions[sender] else { return nil }
        return (sender, introduction.publicKey)
    }

    /// When `tick` has to be called next.
    var wakeAt: Duration? {
        let due = [link.wakeAt] + (link.isUp ? [own.acknowledgeAt] + sessions.values.flatMap { [$0.acknowledgeAt, $0.positionAt] } : [])
        return due.compactMap { $0 }.min()
    }

    // MARK: The connection

    mutating func start(_ now: Duration) -> [ConversationEffect] { acts(link.open(now), now, random: 0) }

    /// The connection is open.
    mutating func opened(_ now: Duration) -> [ConversationEffect] {
        link.greet(now)
        // Without a place in the own session there is nothing to resume: then it is said as the time before, with the sessions that it was in.
        let canResume = incarnation != 0 && own.hasPosition
        let places = canResume ? ([own] + sessions.values).filter { $0.phase != .outside && $0.hasPosition } : sessions.values.filter { $0.isEntered || $0.phase == .exiting }
        named = Set(places.map(\.id))
        return [
            .send(
                .hello(
                    Hello(
                        create: options.mayCreate && !isAdmitted, participant: local, secret: options.participantSecret, relayToken: options.relayToken,
                        incarnation: canResume ? incarnation : formerIncarnation, places: places.map { Hello.Place(session: $0.id, sequence: $0.sequence) },
                        pass: door.pass)))
        ]
    }

    /// Bytes came.
    mutating func heard(_ now: Duration) { link.heard(now) }

    /// The connection is gone, or came to nothing.
    /// - Parameters:
    ///   - code: of the close; 1006 when there was none.
    ///   - random: from 0 to 1.
    mutating func lost(code: UInt16, _ now: Duration, random: Double) -> [ConversationEffect] {
        guard link.phase != .closed else { return [] }
        if link.phase == .leaving { return close(.left) }
        let reason = CloseReason(rawValue: code)
        switch CloseReason.consequence(of: code) {
        case .resume: break
        case .over: return close(reason.map { ConversationEnd($0, wasAdmitted: isAdmitted) } ?? .ended)
        case .refused: return close(reason.map { ConversationEnd($0, wasAdmitted: isAdmitted) } ?? .malformed)
        case .comeBackAsNew: return close(.cannotResume)
        }
        link.lost(now, random: random)
        if !isAdmitted, link.failureCount >= options.policy.firstAttemptCountLimit { return close(.unreachable) }
        own.interrupt()
        for id in sessions.keys { sessions[id]?.interrupt() }
        return [.linkChanged] + ([own] + sessions.values).filter { $0.phase != .outside && !$0.isOwn }.map { .session($0.id, .ledgerChanged) }
    }

    /// What came over the connection cannot be read: nothing that follows can be trusted to be in step.
    mutating func garbled() -> [ConversationEffect] { close(.malformed) }

    private mutating func close(_ end: ConversationEnd) -> [ConversationEffect] {
        guard link.phase != .closed else { return [] }
        link.close()
        var effects = own.abandon() + door.abandon().map { .settle($0, .abandoned) }
        for id in sessions.keys { effects += sessions[id]?.abandon() ?? [] }
        return effects + [.drop, .linkChanged, .closed(end)]
    }

    mutating func retryNow(_ now: Duration) -> [ConversationEffect] { acts(link.retryNow(now), now, random: 0) }

    mutating func tick(_ now: Duration, random: Double) -> [ConversationEffect] {
        var effects = acts(link.tick(now), now, random: random)
        guard link.isUp else { return effects }
        effects += own.tick(now)
        for id in sessions.keys { effects += sessions[id]?.tick(now) ?? [] }
        return effects
    }

    /// Says that it goes, for good.
    mutating func leave(_ now: Duration) -> [ConversationEffect] {
        guard link.hasGreeted else { return close(.left) }
        link.leave(now)
        return [.send(.leave), .linkChanged]
    }

    private mutating func acts(_ acts: [LinkState.Act], _ now: Duration, random: Double) -> [ConversationEffect] {
        var effects: [ConversationEffect] = []
        for act in acts {
            switch act {
            case .open: effects += [.open, .linkChanged]
            case .drop: effects += [.drop] + lost(code: 1006, now, random: random)
            case .check: effects.append(.check)
            case .left: effects += close(.left)
            }
        }
        return effects
    }

    // MARK: Taking in

    /// Whether the shell has to open a frame first.
    func mustOpen(_ frame: Frame) -> Bool {
        switch frame {
        case .door, .knocking: true
        default: frame.session.flatMap(session)?.mustOpen(frame) ?? false
        }
    }

    /// Frames are taken in one by one, in the order in which they came.
    mutating func take(_ frame: Frame, _ opened: Opened, _ now: Duration) -> [ConversationEffect] {
        guard link.phase != .closed, link.phase != .waiting else { return [] }
        switch frame {
        case .welcome(let welcome) where link.phase == .leaving:
            // No place is taken any more, but what still comes belongs to the incarnation that it names.
            self.welcome = welcome
            return []
        case .welcome(let welcome): return welcomed(welcome, now)
        case .presence(let participant, let presence):
            guard let index = own.present.firstIndex(where: { $0.participant == participant }) else { return [] }
            own.present[index].presence = presence
            return [.participantsChanged]
        case .waiting: return link.phase == .leaving ? [] : wait(now)
        case .door(let told): return door.take(told, opened).map { .settle($0, .done) } + [.doorChanged]
        case .knocking(let participant, _): return door.knocking(participant, opened) ? [.doorChanged] : []
        case .knocked(let participant, _):
            door.knocked(participant)
            return [.doorChanged]
        case .refused(let refusal) where refusal.frameType == FrameType.setDoor.rawValue: return door.refuse().map { [.settle($0, .refused(refusal))] } ?? []
        default: break
        }
        guard let id = frame.session else { return [] }
        let everybody = { [own, introductions] in Set(own.present.map(\.participant)).union(introductions.keys) }
        if id == .own { return digest(own.take(frame, opened, now, welcome: welcome, inConversation: { [] })) }
        return ifUp(sessions[id]?.take(frame, opened, now, welcome: welcome, inConversation: everybody) ?? [])
    }

    /// What happens in the own session is what happens in the conversation.
    private mutating func digest(_ effects: [ConversationEffect]) -> [ConversationEffect] {
        var result: [ConversationEffect] = []
        for effect in ifUp(effects) {
            guard case .session(_, let event) = effect else {
                result.append(effect)
                continue
            }
            switch event {
            case .participantsChanged: result.append(.participantsChanged)
            case .ledgerChanged:
                readOwnLedger()
                result += [.participantsChanged, .announcementsChanged]
            case .over(.tampered), .over(.gap): result += close(.malformed)
            case .over(.left): result += close(link.phase == .leaving ? .left : .ended)
            case .over: result += close(.ended)
            case .joined, .received, .diverged: break
            }
        }
        return result
    }

    private mutating func readOwnLedger() {
        for entry in own.ledger.entries.values {
            switch entry.body {
            case .activity:
                let session = SessionID(entry.entry.bytes)
                if initiators[session] == nil { initiators[session] = entry.maker }
            case .introduction(let name):
                guard introductions[entry.maker]?.name != name else { continue }
                introductions[entry.maker] = Introduction(publicKey: entry.publicKey, name: name)
                for frameClass in [FrameClass.record, .sample] {
                    let kid = kid(of: entry.maker, frameClass)
                    if senders[kid] == nil { senders[kid] = entry.maker }
                }
            case .attachment, .door, .unknown: break
            }
        }
    }

    /// A member has to let us in.
    private mutating func wait(_ now: Duration) -> [ConversationEffect] {
        guard link.phase == .greeting else { return [] }
        link.knock(now)
        return [.send(.knock(sealed: options.sealedIntroduction)), .linkChanged]
    }

    private mutating func welcomed(_ welcome: Welcome, _ now: Duration) -> [ConversationEffect] {
        link.welcome(now)
        isAdmitted = true
        self.welcome = welcome
        if welcome.incarnation != incarnation { formerIncarnation = incarnation }
        incarnation = welcome.incarnation
        if !welcome.resumed { introduce(nil) }
        var frames = own.comeBack(isResumed: welcome.resumed, wasNamed: named.contains(.own))
        for id in sessions.keys.sorted(by: { ($0.bytes.high, $0.bytes.low) < ($1.bytes.high, $1.bytes.low) }) {
            frames += sessions[id]?.comeBack(isResumed: welcome.resumed, wasNamed: named.contains(id)) ?? []
        }
        door.forgetKnocks()
        return [.linkChanged, .welcomed, .doorChanged] + ifUp(frames + door.unanswered)
    }

    private mutating func introduce(_ token: Token?) {
        let entry = EntryID(local.bytes)
        guard !own.requests.isPutting(entry) else { return }
        _ = own.requests.put(entry, flags: .presenceBound, bodySizeBytes: 0, sealed: options.sealedIntroduction, in: .own, token: token)
    }

    private func ifUp(_ frames: [Frame]) -> [ConversationEffect] { link.isUp ? frames.map { .send($0) } : [] }

    private func ifUp(_ effects: [ConversationEffect]) -> [ConversationEffect] {
        link.isUp ? effects : effects.filter { if case .send = $0 { false } else { true } }
    }

    // MARK: What the participant asks for

    /// False once the conversation is over.
    var isOpen: Bool { link.phase != .closed && link.phase != .leaving }

    mutating func setDoor(_ set: Door, passDigest: [UInt8], token: Token) -> [ConversationEffect] {
        guard isOpen else { return [.settle(token, .abandoned)] }
        return ifUp([door.ask(set, passDigest: passDigest, token: token)])
    }

    /// While the connection is away nobody is let in; who knocks still will be told anew.
    func answer(_ participant: ParticipantID, admits: Bool) -> [ConversationEffect] {
        door.knocks.contains { $0.participant == participant } ? ifUp([Frame.admit(participant: participant, admits: admits)]) : []
    }

    mutating func enter(_ id: SessionID) -> [ConversationEffect] {
        guard isOpen, id != .own, sessions[id].map({ $0.phase == .outside }) ?? true else { return [] }
        var session = sessions[id] ?? SessionState(id, local: local)
        let frames = session.enter()
        sessions[id] = session
        return ifUp(frames)
    }

    mutating func exit(_ id: SessionID) -> [ConversationEffect] {
        guard let phase = sessions[id]?.phase, phase != .outside, phase != .exiting else { return [] }
        return ifUp(sessions[id]?.exit() ?? [])
    }

    /// Ends a session for everyone; who is outside goes in for that.
    mutating func end(_ id: SessionID) -> [ConversationEffect] {
        let entering = enter(id)
        return entering + ifUp(sessions[id]?.end() ?? [])
    }

    /// What a record that is sealed now has to say of the log.
    func stretch(in id: SessionID) throws(SealingError) -> LogStretch { try sessions[id]?.chain.stretch(in: id) ?? .nothing }

    /// It has been sealed for everyone in the session.
    mutating func told(_ stretch: LogStretch, in id: SessionID) { sessions[id]?.chain.told(stretch) }

    /// A record that has been sealed: from here on it is sent until it has its place.
    mutating func record(_ frame: SealedFrame, to recipients: [ParticipantID], in id: SessionID, token: Token?) -> [ConversationEffect] {
        guard isOpen, let session = sessions[id], session.isEntered || session.phase == .entering else {
            // The counter is taken: whoever is entered later has to see it.
            sessions[id]?.records.add(counter: frame.counter, recipients: recipients, sealed: frame.sealed, token: nil)
            return token.map { [.settle($0, .abandoned)] } ?? []
        }
        sessions[id]?.records.add(counter: frame.counter, recipients: recipients, sealed: frame.sealed, token: token)
        return ifUp([Frame.record(session: id, counter: frame.counter, recipients: recipients, sealed: frame.sealed)])
    }

    mutating func put(_ entry: EntryID, flags: EntryFlags, bodySizeBytes: Int, sealed: [UInt8], in id: SessionID, token: Token) -> [ConversationEffect] {
        guard isOpen, id == .own || sessions[id]?.isEntered ?? false else { return [.settle(token, .abandoned)] }
        let frame =
            id == .own
            ? own.requests.put(entry, flags: flags, bodySizeBytes: bodySizeBytes, sealed: sealed, in: id, token: token)
            : sessions[id]?.requests.put(entry, flags: flags, bodySizeBytes: bodySizeBytes, sealed: sealed, in: id, token: token)
        return ifUp(frame.map { [$0] } ?? [])
    }

    mutating func remove(_ entry: EntryID, in id: SessionID, token: Token) -> [ConversationEffect] {
        guard isOpen, id == .own || sessions[id]?.isEntered ?? false else { return [.settle(token, .abandoned)] }
        let frame = id == .own ? own.requests.remove(entry, in: id, token: token) : sessions[id]?.requests.remove(entry, in: id, token: token)
        return ifUp(frame.map { [$0] } ?? [])
    }
}

extension CloseReason {
    /// What the hundreds of a code say; codes of others, from browsers or proxies, count as 4200.
    static func consequence(of code: UInt16) -> Consequence {
        switch code {
        case 4000..<4100: .over
        case 4100..<4200: .refused
        case 4300..<4400: .comeBackAsNew
        default: .resume
        }
    }
}

extension Frame {
    /// What a frame of the log holds that the relay has to keep.
    var sealedSizeBytes: Int {
        switch self {
        case .ordered(_, _, _, _, _, let sealed): sealed.count
        case .entry(let entry): entry.sealed.count
        default: 0
        }
    }

    /// The session that a frame from the relay is about.
    var session: SessionID? {
        switch self {
        case .position(let session, _, _), .complete(let session, _), .entered(let session, _, _), .exited(let session, _, _, _), .ended(let session, _, _, _),
            .ordered(let session, _, _, _, _, _), .skipped(let session, _, _, _), .sampled(let session, _, _, _), .removed(let session, _, _, _, _),
            .stable(let session, _):
            session
        case .entry(let entry): entry.session
        case .refused(let refusal): refusal.session
        default: nil
        }
    }
}
