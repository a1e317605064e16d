// One person in a simulated conversation, with a device of their own.

import AVFoundation
import Conversations
import CoreMedia
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
    /// Players and coordinators made in `run` and `make` go by the virtual clock.
    private let mediaClock: CMClock
    private let playbackTime: PlaybackTime
    private(set) var isGone = false
    /// Lets time pass until something is so.
    private let passTime: @MainActor (_ isEnough: @MainActor () -> Bool) async throws -> Void

    init(
        _ name: String, _ invitation: Invitation, _ network: SimulatedNetwork, seed: UInt64, activationPolicy: ActivationPolicy,
        passTime: @escaping @MainActor (_ isEnough: @MainActor () -> Bool) async throws -> Void
    ) throws {
        self.passTime = passTime
        self.name = name
        self.network = network
        presenter = RecordingPresenter()
        let clock = network.clock
        let mediaClock = CMClock { CMTime(value: clock.nowNanoseconds, timescale: 1_000_000_000) }
        self.mediaClock = mediaClock
        playbackTime = PlaybackTime(clock: mediaClock) { delay, action in
            let task = Task {
                guard (try? await clock.sleep(until: clock.now + .nanoseconds(max(0, delay)))) != nil else { return }
                action()
            }
            return { task.cancel() }
        }
        let (noted, story) = (Noted(), network.story)
        self.noted = noted
        let traffic = network.traffic
        provider = ConversationProvider(
            activationPolicy: activationPolicy, presenter: presenter, clock: network.clock,
            onNotice: { notice in
                noted.notices.withLock { $0.append(notice) }
                story.tell("\(name) is told: \(notice.rawValue)")
            }, onWork: { traffic.happened() }, source: nil)
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
    /// Tasks made inside belong to the participant too; detached ones do not. Time passes as far as `body` needs to come to its end.
    /// - Throws: what `body` throws; with the story, when it has not ended within 300 s.
    @discardableResult
    public func run<Result>(_ body: @escaping @MainActor () async throws -> Result) async throws -> Result {
        let outcome = Outcome<Result>()
        _ = make { Task { outcome.value = await Swift.Result(catching: body) } }
        try await passTime { outcome.value != nil }
        return try outcome.value!.get()
    }

    @MainActor private final class Outcome<Value> {
        var value: Swift.Result<Value, any Error>?
    }

    /// The same for what does not wait.
    public func make<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        try CMClock.$host.withValue(mediaClock) {
            try PlaybackTime.$current.withValue(playbackTime) { try ConversationProvider.$current.withValue(provider) { try body() } }
        }
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

extension Result where Failure == any Error {
    @MainActor fileprivate init(catching body: @MainActor () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
