// An app of the commonest shape, with several people.

import GroupActivities
import GroupActivitiesTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DrawingTests {
    @Test func `everyone gets the session, and joins in order of states`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            for app in apps {
                try conversation.check("the states come in order", app.states == ["waiting", "joined"])
                try conversation.check("all three are active", app.groupSession?.activeParticipants.count == 3)
                // Nobody at first; then at least the local one, and no fewer later.
                try conversation.check("participants grow from nobody, not \(app.participantCounts)", app.participantCounts.first == 0 && app.participantCounts == app.participantCounts.sorted())
            }
            #expect(Set(apps.map { $0.groupSession?.id }).count == 1)
            #expect(apps.map { $0.groupSession?.isLocallyInitiated } == [true, false, false])
            #expect(Set(apps.compactMap { $0.groupSession?.localParticipant.id }).count == 3)
        }
    }

    @Test func `what one draws the others see`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            apps[0].draw(1, 2)
            try await conversation.settle()
            apps[2].draw(3)
            try await conversation.settle()
            for app in apps { try conversation.check("both strokes are there", app.strokes == [StrokeMessage(points: [1, 2]), StrokeMessage(points: [3])]) }
        }
    }

    @Test func `who comes later gets the picture that is there`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            apps[0].draw(1)
            apps[1].draw(2)
            try await conversation.settle()
            let late = try await conversation.join()
            let app = late.make { DrawingModel() }
            try await conversation.settle()
            try conversation.check("the newcomer has both strokes", app.strokes.count == 2)
            #expect(conversation[0].notices.isEmpty && conversation[1].notices.isEmpty)
        }
    }

    @Test func `who leaves is out, the others go on, and coming back is a new session object`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            let first = try #require(apps[2].groupSession)
            first.leave()
            try await conversation.settle()
            #expect(apps[2].states == ["waiting", "joined", "invalidated"])
            #expect(apps[2].groupSession == nil)
            #expect(apps[0].groupSession?.activeParticipants.count == 2)
            apps[0].draw(7)
            try await conversation.settle()
            #expect(apps[1].strokes.count == 1 && apps[2].strokes.isEmpty)
            conversation[2].provider.offerAgain()
            try await conversation.settle()
            let second = try #require(apps[2].groupSession)
            #expect(second !== first && second.id == first.id && second.state == .joined)
            try conversation.check("the one who came back has the picture", apps[2].strokes.count == 1)
        }
    }

    @Test func `ending is for everyone and for good`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            apps[1].groupSession?.end()
            try await conversation.settle()
            for app in apps { #expect(app.states.last == "invalidated" && app.groupSession == nil) }
            for participant in conversation.participants { participant.provider.offerAgain() }
            try await conversation.settle()
            for app in apps { #expect(app.groupSession == nil) }
        }
    }

    @Test func `everything arrives once, in order, through cuts and a crash of the relay`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            for number in 0..<10 { apps[0].draw(number) }
            conversation[1].cut()
            for number in 10..<20 { apps[0].draw(number) }
            try await conversation.network.crashRelay()
            for number in 20..<30 { apps[0].draw(number) }
            try await conversation.settle()
            for app in apps { try conversation.check("thirty strokes", app.strokes.count == 30) }
        }
    }
}
