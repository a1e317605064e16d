// A relay that lies: it keeps to its lies so that it goes on being believed, remembers what it may show again, and counts what it did.

import Conversations
import Foundation
import Relay
import Wire

/// Stands between the real hub and everybody's line. Used on the world's thread only.
final class Liar {
    /// A lie that was told.
    struct Hit {
        let kind: LieKind
        let participant: ParticipantID
        /// `nil`: it concerns the whole conversation.
        let session: SessionID?
        let at: Duration
    }

    /// What people were told after that.
    struct Notice {
        enum What { case diverged, over, badBody }
        let what: What
        let participant: ParticipantID
        let session: SessionID?
        let at: Duration
    }

    private static let memoryLimit = 200

    unowned let world: World
    var dice: Dice
    /// By device.
    private var armed: [Int: [Lie]] = [:]
    private(set) var hits: [Hit] = []
    private(set) var notices: [Notice] = []
    /// Of whom nothing can be said any more but what holds always: nobody knows what they were shown.
    private(set) var unjudged: Set<ParticipantID> = []
    /// What each is shown, the one that has arrived first.
    var logs: [ParticipantID: [SessionID: [ShownLog]]] = [:]
    /// By the hub's own incarnation.
    var incarnations: [ParticipantID: [UInt64: UInt64]] = [:]
    private var madeCount = 0
    private var madeFrames: [[UInt8]: Int] = [:]
    // What may be shown again.
    private(set) var oldRecords: [SessionID: [Frame]] = [:]
    private(set) var oldEntries: [SessionID: [Entry]] = [:]
    private(set) var oldSamples: [SessionID: [Frame]] = [:]
    private var forks: [(devices: Set<Int>, until: Duration, number: Int)] = []
    private var forked: Set<[Int]> = []
    private var silentUntil: [Int: Duration] = [:]
    private var waiting: [ObjectIdentifier: (port: SimulatedPort, frames: [Frame])] = [:]
    var heldSaid: [ParticipantID: Frame] = [:]

    /// Behind the link's last full stop.
    let secret: [UInt8]

