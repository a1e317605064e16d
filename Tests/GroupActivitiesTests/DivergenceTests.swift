// A relay that shows people different things is found out by them, and an honest one is never taken for it.

import Conversations
import GroupActivities
import GroupActivitiesTesting
import Synchronization
import Testing
import Wire

@MainActor private final class Ears {
    var texts: [String] = []
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

@Suite(.timeLimit(.minutes(5)))
@MainActor struct DivergenceTests {
    private func wall(of count: Int, seed: UInt64 = 1, network: NetworkConditions = .ideal, _ body: @MainActor (TestConversation, [PhotoWallModel]) async throws -> Void) async throws {
        try await withConversation(of: count, seed: seed, network: network) { conversation in
            let apps = conversation.participants.map { participant in participant.make { PhotoWallModel(name: participant.name) } }
            try await conversation[0].run { _ = try await PhotoWallActivity().activate() }
            try await conversation.settle()
            try await body(conversation, apps)
        }
    }

    private func who(_ conversation: TestConversation) -> [String] { conversation.participants.filter { $0.notices.contains(.divergence) }.map(\.name) }

    @Test func `an attachment that is hidden from one person is told to everybody`() async throws {
        try await wall(of: 3) { conversation, apps in
            conversation.network.lie(to: "Cleo") { if case .entry = $0 { [] } else { [$0] } }
            try await conversation[0].run { await apps[0].take(10_000) }
            try await conversation.eventually("all three know") { who(conversation).count == 3 }
            #expect(apps[2].controller?.received.isEmpty == true && apps[1].controller?.received.count == 1)
        }
    }

    @Test func `a message for everyone that one person is not given, as if it were for others, is told to everybody`() async throws {
        try await wall(of: 3) { conversation, apps in
            // Sender and counter are right: no hole is left.
            conversation.network.lie(to: "Cleo") { frame in
                guard case .ordered(let session, let sequence, let sender, let counter, _, _) = frame else { return [frame] }
                return [.skipped(session: session, sequence: sequence, sender: sender, counter: counter)]
            }
            let messenger = conversation[0].make { GroupSessionMessenger(session: apps[0].controller!.session) }
            try await conversation[0].run { try await messenger.send("a") }
            // Ana and Ben hear it from Cleo, to whom nobody can say anything.
            try await conversation.eventually("both others know") { Set(["Ana", "Ben"]).isSubset(of: who(conversation)) }
        }
    }

    nonisolated private static let changes: [(what: String, of: @Sendable (inout Entry) -> Void)] = [
        ("a byte in the middle", { $0.sealed[$0.sealed.count / 2] ^= 1 }), ("the length of the body", { $0.bodyLength += 1 }),
        ("whether the body is there", { $0.flags.formSymmetricDifference(.bodyComplete) }),
    ]

    @Test(arguments: changes.indices) func `an attachment that one person is shown changed is told to everybody`(change: Int) async throws {
        try await wall(of: 3) { conversation, apps in
            conversation.network.lie(to: "Cleo") { frame in
                guard case .entry(var entry) = frame else { return [frame] }
                Self.changes[change].of(&entry)
                return [.entry(entry)]
            }
            try await conversation[0].run { await apps[0].take(10_000) }
            try await conversation.eventually("all three know") { who(conversation).count == 3 }
        }
    }

    @Test func `an attachment that is hidden behind a record of nobody is told`() async throws {
        try await wall(of: 2) { conversation, apps in
            let counter = Mutex(UInt64(0))
            conversation.network.lie(to: "Ben") { frame in
                guard case .entry(let entry) = frame else { return [frame] }
                let next = counter.withLock { counter in
                    defer { counter += 1 }
                    return counter
                }
                return [.skipped(session: entry.session, sequence: 0, sender: ParticipantID(Bytes16(high: 0, low: 1)), counter: next)]
            }
            try await conversation[0].run { await apps[0].take(10_000) }
            try await conversation.eventually("Ben knows") { who(conversation).contains("Ben") }
        }
    }

    @Test func `an attachment that one person is shown again after its removal is told`() async throws {
        try await wall(of: 2) { conversation, apps in
            let old = Mutex<Entry?>(nil)
            conversation.network.lie(to: "Ben") { frame in
                if case .entry(let entry) = frame { old.withLock { $0 = entry } }
                guard case .removed = frame, var again = old.withLock(\.self) else { return [frame] }
                again.version += 1
                return [frame, .entry(again)]
            }
            try await conversation[0].run { await apps[0].take(10_000) }
            try await conversation.settle()
            try await conversation[0].run { for id in apps[0].controller?.attachments.keys.map({ $0 }) ?? [] { await apps[0].controller?.remove(id) } }
            try await conversation.eventually("both know") { who(conversation).count == 2 }
        }
    }

