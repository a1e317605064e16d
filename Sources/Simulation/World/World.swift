// One conversation from its first participant to the last trace of it, told by a story and watched by the claims.

import Conversations
import Relay
import Sealing
import Wire

/// Used on one thread only, which it has for itself while it runs.
final class World: @unchecked Sendable {
    let story: Story
    let sabotage: Sabotage?
    let loop: EventLoop
    let disk = SimulatedDisk()
    let invitation: Invitation
    private(set) var log: LogWitness!
    private(set) var liar: Liar?
    private(set) var life: RelayLife?
    private(set) var devices: [Device] = []
    var lines: [Int: SimulatedLine] = [:]
    private(set) var participations: [Participation] = []
    private var current: [Int: Participation] = [:]
    var sayings: [SayingName: Saying] = [:]
    private(set) var items: [Item] = []
    /// Parts that are being sent to the relay, and requests that are on their way.
    var storing: Set<PartName> = []
    var requestCount = 0
    private(set) var weather: Story.Weather
    private var isHealed = false
    private var isOver = false
    private var dice: Dice
    private var lifeCount: UInt64 = 0
    private var sessionNames: [SessionID: String] = [:]
    let transcript: Transcript
    private(set) var tally = Tally()
    private(set) var violation: Violation?
    // As the relay sees it.
    private var ports: [ParticipantID: SimulatedPort] = [:]
    private var awaySince: [ParticipantID: Duration] = [:]
    private var longestAway: [ParticipantID: Duration] = [:]

    /// - Throws: what libcrypto may say.
    init(_ story: Story, loop: EventLoop, sabotage: Sabotage?, keepsLines: Bool, keepsFrames: Bool) throws {
        self.story = story
        self.loop = loop
        self.sabotage = sabotage
        transcript = Transcript(keepsLines: keepsLines, keepsFrames: keepsFrames)
        weather = story.weather
        dice = Dice(seed: story.seed, purpose: 2)
        invitation = try Invitation(relay: "https://relay.example")
        log = LogWitness(world: self, keys: try EpochKeys(invitation))
        devices = (0..<story.personCount).map { Device(index: $0, loop: loop) }
        if story.isHostile { liar = Liar(self) }
    }

    var cutLikelihood: Double { isHealed ? 0 : weather.cutLikelihood }
    var requestLoss: Double { isHealed ? 0 : weather.requestLoss }

    // MARK: Telling

    func note(_ what: String) { tally.note(what) }

    func tell(_ line: @autoclosure () -> String) { transcript.tell(line(), at: loop.now) }

    /// - Parameter isSeenByPerson: against a relay that lies, only what people see counts.
    func fail(_ claim: Claim, _ detail: String, isSeenByPerson: Bool = false) {
        guard violation == nil, liar == nil || isSeenByPerson else { return }
        violation = Violation(claim: claim, detail: detail, at: loop.now)
        tell("BROKEN: \(claim.text): \(detail)")
    }

    func name(of session: SessionID) -> String {
        if session == .own { return "the conversation" }
        if let known = sessionNames[session] { return known }
        let name = "session \(sessionNames.count + 1)"
        sessionNames[session] = name
        return name
    }

    func name(of participant: ParticipantID) -> String { participations.last { $0.id == participant }?.name ?? "a stranger" }

    // MARK: The relay

    func begin() {
        lifeCount += 1
        let next = RelayLife(self, incarnation: lifeCount)
        Task { [self] in
            do { try await next.hub.load() } catch { fail(.comesToRest, "the relay cannot read its disk: \(error)") }
            life = next
            next.tick()
            tell("the relay is there, life \(next.incarnation)")
            checkRemovals("after the relay's start")
        }
    }

    func tick() {
        guard !isOver else { return }
        life?.tick()
        loop.after(.seconds(1)) { [self] in tick() }
    }

    private func crash(_ kind: Crash, down: Duration) {
        guard let dying = life else { return }
        tell(kind.rawValue)
        life = nil
        dying.die()
        note(kind.rawValue)
        if kind == .power { disk.losePower(&dice, noting: note) }
        for participation in participations where awaySince[participation.id] == nil { awaySince[participation.id] = loop.now }
        ports = [:]
        loop.after(down) { [self] in begin() }
    }

