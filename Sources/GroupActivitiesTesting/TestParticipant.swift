// One person in a simulated conversation, with a device of their own.

import Conversations
import Foundation
import GroupActivities
import Sealing
import Synchronization

@MainActor public final class TestParticipant {
    public let name: String
    /// What the app on this device is shown and asks.
    public let presenter: RecordingPresenter
    /// Whose calls are this participant's.
    public let provider: ConversationProvider
    public private(set) var conversation: Conversation
    private let network: SimulatedNetwork
    private let noted: Noted
    private(set) var isGone = false

    init(_ name: String, _ invitation: Invitation, _ network: SimulatedNetwork, seed: UInt64, activationPolicy: ActivationPolicy) throws {
        self.name = name
        self.network = network
        presenter = RecordingPresenter()
        let (noted, story) = (Noted(), network.story)
        self.noted = noted
        provider = ConversationProvider(activationPolicy: activationPolicy, presenter: presenter, clock: network.clock) { notice in
            noted.notices.withLock { $0.append(notice) }
            story.tell("\(name) is told: \(notice.rawValue)")
        }
        let random = SharedRandom(seed: seed)
        conversation = try Conversation(
            invitation: invitation, name: name, mayCreate: true, transport: SimulatedTransport(name: name, network: network),
            environment: ConversationEnvironment(clock: network.clock, random: { random.fraction() }))
    }

    private final class Noted: Sendable {
        let notices = Mutex<[Notice]>([])
    }

    /// Usual mistakes that the app on this device was told of.
    public var notices: [Notice] { noted.notices.withLock(\.self) }

    /// Runs what this participant's app does: everything that asks the framework for something belongs here, and so do objects that will.
    /// Tasks made inside belong to the participant too; detached ones do not.
    public func run<Result>(_ body: @MainActor () async throws -> Result) async rethrows -> Result {
        try await ConversationProvider.$current.withValue(provider) { try await body() }
    }

    /// The same for what does not wait.
    public func make<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        try ConversationProvider.$current.withValue(provider) { try body() }
    }

    /// Is in the conversation and connected.
    public var isConnected: Bool { get async { await conversation.isConnected } }

    /// Leaves the conversation for good, as by hanging up.
    public func leave() async {
        isGone = true
        network.story.tell("\(name) leaves the conversation")
        let leaving = Task { [conversation] in await conversation.leave() }
        await Quiet.wait(for: network.traffic)
        _ = leaving
    }

    /// Loses the connection, and gets it back by itself.
    public func cut() { network.cut(name) }

    /// Is without a network until `comeBack`.
    public func goAway() { network.setOffline(true, name) }

    public func comeBack() async {
        network.setOffline(false, name)
        await conversation.retryNow()
    }
}
