// Several participants of unchanged app code in one process, over the real relay core.

import Conversations
import Foundation
import GroupActivities
import Sealing
import Synchronization

/// Runs `body` with a conversation of so many participants, all of whom are in it. Nothing goes over a network and nobody sleeps: time is
/// virtual and stands still except in `settle` and `advance`. The same seed gives the same delays, losses and cuts.
/// - Throws: what `body` throws, with the story of the conversation.
@MainActor public func withConversation<Result>(
    of count: Int, seed: UInt64 = 1, network conditions: NetworkConditions = .ideal, activationPolicy: ActivationPolicy = .prefer,
    _ body: @MainActor (TestConversation) async throws -> Result
) async throws -> Result {
    ConversationProvider.simulationCount.withLock { $0 += 1 }
    defer { ConversationProvider.simulationCount.withLock { $0 -= 1 } }
    let conversation = try TestConversation(seed: seed, conditions: conditions, activationPolicy: activationPolicy)
    do {
        for _ in 0..<count { try await conversation.join() }
        let result = try await body(conversation)
        try conversation.checkTrust()
        await conversation.close()
        return result
    } catch {
        await conversation.close()
        if error is ConversationTestFailure { throw error }
        throw ConversationTestFailure(claim: "\(error)", story: "\(conversation.story)")
    }
}

@MainActor public final class TestConversation {
    /// Those who came, in order, those who have left included.
    public private(set) var participants: [TestParticipant] = []
    public let network: SimulatedNetwork
    public let clock = VirtualClock()
    public let story: Story
    private let invitation: Invitation
    private let activationPolicy: ActivationPolicy
    private static let names = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo"]
    private static let settlingLimit: Duration = .seconds(300)

    init(seed: UInt64, conditions: NetworkConditions, activationPolicy: ActivationPolicy) throws {
        story = Story(clock: clock, seed: seed)
        network = SimulatedNetwork(clock: clock, story: story, conditions: conditions)
        invitation = try Invitation(relay: "https://relay.example")
        self.activationPolicy = activationPolicy
        network.tick()
    }

    public subscript(index: Int) -> TestParticipant { participants[index] }

    /// Somebody comes, now or later. Returns when they are in.
    @discardableResult
    public func join(as name: String? = nil) async throws -> TestParticipant {
        let count = participants.count
        let name = name ?? (count < Self.names.count ? Self.names[count] : "Guest \(count + 1)")
        story.tell("\(name) comes")
        let participant = try TestParticipant(name, invitation, network, seed: story.seed &+ UInt64(count), activationPolicy: activationPolicy) { [weak self] isEnough in
            try await self?.passTime(until: isEnough)
        }
        participants.append(participant)
        await participant.provider.use(participant.conversation)
        try await settle()
        return participant
    }

    /// Makes an app for everybody who is there.
    public func everybody<App>(_ make: @MainActor () throws -> App) rethrows -> [App] {
        try participants.filter { !$0.isGone }.map { try $0.make(make) }
    }

    /// Lets everything happen that will happen by itself: messages arrive, lost connections come back, attachments are uploaded and loaded,
    /// and tasks of the apps run until they wait for something. Time passes as far as that needs, at most 300 s.
    public func settle() async throws {
        let limit = clock.now + Self.settlingLimit
        await Quiet.wait(for: network.traffic)
        // What may go on for ever, such as the position of a pointer, is waited for as far as it is on its way now.
        let horizon = clock.lastEventAt ?? clock.now
        while let next = await nextNeeded(horizon) {
            guard next <= limit else { throw failure("the conversation does not come to rest within 300 s") }
            await step(to: next)
        }
    }

    private func passTime(until isEnough: @MainActor () -> Bool) async throws {
        let limit = clock.now + Self.settlingLimit
        await Quiet.wait(for: network.traffic)
        while !isEnough() {
            guard let next = clock.nextWakeAt, next <= limit else { throw failure("what a participant does has not come to its end within 300 s") }
            await step(to: next)
        }
    }

    /// Lets time pass, with everything that happens in it.
    public func advance(by time: Duration) async {
        let end = clock.now + time
        await Quiet.wait(for: network.traffic)
        while clock.now < end { await step(to: min(end, clock.nextWakeAt ?? end)) }
    }

    /// Settles, and again with time passing, until the claim is true.
    /// - Throws: with the story when it does not become true.
    public func eventually(_ claim: String, within limit: Duration = .seconds(60), _ isTrue: @MainActor () async throws -> Bool) async throws {
        let end = clock.now + limit
        try await settle()
        while try await !isTrue() {
            guard clock.now < end else { throw failure("it did not become true that \(claim)") }
            await advance(by: .milliseconds(250))
        }
    }

    /// - Throws: with the story when it is not true.
    public func check(_ claim: String, _ isTrue: @autoclosure @MainActor () throws -> Bool) throws {
        guard try isTrue() else { throw failure("it is not true that \(claim)") }
    }

    /// As long as the relay does not lie nobody is to be told that it does.
    fileprivate func checkTrust() throws {
        guard network.isHonest else { return }
        for participant in participants where participant.notices.contains(.divergence) { throw failure("\(participant.name) took an honest relay for a liar") }
    }

    private func failure(_ claim: String) -> ConversationTestFailure { ConversationTestFailure(claim: claim, story: "\(story)") }

    /// When something happens that is to be waited for; `nil`: everything has come to rest.
    private func nextNeeded(_ horizon: Duration) async -> Duration? {
        if let event = clock.nextAwaitedAt { return event }
        if clock.now < horizon { return clock.nextWakeAt.map { min($0, horizon) } ?? horizon }
        for participant in participants where !participant.isGone && !network.isOffline(participant.name) {
            let isOver = await participant.conversation.end != nil
            if !isOver, await !participant.conversation.isConnected || participant.provider.transferCount > 0 { return clock.nextWakeAt }
        }
        return nil
    }

    /// Goes on to a time, second by second, as the relay's clock ticks.
    private func step(to time: Duration) async {
        while clock.now < time {
            clock.move(to: min(time, .seconds(clock.now.components.seconds + 1)))
            network.tick()
            await Quiet.wait(for: network.traffic)
        }
        if time <= clock.now {
            clock.move(to: clock.now)
            await Quiet.wait(for: network.traffic)
        }
    }

    fileprivate func close() async {
        for participant in participants { await participant.provider.close() }
        // Without a connection nobody waits for the relay's farewell, which would need time to pass.
        network.close()
        await Quiet.wait(for: network.traffic)
        clock.stop()
        for participant in participants { await participant.conversation.leave() }
    }
}
