// One participation as an app on a person's device: the real participant, what it was asked, and what it was told.

import Conversations
import Sealing
import Wire

/// One stay in a session, from `joined` to `over`.
final class Stay {
    let session: SessionID
    /// Where in the order it began.
    let start: LogPlace?
    var heard: [SayingName] = []
    var isOver = false
    /// The app was told that somebody has seen another log.
    var isToldOfAnotherLog = false

    init(session: SessionID, start: LogPlace?) {
        self.session = session
        self.start = start
    }
}

/// Used on the world's thread only.
final class Participation: @unchecked Sendable {
    unowned let world: World
    let number: Int
    let device: Device
    let conversation: Conversation
    let id: ParticipantID
    let entersEverything: Bool
    private(set) var end: ConversationEnd?
    private(set) var isLeaving = false
    private(set) var activities: [RunningActivity] = []
    private(set) var stays: [SessionID: Stay] = [:]
    private(set) var pastStays: [Stay] = []
    private(set) var heardEver: Set<SayingName> = []
    private var lastFrom: [SessionID: [Int: Int]] = [:]
    private(set) var entering: Set<SessionID> = []
    /// Asked for and not answered.
    private(set) var pending: [Int: String] = [:]
    private var lastCall = 0
    private var sayingCount = 0
    /// The latest `position` that arrived.
    var positions: [SessionID: LogPlace] = [:]
    private(set) var wasConnected = false
    private(set) var isIntroduced = false

    /// Does what the person wants.
    var isReady: Bool { isOpen && isIntroduced }
    var isOpen: Bool { end == nil && !isLeaving }
    var name: String { "\(device.name)\(number)" }

    init(_ world: World, number: Int, device: Device, entersEverything: Bool) throws {
        self.world = world
        self.number = number
        self.device = device
        self.entersEverything = entersEverything
        let transport = SimulatedTransport(world, device, number: number)
        nonisolated(unsafe) var dice = Dice(seed: world.story.seed, purpose: UInt64(800_000_000 + number))
        conversation = try Conversation(
            invitation: world.invitation, name: "\(device.name) \(number)", mayCreate: true, transport: transport,
            environment: ConversationEnvironment(clock: DeviceClock(world.loop, device), random: { dice.fraction() }))
        id = conversation.localParticipant
        transport.participant = id
    }

    func start() {
        Task { [conversation, self] in
            let updates = await conversation.updates()
            await conversation.start()
            for await update in updates { await heard(update) }
        }
        call("being introduced") { [self] conversation in
            do { try await conversation.introduced() } catch {
                // Nobody would know who speaks.
                leave()
                throw error
            }
            isIntroduced = true
            enterEverything()
        }
    }

    /// Asks for something, and notes whether it is answered.
    func call(_ what: String, _ body: @escaping @Sendable (Conversation) async throws -> Void) {
        lastCall += 1
        let number = lastCall
        pending[number] = what
        Task { [conversation, self] in
            do { try await body(conversation) } catch { judge(error, what) }
            pending[number] = nil
        }
    }

    private static let blameless: Set<ConversationError.Code> = [
        .left, .conversationEnded, .cannotResume, .relayUnreachable, .sessionInvalidated, .unknownSession, .removed, .aborted, .storageFailed, .tooManySessions,
        .queueFull, .unknownConversation, .bodyIncomplete,
    ]

    var firstPending: String? { pending.min { $0.key < $1.key }?.value }

    private func judge(_ error: any Error, _ what: String) {
        world.tell("\(name): \(what) came to nothing: \(error)")
        if world.liar?.excuses(error, of: id) == true { return }
        guard let error = error as? ConversationError, Self.blameless.contains(error.code) else {
            return world.fail(.nothingInvented, "\(name): \(what) failed with \(error)", isSeenByPerson: true)
        }
    }

    // MARK: Being told

    private func heard(_ update: ConversationUpdate) async {
        switch update {
        case .connectionChanged: if await conversation.isConnected { wasConnected = true }
        case .participantsChanged, .doorChanged: break
        case .activitiesChanged:
            activities = await conversation.activities
            enterEverything()
        case .session(let session, let event): heard(event, in: session)
        case .closed(let end): closed(end)
        }
    }

    private func heard(_ event: SessionEvent, in session: SessionID) {
        switch event {
        case .joined:
            entering.remove(session)
            stays[session] = Stay(session: session, start: positions[session])
            world.tell("\(name) is in \(world.name(of: session))")
        case .over(let reason): over(session, reason)
        case .received(let content, let sender, let isReliable): received(content, sender, isReliable, in: session)
        case .diverged(let other):
            stays[session]?.isToldOfAnotherLog = true
            world.liar?.note(.diverged, id, session)
            if world.liar?.hasLied(in: session) == true { return }
            world.fail(.historiesAgree, "\(name) was told that somebody has seen another log of \(world.name(of: session)): \(world.name(of: other))", isSeenByPerson: true)
        case .participantsChanged, .ledgerChanged: break
        }
    }

