// The relay's end of a connection: what the hub writes leaves here, at the speed of the line, and is looked at by the claims.

import Relay
import Wire

/// Used on the world's thread only.
final class SimulatedPort: RelayPort {
    /// So much is taken by the operating system before a line counts as full.
    private static let bufferSizeBytes = 65_536

    let line: SimulatedLine
    let witness: PortWitness
    /// Gone with the relay's death.
    private weak var life: RelayLife?
    private let loop: EventLoop
    private let bytesPerSecond: Int?
    var id: ConnectionID?
    private var isOver = false
    /// When the line will have carried what it was given.
    private var carriedAt = Duration.zero
    /// Given to a device that does not read.
    private var unreadBytes = 0
    private var isWritableWanted = false
    private var saboteur: Saboteur?

    init(_ line: SimulatedLine, _ life: RelayLife) {
        self.line = line
        self.life = life
        let world = line.world
        loop = world.loop
        bytesPerSecond = world.weather.bytesPerSecond
        witness = PortWitness(world: world, participant: line.participant, name: line.device.name, incarnation: life.incarnation)
        witness.onWelcome = { [weak self] in self.map { world.isBack($0) } }
        saboteur = world.sabotage.map { kind in
            Saboteur(kind, line.participant, isVictim: line.device.index == 1) { [unowned world, incarnation = life.incarnation] in world.log.frame(at: $1, in: $0, incarnation) }
        }
    }

    // MARK: Of the hub

    var isClear: Bool {
        guard !isOver else { return true }
        if line.device.isFrozen, unreadBytes > Self.bufferSizeBytes { return false }
        guard let bytesPerSecond else { return true }
        return (carriedAt - loop.now) / .seconds(1) * Double(bytesPerSecond) <= Double(Self.bufferSizeBytes)
    }

    func send(_ batch: Batch) {
        guard !isOver else { return }
        var message = Array(UnsafeRawBufferPointer(start: batch.payload, count: batch.countBytes))
        var frames = life?.frames(of: batch, message) ?? []
        let honest = frames
        if let spoiled = saboteur?.spoil(frames) {
            frames = spoiled
            message = Frame.encode(frames)
        }
        // A fork is for the participants to notice.
        witness.sent(line.world.sabotage == .forkHistory ? honest : frames, sizeBytes: message.count)
        if line.device.isFrozen { unreadBytes += message.count } else { unreadBytes = 0 }
        if let bytesPerSecond { carriedAt = max(carriedAt, loop.now) + .seconds(Double(message.count) / Double(bytesPerSecond)) }
        let lost = line.world.loses(frames)
        if lost.isEmpty { return }
        if let liar = line.world.liar { return liar.deliver(lost, over: self) }
        line.deliver(lost.count == frames.count ? message : Frame.encode(lost), lost)
    }

    func requestWritable() {
        guard !isWritableWanted else { return }
        isWritableWanted = true
        tryWriting()
    }

    private func tryWriting() {
        guard isWritableWanted, !isOver else { return }
        if isClear {
            isWritableWanted = false
            loop.post { [self] in
                guard !isOver, let id else { return }
                witness.beginsDraining()
                life?.turn { $0.becameWritable(id) }
                witness.endsDraining()
            }
        } else {
            loop.after(.milliseconds(20)) { [self] in tryWriting() }
        }
    }

    func close(_ reason: CloseReason) {
        guard !isOver else { return }
        line.world.tell("the relay closes \(line.device.name)'s connection \(line.number): \(reason.rawValue)")
        line.world.closed(self, reason)
        line.closed(reason)
    }

    // MARK: Of the line

    func receive(_ message: [UInt8]) {
        guard !isOver, let id, let life, !life.isDead else { return }
        if line.world.sabotage == .ignorePut, Self.holdsPut(message) { return }
        let message = line.world.liar?.heard(message, over: self) ?? message
        life.turn { hub in message.withUnsafeBytes { hub.received($0, on: id) } }
    }

    private static func holdsPut(_ message: [UInt8]) -> Bool {
        ((try? Frame.decode(message: message)) ?? []).contains { if case .put(let session, _, _, _, _) = $0 { session != .own } else { false } }
    }

    func lineEnded() {
        guard !isOver else { return }
        isOver = true
        line.world.isAway(self)
        guard let id, let life, !life.isDead, line.world.sabotage != .keepConnections else { return }
        life.turn { $0.disconnected(id) }
    }
}
