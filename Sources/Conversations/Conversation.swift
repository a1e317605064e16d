// A participation in a conversation, and the only door to it: owns the connection, the timer and the keys, and decides nothing itself.

import Sealing
import Wire

public enum ConversationUpdate: Equatable, Sendable {
    /// `Conversation.isConnected` may have changed.
    case connectionChanged
    case participantsChanged
    case activitiesChanged
    /// `Conversation.door` or `knocks`.
    case doorChanged
    case session(SessionID, SessionEvent)
    /// The last of all.
    case closed(ConversationEnd)
}

/// Somebody in the conversation. The name is text from a stranger.
public struct Participant: Hashable, Sendable {
    public let id: ParticipantID
    public let name: String
    /// The connection was lost; the place is kept for a while.
    public let isAway: Bool
}

public actor Conversation {
    public nonisolated let invitation: Invitation
    /// `01234 56789 01234 56789`: equal on every screen.
    public nonisolated let sessionCode: String
    public nonisolated let localParticipant: ParticipantID
    nonisolated let environment: ConversationEnvironment
    nonisolated let transport: any RelayTransport
    nonisolated let transfers: Transfers
    nonisolated let relayToken: [UInt8]
    nonisolated let keys: EpochKeys

    var state: ConversationState
    let seals: Seals
    private var outgoing = OutgoingFrames()
    private(set) var connection: (any RelayConnection)?
    private var timer: (task: Task<Void, Never>, at: Duration)?
    private var listeners: [UInt64: AsyncStream<ConversationUpdate>.Continuation] = [:]
    private var waiting: [Token: CheckedContinuation<Settlement, Never>] = [:]
    private var lastToken: Token = 1
    private var lastListener: UInt64 = 0
    private var introduction: Settlement?
    private var introductionWaiters: [CheckedContinuation<Void, Never>] = []
    var window = RecordWindow()
    /// What follows in a session once the records that wait have gone out.
    var partings: [SessionID: Parting] = [:]
    var leaveWaiters: [CheckedContinuation<Void, Never>] = []
    /// So many bytes that wait make a sample late.
    private static let sampleBacklogLimitBytes = 262_144
    private static let introductionToken: Token = 1
    /// Why it is over; `nil` while it is not.
    public private(set) var end: ConversationEnd?

    /// A participation that has not begun: nothing is sent before `start`.
    /// - Parameters:
    ///   - name: shown to the others, 1 to 64 bytes of UTF-8.
    ///   - mayCreate: make the conversation if the relay does not know it.
    ///   - pass: of an earlier participation of the same person: it lets in past the door.
    public init(
        invitation: Invitation, name: String, mayCreate: Bool, pass: [UInt8]? = nil, transport: any RelayTransport,
        environment: ConversationEnvironment = ConversationEnvironment()
    ) throws(ConversationError) {
        self.invitation = invitation
        self.transport = transport
        self.environment = environment
        transfers = Transfers(clock: environment.clock)
        do throws(SealingError) {
            keys = try EpochKeys(invitation)
            let identity = try Identity(conversation: invitation.conversation)
            seals = Seals(keys: keys, identity: identity)
            let place = EntryPlace(session: .own, entry: EntryID(identity.participant.bytes))
            guard let secret = Bytes16(try randomBytes(count: 16)) else { throw .malformed }
            state = ConversationState(
                .init(
                    local: identity.participant, participantSecret: secret, relayToken: keys.relayToken, sealedIntroduction: try seals.seal(.introduction(checking: name), at: place),
                    mayCreate: mayCreate, pass: pass?.count == Hello.passSizeBytes ? pass : nil, policy: environment.reconnection), introductionToken: Self.introductionToken)
            localParticipant = identity.participant
            relayToken = keys.relayToken
            sessionCode = keys.sessionCode
        } catch {
            throw ConversationError(error, tooLarge: .nameTooLong)
        }
    }

    /// Who forgets to leave is away for the relay, and nobody waits any longer for a word of what is no more.
    deinit {
        connection?.close()
        timer?.task.cancel()
        for listener in listeners.values { listener.finish() }
    }

    /// What happens from now on. What is not read is kept.
    public func updates() -> AsyncStream<ConversationUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: ConversationUpdate.self)
        if let end {
            continuation.yield(.closed(end))
            continuation.finish()
            return stream
        }
        lastListener += 1
        let listener = lastListener
        listeners[listener] = continuation
        continuation.onTermination = { [weak self] _ in Task { [weak self] in await self?.forget(listener) } }
        return stream
    }

    private func forget(_ listener: UInt64) { listeners[listener] = nil }

    // MARK: Life

    /// Connects, and connects again until the conversation is over. Once.
    public func start() {
        guard state.link.phase == .idle else { return }
        perform(state.start(now))
    }

    /// Returns when the relay has answered and the own introduction has its place.
    public func introduced() async throws(ConversationError) {
        if introduction == nil, end == nil { await withCheckedContinuation { introductionWaiters.append($0) } }
        if let end { throw ConversationError(end) }
        if case .refused(let refusal) = introduction { throw ConversationError(refusal) }
    }

    /// Skips the waiting time before the next attempt to connect, or finds out whether the connection is alive.
    public func retryNow() { perform(state.retryNow(now)) }

    /// Leaves for good, once what was said before has gone out. Returns when the relay has answered; waits no longer than 2 s for either.
    public func leave() async {
        if state.link.isUp, window.isWaiting { await waitingGone() }
        let updates = updates()
        perform(state.leave(now))
        for await update in updates { if case .closed = update { return } }
    }

    public var isConnected: Bool { state.link.isUp }
    /// Attempts to connect in a row that came to nothing.
    public var failedAttemptCount: Int { state.link.failureCount }

    /// In order of coming, the local one included.
    public var participants: [Participant] { state.participants.map(participant) }

    func participant(_ attendance: Attendance) -> Participant {
        Participant(id: attendance.participant, name: state.introductions[attendance.participant]?.name ?? "", isAway: attendance.presence == .away)
    }

    /// Of anybody who is or was here, for naming the sender of something old.
    public func name(of participant: ParticipantID) -> String? { state.introductions[participant]?.name }

    public var activities: [RunningActivity] { state.activities }

    var now: Duration { environment.clock.now }

    // MARK: Doing

    func perform(_ effects: [ConversationEffect]) {
        for effect in effects { perform(effect) }
        handOver()
        flush()
        schedule()
    }

    func perform(_ effect: ConversationEffect) {
        switch effect {
        case .open: open()
        case .drop: drop()
        case .check: outgoing.add(.ping(token: UInt64(environment.random() * 0x1p53)))
        case .send(let frame): outgoing.add(frame)
        case .sealPosition(let session): sendPosition(in: session)
        case .settle(Self.introductionToken, let settlement): settleIntroduction(settlement)
        case .settle(let token, let settlement):
            window.settle(token)
            waiting.removeValue(forKey: token)?.resume(returning: settlement)
        case .linkChanged: tell(.connectionChanged)
        case .welcomed: break
        case .participantsChanged: tell(.participantsChanged)
        case .announcementsChanged: tell(.activitiesChanged)
        case .doorChanged: tell(.doorChanged)
        case .session(let session, let event):
            if case .over(.ended) = event { seals.forget(session) }
            tell(.session(session, event))
        case .closed(let end): close(end)
        }
    }

    private func settleIntroduction(_ settlement: Settlement) {
        introduction = introduction ?? settlement
        for waiter in introductionWaiters { waiter.resume() }
        introductionWaiters = []
    }

    private func close(_ end: ConversationEnd) {
        self.end = end
        for waiter in introductionWaiters { waiter.resume() }
        introductionWaiters = []
        for waiter in waiting.values { waiter.resume(returning: .abandoned) }
        waiting = [:]
        window = RecordWindow()
        partings = [:]
        resumeLeaveWaiters()
        tell(.closed(end))
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    private func tell(_ update: ConversationUpdate) {
        for listener in listeners.values { listener.yield(update) }
    }

    func nextToken() -> Token {
        lastToken += 1
        return lastToken
    }

    /// Does what is asked for under a token and waits for the answer.
    func settlement(of ask: (Token) -> [ConversationEffect]) async -> Settlement {
        let token = nextToken()
        return await withCheckedContinuation { continuation in
            waiting[token] = continuation
            perform(ask(token))
        }
    }

    /// Sends a sample unless so much waits that it would come late.
    func pass(_ sample: Frame) {
        guard state.link.isUp, !outgoing.isHeldBack, connection.map({ $0.waitingBytes <= Self.sampleBacklogLimitBytes }) ?? false else { return }
        outgoing.add(sample)
        flush()
    }

    // MARK: The connection

    private func open() {
        drop()
        let connection = transport.connect(to: invitation.conversation)
        self.connection = connection
        Task { [weak self] in
            for await event in connection.events { await self?.happened(event, on: connection) }
        }
    }

    private func drop() {
        connection?.close()
        connection = nil
        outgoing.clear()
    }

    private func happened(_ event: RelayConnectionEvent, on connection: any RelayConnection) {
        guard connection === self.connection else { return }
        switch event {
        case .opened: perform(state.opened(now))
        case .message(let message): take(message)
        case .closed(let code):
            drop()
            perform(state.lost(code: code, now, random: environment.random()))
        }
    }

    private func take(_ message: [UInt8]) {
        state.heard(now)
        let frames: [Frame]
        do throws(FrameError) { frames = try Frame.decode(message: message) } catch { return perform(state.garbled()) }
        let connection = connection
        for frame in frames {
            // What one frame does may be the end of this connection; the rest then means nothing.
            guard connection === self.connection else { return }
            if case .ping(let token) = frame {
                outgoing.add(.pong(token: token))
                continue
            }
            let opened = state.mustOpen(frame) ? seals.open(frame, sender: state.sender(of:)) : .nothing
            for effect in state.take(frame, opened, now) { perform(effect) }
            handOver()
        }
        flush()
        schedule()
    }

    private func flush() {
        guard let connection, !outgoing.isEmpty else { return }
        for message in outgoing.take(now) { connection.send(message) }
    }

    // MARK: Time

    private func schedule() {
        guard let at = [state.wakeAt, connection == nil ? nil : outgoing.wakeAt(now)].compactMap({ $0 }).min() else {
            timer?.task.cancel()
            timer = nil
            return
        }
        if let timer, timer.at <= at { return }
        timer?.task.cancel()
        let clock = environment.clock
        let task = Task { [weak self] in
            guard (try? await clock.sleep(until: at)) != nil else { return }
            await self?.woke()
        }
        timer = (task, at)
    }

    private func woke() {
        timer = nil
        perform(state.tick(now, random: environment.random()))
    }
}
