// The real relay core over stores in memory, and the network in front of it.

import Conversations
import Relay
import Synchronization
import Wire

/// One relay, life after life, and the ways to it.
public final class SimulatedNetwork: Sendable {
    private struct Life {
        var hub: RelayHub
        var executor: RelayExecutor
        var connections: [(name: String, connection: SimulatedConnection)] = []
    }

    private struct Faults {
        var conditions: NetworkConditions
        var isDown = false
        var offline: Set<String> = []
        var rewrite: (@Sendable (Frame) -> [Frame])?
        var lies: [String: Lie] = [:]
        var hasLied = false
        var tampersWithAttachments = false
    }

    let clock: VirtualClock
    let traffic = Traffic()
    public let story: Story
    private let random: SharedRandom
    private let ledger = InMemoryLedgerStore()
    let attachments = InMemoryAttachmentStore()
    private let settings: RelaySettings
    private let life: Mutex<Life>
    private let faults: Mutex<Faults>
    private let incarnation = Mutex<UInt64>(1)

    init(clock: VirtualClock, story: Story, conditions: NetworkConditions, settings: RelaySettings = RelaySettings()) {
        self.clock = clock
        self.story = story
        self.settings = settings
        random = SharedRandom(seed: story.seed)
        faults = Mutex(Faults(conditions: conditions))
        life = Mutex(Self.begin(ledger, attachments, settings, traffic, incarnation: 1))
    }

    private static func begin(_ ledger: any LedgerStore, _ attachments: any AttachmentStore, _ settings: RelaySettings, _ traffic: Traffic, incarnation: UInt64) -> Life {
        let executor = RelayExecutor(traffic)
        let hub = RelayHub(executor: executor, ledger: ledger, attachments: attachments, settings: settings, headroomBytes: 0, incarnation: incarnation)
        // The hub keeps its executor; the other way round it would stay for ever.
        executor.onTurnEnd { [weak hub] in hub?.assumeIsolated { $0.endTurn() } }
        return Life(hub: hub, executor: executor)
    }

    var hub: RelayHub { life.withLock(\.hub) }

    // MARK: What a test does to it

    /// From now on.
    public func setConditions(_ conditions: NetworkConditions) { faults.withLock { $0.conditions = conditions } }

    /// A hostile relay: each frame from it becomes those that are returned.
    public func rewriteFrames(_ rewrite: (@Sendable (Frame) -> [Frame])?) {
        faults.withLock { faults in
            faults.rewrite = rewrite
            faults.hasLied = true
        }
    }

    /// A hostile relay: it shows one participant another log than the others, and hides that in the places, which have no holes. From now on, in every session.
    /// - Parameters:
    ///   - name: the participant who is lied to.
    ///   - tell: what stands in place of each frame of the log; the places of these frames do not matter.
    public func lie(to name: String, _ tell: @escaping @Sendable (Frame) -> [Frame]) {
        story.tell("the relay begins to lie to \(name)")
        faults.withLock { faults in
            faults.lies[name] = Lie(tell)
            faults.hasLied = true
        }
    }

    var isHonest: Bool { faults.withLock { !$0.hasLied } }

    /// A hostile relay: it changes a byte in every attachment that is loaded.
    public func tamperWithAttachments() { faults.withLock { $0.tampersWithAttachments = true } }

    /// Breaks the connections of a participant, or everybody's; they connect again by themselves.
    public func cut(_ name: String? = nil) {
        let connections = life.withLock { $0.connections.filter { name == nil || $0.name == name } }
        for entry in connections { entry.connection.cut() }
    }

    func setOffline(_ isOffline: Bool, _ name: String) {
        story.tell("\(name) is \(isOffline ? "without a network" : "back on the network")")
        faults.withLock { if isOffline { $0.offline.insert(name) } else { $0.offline.remove(name) } }
        if isOffline { cut(name) }
    }

    func isOffline(_ name: String) -> Bool { faults.withLock { $0.isDown || $0.offline.contains(name) } }

    /// The relay's process dies and another starts over what is on its disk.
    public func crashRelay() async throws {
        story.tell("the relay crashes")
        faults.withLock { $0.isDown = true }
        let (dying, connections) = life.withLock { life in
            defer { life.connections = [] }
            return (life.hub, life.connections)
        }
        for entry in connections { entry.connection.cut() }
        // What the dead process had asked of the disk is done before the next one reads it.
        await dying.settled()
        let number = incarnation.withLock { incarnation in
            incarnation += 1
            return incarnation
        }
        let next = Self.begin(ledger, attachments, settings, traffic, incarnation: number)
        let hub = next.hub
        try await hub.load()
        life.withLock { $0 = next }
        faults.withLock { $0.isDown = false }
        story.tell("the relay is back")
    }

    // MARK: Inside

    /// Every connection ends, and none begins.
    func close() {
        faults.withLock { $0.isDown = true }
        cut()
        // Each knows the network, and would stay with it for ever.
        life.withLock { $0.connections = [] }
    }

    func tick() {
        let (hub, executor) = life.withLock { ($0.hub, $0.executor) }
        let now = UInt64(clock.nowNanoseconds)
        executor.perform {
            hub.assumeIsolated {
                // The hub's clock starts at its first tick.
                $0.tick(nowNanoseconds: now)
                $0.endTurn()
            }
        }
    }

    func delay() -> Duration {
        let range = faults.withLock(\.conditions.delay)
        return range.lowerBound == range.upperBound ? range.lowerBound : range.lowerBound + (range.upperBound - range.lowerBound) * random.fraction()
    }

    func breaksNow() -> Bool {
        let likelihood = faults.withLock(\.conditions.cutLikelihood)
        return likelihood > 0 && random.fraction() < likelihood
    }

    /// `nil`: nothing of it arrives.
    func rewritten(_ message: [UInt8], to name: String) -> [UInt8]? {
        let (rewrite, lie, loss) = faults.withLock { ($0.rewrite, $0.lies[name], $0.conditions.unreliableLoss) }
        guard rewrite != nil || lie != nil || loss > 0, let frames = try? Frame.decode(message: message) else { return message }
        let arriving = frames.filter { if case .sampled = $0, loss > 0 { random.fraction() >= loss } else { true } }.flatMap { rewrite?($0) ?? [$0] }.flatMap { lie?.told($0) ?? [$0] }
        return arriving.isEmpty ? nil : Frame.encode(arriving)
    }

    func connect(_ name: String, to conversation: ConversationID) -> any RelayConnection {
        let isOffline = isOffline(name)
        let connection = life.withLock { life in
            let connection = SimulatedConnection(of: name, hub: life.hub, executor: life.executor, network: self)
            if !isOffline {
                life.connections.removeAll { $0.name == name }
                life.connections.append((name, connection))
            }
            return connection
        }
        if isOffline { connection.cut() } else { connection.open(conversation) }
        return connection
    }

    var tampers: Bool { faults.withLock(\.tampersWithAttachments) }
}
