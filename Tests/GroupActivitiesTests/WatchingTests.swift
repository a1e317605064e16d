// A player app: replacing the activity, and players in step.

import AVFoundation
import GroupActivities
import GroupActivitiesTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
@MainActor struct WatchingTests {
    @Test func `a new activity reaches everyone in the same session object`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { await apps[0].watch("one") }
            try await conversation.settle()
            let sessions = apps.map { $0.session.map(ObjectIdentifier.init) }
            try await conversation[2].run { await apps[2].watch("two") }
            try await conversation.settle()
            for app in apps { #expect(app.movies == ["one", "two"] && app.session?.activity == WatchActivity(movie: "two")) }
            #expect(apps.map { $0.session.map(ObjectIdentifier.init) } == sessions)
            let late = try await conversation.join()
            let app = late.make { WatchModel() }
            try await conversation.settle()
            #expect(app.movies == ["two"] && app.session?.isLocallyInitiated == false)
            #expect(apps[0].session?.isLocallyInitiated == true)
        }
    }

    @Test func `a publisher that is assigned to the activity replaces it for everyone`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { await apps[0].watch("one") }
            try await conversation.settle()
            let chosen = PassthroughSubject<String, Never>()
            let session = try #require(apps[1].session)
            chosen.map { WatchActivity(movie: $0) }.assign(to: &session.$activity)
            chosen.send("two")
            #expect(session.activity.movie == "two")
            try await conversation.settle()
            for app in apps { #expect(app.movies == ["one", "two"]) }
            apps[0].session?.activity = WatchActivity(movie: "three")
            try await conversation.settle()
            for app in apps { #expect(app.movies == ["one", "two", "three"]) }
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `of several new activities at once the last in the log holds for all`(seed: UInt64) async throws {
        try await withConversation(of: 3, seed: seed, network: NetworkConditions(delay: .milliseconds(5)...(.milliseconds(300)))) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { await apps[0].watch("one") }
            try await conversation.settle()
            for (index, app) in apps.enumerated() {
                app.session?.activity = WatchActivity(movie: "\(index) a")
                app.session?.activity = WatchActivity(movie: "\(index) b")
            }
            try await conversation.settle()
            let movies = Set(apps.compactMap { $0.session?.activity.movie })
            try conversation.check("all watch the same, not \(movies)", movies.count == 1 && movies.first?.hasSuffix("b") == true)
        }
    }

    @Test func `players start together and stop together`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { await apps[0].watch("one") }
            try await conversation.settle()
            await conversation.advance(by: .seconds(3))
            apps[1].player.play()
            await conversation.advance(by: .seconds(10))
            let places = apps.map { $0.player.currentTime().seconds }
            for app in apps { try conversation.check("everybody plays", app.player.rate == 1) }
            try conversation.check("nobody is off by more than 50 ms: \(places)", places.max()! - places.min()! < 0.05 && places.min()! > 5)
            apps[2].player.pause()
            await conversation.advance(by: .seconds(1))
            for app in apps { try conversation.check("everybody has stopped", app.player.rate == 0) }
        }
    }

    @Test func `who comes later is where the others are`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { await apps[0].watch("one") }
            try await conversation.settle()
            apps[0].player.play()
            await conversation.advance(by: .seconds(20))
            let late = try await conversation.join()
            let app = late.make { WatchModel() }
            try await conversation.settle()
            await conversation.advance(by: .seconds(5))
            try conversation.check("the newcomer plays", app.player.rate == 1)
            #expect(abs(app.player.currentTime().seconds - apps[0].player.currentTime().seconds) < 0.1)
        }
    }
}