    func isBack(_ port: SimulatedPort) {
        let participant = port.line.participant
        ports[participant] = port
        if let since = awaySince.removeValue(forKey: participant) { longestAway[participant] = max(longestAway[participant] ?? .zero, loop.now - since) }
    }

    func isAway(_ port: SimulatedPort) {
        guard ports[port.line.participant] === port else { return }
        ports[port.line.participant] = nil
        awaySince[port.line.participant] = loop.now
    }

    /// As long as a place is kept, or nearly: the relay's clock ticks by seconds.
    func wasAwayTooLong(_ participant: ParticipantID) -> Bool {
        let longest = max(longestAway[participant] ?? .zero, awaySince[participant].map { loop.now - $0 } ?? .zero)
        return longest >= .seconds(story.resumeWindowSeconds) - .seconds(2)
    }

    func closed(_ port: SimulatedPort, _ reason: CloseReason) {
        isAway(port)
        note("the relay closes with \(reason.rawValue)")
        switch reason {
        case .left, .conversationEnded, .replaced, .tooSlow, .silent, .overloaded, .cannotResume, .shuttingDown, .unknownConversation: break
        case .malformed, .unsupportedVersion, .notInvited, .conversationFull, .unknownFrame, .frameTooLarge, .flooding, .locked, .invitationEnded, .declined, .notAnswered,
            .tooManyWaiting:
            fail(.nobodyLosesSession, "the relay closes \(port.line.device.name)'s connection with \(reason)")
        }
    }

    /// What of a message arrives.
    func loses(_ frames: [Frame]) -> [Frame] {
        guard weather.sampleLoss > 0, frames.contains(where: { if case .sampled = $0 { true } else { false } }) else { return frames }
        return frames.filter { if case .sampled = $0 { !dice.happens(weather.sampleLoss) } else { true } }
    }

    func arrived(_ frames: [Frame], at participant: ParticipantID) {
        liar?.arrived(frames, at: participant)
        for case .position(let session, let sequence, _) in frames {
            guard let incarnation = life?.incarnation else { continue }
            participations.last { $0.id == participant }?.positions[session] = LogPlace(incarnation: incarnation, life: log.life(of: session, incarnation), sequence: sequence)
        }
    }

    // MARK: The story

    /// Tells it to its end, or until something is broken.
    func run() {
        begin()
        tick()
        for step in story.steps {
            loop.run(until: step.at) { violation != nil }
            if violation != nil { break }
            perform(step)
        }
        loop.workOff()
        if violation == nil {
            heal()
            if let liar { comeToHostileRest(liar) } else { comeToRest() }
        }
        if violation == nil, liar == nil { farewell() }
        isOver = true
    }

    private func heal() {
        tell("nothing is broken any more")
        isHealed = true
        disk.isFull = false
        for device in devices { device.recover() }
    }

    func isOver(_ participation: Participation) {
        guard current[participation.device.index] === participation else { return }
        current[participation.device.index] = nil
    }

    private func come(_ device: Device, entersEverything: Bool) {
        guard current[device.index] == nil else { return }
        do {
            let participation = try Participation(self, number: participations.count + 1, device: device, entersEverything: entersEverything)
            participations.append(participation)
            current[device.index] = participation
            tell("\(participation.name) comes")
            participation.start()
        } catch { fail(.noTrap, "\(error)") }
    }