    private func over(_ session: SessionID, _ reason: SessionEnd) {
        world.tell("\(name) is out of \(world.name(of: session)): \(reason)")
        entering.remove(session)
        if let stay = stays.removeValue(forKey: session) {
            stay.isOver = true
            pastStays.append(stay)
        }
        if let liar = world.liar { return liar.over(reason, for: self, session) }
        switch reason {
        case .left, .ended: break
        // Somebody else's place was given up or the disk failed: that is no fault of the session.
        case .refused(let code): if code != .tooManySessions, code != .storageFailed { world.fail(.nobodyLosesSession, "\(name) was refused \(world.name(of: session)): \(code)") }
        case .gap: if !world.wasAwayTooLong(id) { world.fail(.nobodyLosesSession, "\(name) lost \(world.name(of: session)) to a gap") }
        case .tampered: world.fail(.nobodyLosesSession, "\(name) lost \(world.name(of: session)) as tampered with")
        }
    }

    private func received(_ content: FrameContent, _ sender: ParticipantID, _ isReliable: Bool, in session: SessionID) {
        guard case .data(let data) = content, case let bytes = Array(data), let saying = Saying.name(in: bytes).flatMap({ world.sayings[$0] }) else {
            return world.fail(.nothingInvented, "\(name) heard what nobody said", isSeenByPerson: true)
        }
        guard saying.content == bytes, saying.session == session, saying.sender == sender, saying.isReliable == isReliable, saying.isFor(id) else {
            return world.fail(.nothingInvented, "\(name) heard \(saying.name) otherwise than it was said, or was not meant to", isSeenByPerson: true)
        }
        guard heardEver.insert(saying.name).inserted else { return world.fail(.exactlyOnce, "\(name) heard \(saying.name) twice", isSeenByPerson: true) }
        guard isReliable else { return }
        guard let stay = stays[session] else { return world.fail(.leaverLearnsNothing, "\(name) heard \(saying.name) outside the session", isSeenByPerson: true) }
        let before = lastFrom[session]?[saying.name.speaker] ?? -1
        if saying.name.number < before { world.fail(.senderOrder, "\(name) heard \(saying.name) after \(saying.name.speaker)/\(before)", isSeenByPerson: true) }
        lastFrom[session, default: [:]][saying.name.speaker] = saying.name.number
        stay.heard.append(saying.name)
    }

    private func closed(_ end: ConversationEnd) {
        self.end = end
        world.tell("\(name)'s conversation is over: \(end)")
        for stay in stays.values {
            stay.isOver = true
            pastStays.append(stay)
        }
        stays = [:]
        if end != .left { world.liar?.note(.over, id, nil) }
        if world.liar?.hasLied(to: id) == true { return world.isOver(self) }
        switch end {
        case .left: if !isLeaving { world.fail(.nobodyLosesSession, "\(name) left without wanting to", isSeenByPerson: true) }
        case .cannotResume: if !world.wasAwayTooLong(id) { world.fail(.nobodyLosesSession, "\(name) cannot resume", isSeenByPerson: true) }
        case .unreachable: if wasConnected, !isLeaving { world.fail(.nobodyLosesSession, "\(name) gave up coming back", isSeenByPerson: true) }
        case .ended: if !isLeaving, !world.wasAwayTooLong(id) { world.fail(.nobodyLosesSession, "\(name) was told that the conversation has ended", isSeenByPerson: true) }
        default: world.fail(.nobodyLosesSession, "\(name)'s conversation is over: \(end)", isSeenByPerson: true)
        }
        world.isOver(self)
    }

    // MARK: Doing

    private func enterEverything() {
        guard entersEverything, isIntroduced else { return }
        for activity in activities where stays[activity.session] == nil { enter(activity.session, isWished: false) }
    }

    func enter(_ session: SessionID, isWished: Bool = true) {
        guard isOpen, stays[session] == nil, entering.insert(session).inserted else { return }
        if !isWished, pastStays.contains(where: { $0.session == session }) {
            entering.remove(session)
            return
        }
        Task { [conversation] in await conversation.enter(session) }
    }

    func say(_ sizeBytes: Int, to recipients: [ParticipantID], in session: SessionID, isReliable: Bool) {
        sayingCount += 1
        let saying = Saying(
            SayingName(speaker: number, number: sayingCount), session: session, sender: id, recipients: recipients, isReliable: isReliable, sizeBytes: sizeBytes)
        world.sayings[saying.name] = saying
        let content = FrameContent.data(saying.content[...])
        nonisolated(unsafe) let said = saying
        call("saying \(saying.name)") { conversation in
            do {
                if isReliable { try await conversation.send(content, to: recipients, in: session) } else { try await conversation.sendSample(content, to: recipients, in: session) }
                said.outcome = .placed
            } catch {
                said.outcome = .failed
                throw error
            }
        }
    }

    func leave() {
        guard isOpen else { return }
        isLeaving = true
        Task { [conversation] in await conversation.leave() }
    }
}