    @Test func `two records that one person is shown in another order are told to everybody`() async throws {
        try await wall(of: 3) { conversation, apps in
            let held = Mutex<(frame: Frame?, isDone: Bool)>((nil, false))
            conversation.network.lie(to: "Cleo") { frame in
                guard case .ordered = frame else { return [frame] }
                return held.withLock { held in
                    if held.isDone { return [frame] }
                    guard let first = held.frame else {
                        held.frame = frame
                        return []
                    }
                    held.isDone = true
                    return [frame, first]
                }
            }
            let sessions = apps.compactMap { $0.controller?.session }
            let messengers = zip(conversation.participants, sessions).map { participant, session in participant.make { GroupSessionMessenger(session: session) } }
            try await conversation[0].run { messengers[0].send("a", to: .all) { _ in } }
            try await conversation[1].run { messengers[1].send("b", to: .all) { _ in } }
            try await conversation.eventually("all three know") { who(conversation).count == 3 }
        }
    }

    @Test func `a record that one person is given twice is told`() async throws {
        try await wall(of: 2) { conversation, apps in
            let count = Mutex(0)
            conversation.network.lie(to: "Ben") { frame in
                guard case .ordered(_, _, _, 0, _, _) = frame else { return [frame] }
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst ? [frame, frame] : [frame]
            }
            let messenger = conversation[0].make { GroupSessionMessenger(session: apps[0].controller!.session) }
            try await conversation[0].run { try await messenger.send("a") }
            try await conversation.settle()
            try await conversation[0].run { try await messenger.send("b") }
            try await conversation.eventually("both know") { who(conversation).count == 2 }
        }
    }

    @Test func `a relay that tells everybody another incarnation is found out`() async throws {
        try await withConversation(of: 0) { conversation in
            let number = Mutex(UInt64(100))
            conversation.network.rewriteFrames { frame in
                guard case .welcome(var welcome) = frame else { return [frame] }
                welcome.incarnation = number.withLock { number in
                    number += 1
                    return number
                }
                return [.welcome(welcome)]
            }
            for _ in 0..<2 { try await conversation.join() }
            let apps = conversation.participants.map { participant in participant.make { PhotoWallModel(name: participant.name) } }
            try await conversation[0].run { _ = try await PhotoWallActivity().activate() }
            try await conversation.settle()
            try await conversation[0].run { await apps[0].take(100) }
            await conversation.advance(by: .seconds(600))
            #expect(who(conversation).isEmpty)
            await conversation.advance(by: .seconds(100))
            try await conversation[0].run { await apps[0].take(100) }
            try await conversation.eventually("Ben knows") { who(conversation).contains("Ben") }
        }
    }

    // MARK: Honest relays: `withConversation` itself fails when somebody takes one for a liar

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func `on a poor network, with cuts, crashes, comings and goings, nobody takes an honest relay for a liar`(seed: UInt64) async throws {
        try await wall(of: 4, seed: seed, network: .poor) { conversation, apps in
            var random = Dice(state: seed)
            let late = try await conversation.join()
            let lateApp = late.make { PhotoWallModel(name: late.name) }
            for round in 0..<6 {
                for (participant, app) in zip(conversation.participants, apps + [lateApp]) where app.controller != nil && random.next() % 3 > 0 {
                    try await participant.run { await app.take(Int.random(in: 1...60_000, using: &random)) }
                }
                switch (Int(seed) + round) % 4 {
                case 0: try await conversation.network.crashRelay()
                case 1: conversation.network.cut()
                case 2: conversation[1].cut()
                default: conversation[2].goAway()
                }
                await conversation.advance(by: .seconds(Int.random(in: 1...30, using: &random)))
                await conversation[2].comeBack()
            }
            await conversation.advance(by: .seconds(60))
        }
    }

    @Test func `who only watches says how far they have come, and an app hears nothing of it`() async throws {
        try await wall(of: 3) { conversation, apps in
            let messengers = zip(conversation.participants, apps).map { participant, app in participant.make { GroupSessionMessenger(session: app.controller!.session) } }
            let heard = Ears()
            let task = conversation[2].make {
                Task { for await (text, _) in messengers[2].messages(of: String.self) { heard.texts.append(text) } }
            }
            try await conversation[0].run { try await messengers[0].send("a") }
            await conversation.advance(by: .seconds(60))
            #expect(heard.texts == ["a"])
            #expect("\(conversation.story)".contains("Ben sends record") || "\(conversation.story)".contains("Cleo sends record"))
            task.cancel()
        }
    }
}
