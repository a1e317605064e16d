// One connection between a participant and the relay: two directions in order, and an end that each side may hear of or not.

import Conversations
import Relay
import Wire

/// Used on the world's thread only.
final class SimulatedLine: RelayConnection, @unchecked Sendable {
    let events: AsyncStream<RelayConnectionEvent>
    private let continuation: AsyncStream<RelayConnectionEvent>.Continuation
    unowned let world: World
    let device: Device
    let number: Int
    let participant: ParticipantID
    private let loop: EventLoop
    private var dice: Dice
    private(set) var port: SimulatedPort?
    private var isOverForClient = false
    private var isDeadUp = false
    private var isDeadDown = false
    private var upArrival = Duration.zero
    private var downArrival = Duration.zero

    var waitingBytes: Int { 0 }
    var isUsable: Bool { !isOverForClient && !isDeadUp && !isDeadDown }

    init(_ world: World, _ device: Device, number: Int, participant: ParticipantID) {
        (events, continuation) = AsyncStream.makeStream()
        self.world = world
        self.device = device
        self.number = number
        self.participant = participant
        loop = world.loop
        dice = Dice(seed: world.story.seed, purpose: UInt64(1_000 + device.index * 1_000_000 + number))
    }

    private func delay() -> Duration { dice.milliseconds(world.weather.delayMilliseconds) }

    private func up(_ body: @escaping () -> Void) {
        upArrival = max(upArrival, loop.now + delay())
        loop.at(upArrival) { [self] in if !isDeadUp { body() } }
    }

    // MARK: The participant's end

    func open(_ conversation: ConversationID) {
        guard !device.isOffline else { return }
        guard let life = world.life else { return up { [self] in refuse() } }
        up { [self] in
            guard life === world.life, !device.isOffline else { return refuse() }
            port = life.connect(self, to: conversation)
            down { $0.yield(.opened) }
        }
    }

    /// Nobody listens at the other end.
    private func refuse() { loop.after(delay()) { [self] in endForClient(1006) } }

    func send(_ message: [UInt8]) {
        guard !isOverForClient else { return }
        world.transcript.tellFrames("\(device.name) says on \(number)", at: loop.now) { (try? Frame.decode(message: message)) ?? [] }
        if dice.happens(world.cutLikelihood) { return snap(Break.allCases[dice.below(Break.allCases.count)]) }
        up { [self] in port?.receive(message) }
    }

    func close() {
        guard !isOverForClient else { return }
        up { [self] in endForRelay() }
        endForClient(1000)
    }

    private func yield(_ event: RelayConnectionEvent) {
        device.whenAwake { [self] in if !isOverForClient { continuation.yield(event) } }
    }

    private func endForClient(_ code: UInt16) {
        device.whenAwake { [self] in
            guard !isOverForClient else { return }
            isOverForClient = true
            continuation.yield(.closed(code: code))
            continuation.finish()
        }
    }

    // MARK: The relay's end

    private func endForRelay() {
        port?.lineEnded()
        letGoOfPort()
    }

    /// The two hold each other.
    func letGoOfPort() { port = nil }

    private func down(_ body: @escaping (SimulatedLine) -> Void) {
        downArrival = max(downArrival, loop.now + delay())
        loop.at(downArrival) { [self] in if !isDeadDown { body(self) } }
    }

    func deliver(_ message: [UInt8], _ frames: [Frame]) {
        down { line in
            line.device.whenAwake {
                guard !line.isOverForClient else { return }
                line.world.transcript.tellFrames("\(line.device.name) hears on \(line.number)", at: line.loop.now) { frames }
                line.world.arrived(frames, at: line.participant)
                line.continuation.yield(.message(message))
            }
        }
    }

    func closed(_ reason: CloseReason) {
        down { $0.endForClient(reason.rawValue) }
        loop.after(delay()) { [self] in endForRelay() }
    }

    // MARK: What befalls it

    func snap(_ kind: Break) {
        guard isUsable else { return }
        world.tell("\(device.name)'s connection \(number) \(kind.rawValue)")
        world.note("a connection \(kind.rawValue)")
        isDeadDown = true
        // What was given to the network may arrive before the end does.
        let arrives = dice.happens(0.5)
        if !arrives { isDeadUp = true }
        if arrives, upArrival > loop.now { world.note("what was sent arrives after the connection is lost") }
        let end = max(upArrival, loop.now)
        loop.at(end) { [self] in isDeadUp = true }
        if kind == .heardByBoth || kind == .heardByPerson { loop.after(delay()) { [self] in endForClient(1006) } }
        if kind == .heardByBoth || kind == .heardByRelay { loop.at(end + delay()) { [self] in endForRelay() } }
    }

    /// The relay is gone, and its machine says so at once, late or never.
    func relayDied() {
        port = nil
        guard !isOverForClient else { return }
        isDeadUp = true
        isDeadDown = true
        if dice.happens(0.8) { loop.after(delay()) { [self] in endForClient(1006) } }
    }
}