    init(_ world: World) {
        self.world = world
        let text = world.invitation.link.split(separator: ".").last ?? ""
        secret = Array(Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + "=") ?? Data())
        precondition(secret.count == 32, "a link ends with its secret")
        dice = Dice(seed: world.story.seed, purpose: 4)
    }

    // MARK: What it is up to

    func arm(_ lie: Lie, for device: Device) {
        let devices = [device.index] + lie.others.filter { $0 != device.index && $0 < world.devices.count }
        world.tell("the relay means to lie to \(devices.map { world.devices[$0].name }.joined(separator: ", ")): \(lie.kind.rawValue)")
        switch lie.kind {
        case .fork: forks.append((Set(devices), world.loop.now + .milliseconds(500 + lie.number % 40_000), forks.count))
        case .delay, .silence:
            for index in devices {
                guard let participant = world.participant(on: index) else { continue }
                hit(lie.kind, participant, nil)
                if lie.kind == .silence { unjudged.insert(participant) }
                silentUntil[index] = lie.kind == .silence ? .seconds(1_000_000_000) : world.loop.now + .milliseconds(200 + lie.number % 20_000)
            }
            if lie.kind == .delay { world.loop.after(.milliseconds(201 + lie.number % 20_000)) { [weak self] in self?.release() } }
        default: for index in devices { armed[index, default: []].append(lie) }
        }
    }

    /// From here on nothing new is made up.
    func stop() {
        armed = [:]
        forks = []
        for (index, until) in silentUntil where until < .seconds(1_000_000) { silentUntil[index] = world.loop.now }
        release()
    }

    /// The first lie that is meant for somebody, and for which `use` finds an occasion.
    func lie<Result>(to device: Int, _ use: (Lie) -> Result?) -> Result? {
        guard let lies = armed[device] else { return nil }
        for (index, lie) in lies.enumerated() {
            guard let result = use(lie) else { continue }
            armed[device]?.remove(at: index)
            return result
        }
        return nil
    }

    /// The same for the same, whomever it is shown to; without a frame, for each time.
    func made(_ frame: Frame? = nil) -> Origin {
        let key = frame.map { Frame.encode([$0.placed(at: 1)]) }
        if let key, let known = madeFrames[key] { return .made(known) }
        madeCount += 1
        if let key { madeFrames[key] = madeCount }
        return .made(madeCount)
    }

    /// - Parameter session: the own one counts as the whole conversation.
    func hit(_ kind: LieKind, _ participant: ParticipantID, _ session: SessionID?) {
        world.tell("the relay lies to \(world.name(of: participant)): \(kind.rawValue)")
        hits.append(Hit(kind: kind, participant: participant, session: session == .own ? nil : session, at: world.loop.now))
    }

    func giveUpJudging(_ participant: ParticipantID) { unjudged.insert(participant) }

    func note(_ what: Notice.What, _ participant: ParticipantID, _ session: SessionID?) {
        notices.append(Notice(what: what, participant: participant, session: session, at: world.loop.now))
    }

    /// Whether a call may fail because of it; a body that is not what was shared is noted.
    func excuses(_ error: any Error, of participant: ParticipantID) -> Bool {
        if (error as? ConversationError)?.code == .tampered { note(.badBody, participant, nil) }
        return !hits.isEmpty
    }

    // MARK: Whom it has to do with

    private static let bodyKinds: Set<LieKind> = [.tamperPart, .shortPart, .longPart, .otherPart, .partGone, .partNever, .forgetPart, .standing]

    /// Whether something was done of which somebody in a session may rightly complain.
    func hasLied(in session: SessionID) -> Bool { hits.contains { !Self.bodyKinds.contains($0.kind) && ($0.session == nil || $0.session == session) } }
    func hasLied(to participant: ParticipantID) -> Bool { hits.contains { $0.participant == participant && !Self.bodyKinds.contains($0.kind) } }

    func isForked(_ sender: ParticipantID, from device: Int) -> Bool {
        let now = world.loop.now
        guard let other = world.device(of: sender)?.index, other != device else { return false }
        guard let fork = forks.first(where: { now < $0.until && $0.devices.contains(device) != $0.devices.contains(other) }) else { return false }
        if forked.insert([fork.number, device]).inserted, let participant = world.participant(on: device) { hit(.fork, participant, nil) }
        return true
    }

    // MARK: Memory

    func remember(_ frame: Frame) {
        func keep<Value>(_ value: Value, _ list: inout [Value]) {
            if list.count < Self.memoryLimit { list.append(value) } else { list[dice.below(list.count)] = value }
        }
        switch frame {
        case .ordered(let session, _, _, _, _, _): keep(frame, &oldRecords[session, default: []])
        case .sampled(let session, _, _, _): keep(frame, &oldSamples[session, default: []])
        case .entry(let entry): keep(entry, &oldEntries[entry.session, default: []])
        default: break
        }
    }

    // MARK: Giving it to the line

    func deliver(_ frames: [Frame], over port: SimulatedPort) {
        var shown = frames.flatMap { show($0, over: port) }
        if let until = silentUntil[port.line.device.index], world.loop.now < until {
            let (alive, silent) = (shown.filter(Self.isSignOfLife), shown.filter { !Self.isSignOfLife($0) })
            waiting[ObjectIdentifier(port), default: (port, [])].frames += silent
            shown = alive
        }
        send(shown, over: port)
    }

    private static func isSignOfLife(_ frame: Frame) -> Bool {
        switch frame {
        case .ping, .pong, .welcome: true
        default: false
        }
    }

    private func release() {
        for (key, (port, frames)) in waiting.sorted(by: { $0.value.port.line.device.index < $1.value.port.line.device.index }) where world.loop.now >= silentUntil[port.line.device.index] ?? .zero {
            waiting[key] = nil
            send(frames, over: port)
        }
    }

    func send(_ frames: [Frame], over port: SimulatedPort) {
        guard !frames.isEmpty else { return }
        var message = Frame.encode(frames)
        let isGarbled: Bool? = lie(to: port.line.device.index) { lie in
            guard lie.kind == .garble else { return nil }
            message[lie.number % message.count] ^= 1 << UInt8(lie.number % 8)
            return true
        }
        if isGarbled == true {
            hit(.garble, port.line.participant, nil)
            unjudged.insert(port.line.participant)
        }
        port.line.deliver(message, frames)
    }

    /// A participant has taken them in.
    func arrived(_ frames: [Frame], at participant: ParticipantID) {
        for case .position(let session, let place, _) in frames {
            guard let all = logs[participant]?[session], let index = all.lastIndex(where: { $0.base == place }) else { continue }
            logs[participant]?[session] = Array(all[index...])
        }
    }
}