    private func perform(_ step: Step) {
        let device = devices[step.person]
        switch step.deed {
        case .come(let entersEverything): come(device, entersEverything: entersEverything)
        case .crash(let kind, let milliseconds): crash(kind, down: .milliseconds(milliseconds))
        case .fillDisk(let milliseconds):
            tell("the disk is full")
            disk.isFull = true
            note("the disk is full")
            loop.after(.milliseconds(milliseconds)) { [self] in disk.isFull = false }
        case .lie(let lie): liar?.arm(lie, for: device)
        case .cut(let kind): lines[device.index]?.snap(kind)
        case .goOffline(let milliseconds):
            tell("\(device.name) is without a network for \(milliseconds) ms")
            note("is without a network")
            device.goOffline(for: .milliseconds(milliseconds))
            lines[device.index]?.snap(dice.happens(0.5) ? .heardByNobody : .heardByPerson)
        case .freeze(let milliseconds):
            tell("\(device.name) is frozen for \(milliseconds) ms")
            note("is frozen")
            device.freeze(for: .milliseconds(milliseconds))
        default:
            // Nobody does anything on a device that is frozen.
            guard !device.isFrozen, let participation = current[device.index], participation.isReady else { return }
            perform(step.deed, participation)
        }
    }

    private func perform(_ deed: Deed, _ participation: Participation) {
        func people(_ indices: [Int]) -> [ParticipantID] { indices.compactMap { current[$0]?.id } }
        switch deed {
        case .leave:
            tell("\(participation.name) leaves the conversation")
            participation.leave()
        case .hurry: participation.call("hurrying") { await $0.retryNow() }
        case .announce: participation.call("announcing") { _ = try await $0.announce(Self.announcement(participation.number)) }
        case .replaceAnnouncement(let which):
            guard let session = participation.activity(which) else { return }
            participation.call("replacing an announcement") { try await $0.announce(Self.announcement(participation.number + 1_000), as: session) }
        case .enter(let which): if let session = participation.activity(which) { participation.enter(session) }
        case .exit(let which): if let session = participation.session(which) { participation.exit(session) }
        case .end(let which): if let session = participation.session(which) { participation.endSession(session) }
        case .say(let which, let sizeBytes, let to): if let session = participation.session(which) { participation.say(sizeBytes, to: people(to), in: session, isReliable: true) }
        case .sample(let which, let sizeBytes, let to): if let session = participation.session(which) { participation.say(sizeBytes, to: people(to), in: session, isReliable: false) }
        case .add(let which, let sizeBytes): if let session = participation.session(which) { participation.add(sizeBytes, in: session) { [self] in items.append($0) } }
        case .load(let which): if let item = item(which, participation) { participation.load(item) }
        case .remove(let which): if let item = item(which, participation) { participation.remove(item) }
        case .come, .crash, .fillDisk, .cut, .goOffline, .freeze, .lie: break
        }
    }

    private func item(_ which: Int, _ participation: Participation) -> Item? {
        let known = items.filter { participation.stays[$0.session] != nil }
        return known.isEmpty ? nil : known[which % known.count]
    }

    private static func announcement(_ number: Int) -> EntryBody.Announcement {
        EntryBody.Announcement(activityIdentifier: "org.example.simulated", activity: Array("{\"number\":\(number)}".utf8), metadata: Array("{}".utf8))
    }

    func participant(on device: Int) -> ParticipantID? { current[device]?.id }
    func device(of participant: ParticipantID) -> Device? { participations.last { $0.id == participant }?.device }

    func openParticipations() -> [Participation] { participations.filter(\.isOpen) }

    // MARK: Afterwards

    private final class Reference {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    /// Lets go of everything, whatever has happened, and looks whether it goes.
    func dissolve() -> Violation? {
        isOver = true
        heal()
        for participation in participations where participation.end == nil { participation.leave() }
        loop.run(until: loop.now + .seconds(60))
        let people = participations.map { ($0.name, Reference($0.conversation)) }
        let hub = life.map { Reference($0.hub) }
        life?.letGoOfLines()
        (participations, items, current, lines, ports, life) = ([], [], [:], [:], [:], nil)
        sayings = [:]
        let isHostile = liar != nil
        liar = nil
        loop.forgetTimers()
        loop.workOff()
        func remains(_ what: String) -> Violation { Violation(claim: .nothingRemains, detail: "\(what) is still in memory", at: loop.now) }
        if let (name, _) = people.first(where: { $0.1.object != nil }) { return remains("the participation of \(name)") }
        return hub?.object == nil || isHostile ? nil : remains("the relay's hub")
    }
}
