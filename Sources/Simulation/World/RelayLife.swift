// One life of the relay: the real hub on the world's loop, between its first turn and its sudden death.

import Relay
import Wire

/// Used on the world's thread only.
final class RelayLife: @unchecked Sendable {
    let incarnation: UInt64
    let stores: LifeStores
    let hub: RelayHub
    private let loop: EventLoop
    private let executor: SimulatedExecutor
    private var lines: [SimulatedLine] = []
    private var isTurnEnding = false
    private(set) var isDead = false
    private var erasures: [RelayErasure] = []
    /// Frames of the batches that went out last: the same batch goes to everybody.
    private var latest: [(batch: Batch, frames: [Frame])] = []

    init(_ world: World, incarnation: UInt64) {
        loop = world.loop
        self.incarnation = incarnation
        stores = LifeStores(
            world.disk, world.loop, delayMilliseconds: world.weather.diskMilliseconds, dice: Dice(seed: world.story.seed, purpose: incarnation), sabotage: world.sabotage,
            note: { [weak world] in world?.note($0) })
        executor = SimulatedExecutor(world.loop)
        var settings = RelaySettings()
        settings.resumeWindowSeconds = world.story.resumeWindowSeconds
        settings.graceSeconds = world.story.graceSeconds
        hub = RelayHub(executor: executor, ledger: stores, attachments: stores, settings: settings, headroomBytes: 0, incarnation: incarnation)
        executor.afterJob = { [weak self] in self?.endTurnSoon() }
        turn { hub in hub.onErase { [weak self] in self?.erasures.append($0) } }
    }

    /// Everything that is ready in this moment belongs to one turn.
    private func endTurnSoon() {
        guard !isTurnEnding else { return }
        isTurnEnding = true
        loop.post { [weak self] in
            guard let self else { return }
            isTurnEnding = false
            hub.assumeIsolated { $0.endTurn() }
        }
    }

    func turn<Value>(_ body: (isolated RelayHub) -> Value) -> Value {
        defer { endTurnSoon() }
        return withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            nonisolated(unsafe) var value: Value?
            hub.assumeIsolated { value = body($0) }
            return value!
        }
    }

    func connect(_ line: SimulatedLine, to conversation: ConversationID) -> SimulatedPort {
        let port = SimulatedPort(line, self)
        lines.append(line)
        // A broken one whose end the relay has not seen is still to hear of this life's end.
        if lines.count > 64 { lines.removeAll { !$0.isUsable && $0.port == nil } }
        nonisolated(unsafe) let given = port
        port.id = turn { $0.connected(given, to: conversation) }
        return port
    }

    func tick() {
        let now = UInt64(loop.now / .nanoseconds(1))
        turn { $0.tick(nowNanoseconds: now) }
    }

    func frames(of batch: Batch, _ message: [UInt8]) -> [Frame] {
        if let known = latest.first(where: { $0.batch === batch }) { return known.frames }
        let frames = (try? Frame.decode(message: message)) ?? []
        if latest.count >= 4 { latest.removeFirst() }
        latest.append((batch, frames))
        return frames
    }

    /// Whether the attachment was erased since `mark`.
    func hasErased(_ name: AttachmentName, since mark: Int) -> Bool {
        erasures[min(mark, erasures.count)...].contains { erasure in
            switch erasure {
            case .attachment(let erased): erased == name
            case .session(let session, let conversation): session == name.session && conversation == name.conversation
            case .conversation(let conversation): conversation == name.conversation
            }
        }
    }

    var erasureMark: Int { erasures.count }

    /// The world is over and its clock stands still, so the relay sees no silence any more: a broken line would keep its port, and the port its line.
    func letGoOfLines() {
        for line in lines { line.letGoOfPort() }
        lines = []
    }

    /// Nothing of its memory is left, and nothing that it asks for is heard any more.
    func die() {
        isDead = true
        stores.isDead = true
        latest = []
        for line in lines { line.relayDied() }
        lines = []
    }
}
