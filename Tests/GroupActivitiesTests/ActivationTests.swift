// How activities begin, and when they cannot.

import GroupActivities
import GroupActivitiesTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
@MainActor struct ActivationTests {
    @Test func `eligibility is false at first and true a moment later, in a conversation`() async throws {
        try await withConversation(of: 1) { conversation in
            let app = conversation[0].make { ListenModel() }
            #expect(app.groupStateObserver.isEligibleForGroupSession == false)
            try await conversation.settle()
            #expect(app.eligibility == [false, true])
            await conversation[0].leave()
            #expect(app.eligibility == [false, true, false])
        }
    }

    @Test func `without a conversation activation is disabled, and activating throws`() async throws {
        let alone = ConversationProvider(presenter: RecordingPresenter())
        await ConversationProvider.$current.withValue(alone) {
            #expect(await ListenActivity().prepareForActivation() == .activationDisabled)
            let error = await #expect(throws: HearthError.self) { try await ListenActivity().activate() }
            #expect(error?.code == .noConversation)
            #expect(await ListenModel().startSharing() == .needsDialog)
        }
        await alone.close()
    }

    @Test(arguments: [GroupActivityActivationResult.activationPreferred, .activationDisabled, .cancelled])
    func `where the policy is to ask, the person's answer comes back`(answer: GroupActivityActivationResult) async throws {
        try await withConversation(of: 1, activationPolicy: .ask) { conversation in
            conversation[0].presenter.answerActivation(with: answer)
            let result = try await conversation[0].run { await ListenActivity().prepareForActivation() }
            #expect(result == answer)
            #expect(conversation[0].presenter.questions == ["Listen"])
        }
    }

    @Test func `where sharing is off nobody is asked`() async throws {
        try await withConversation(of: 1, activationPolicy: .disable) { conversation in
            let result = try await conversation[0].run { await ListenActivity().prepareForActivation() }
            #expect(result == .activationDisabled)
            #expect(conversation[0].presenter.questions.isEmpty)
        }
    }

    @Test func `text goes to the others with its sender, and a count of participants follows`() async throws {
        try await withConversation(of: 3) { conversation in
            let apps = conversation.everybody { ListenModel() }
            try await conversation.settle()
            let outcome = try await conversation[0].run { await apps[0].startSharing() }
            #expect(outcome == .shared)
            try await conversation.settle()
            #expect(apps.map(\.participantCount) == [3, 3, 3])
            try await conversation[1].run { try await apps[1].send("hello") }
            try await conversation.settle()
            for app in [apps[0], apps[2]] {
                #expect(app.heard.map(\.0) == ["hello"] && app.heard[0].1 == apps[1].session?.localParticipant)
                #expect(app.heard[0].1.displayName == "Ben")
            }
            #expect(apps[1].heard.isEmpty)
            await conversation[2].leave()
            try await conversation.settle()
            #expect(apps[0].participantCount == 2)
        }
    }

    @Test func `the sharing controller invites by the conversation's link and then starts the activity`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { ListenModel() }
            let result = try await conversation[0].run { await GroupActivitySharingController(preparationHandler: { ListenActivity() }).result }
            #expect(result == .success)
            #expect(conversation[0].presenter.invitedLinks.count == 1 && conversation[0].presenter.invitedLinks[0]?.contains("/c/") == true)
            try await conversation.settle()
            #expect(apps[1].session?.state == .joined)
            conversation[1].presenter.answerInvitation(with: .cancelled)
            let other = try await conversation[1].run { try await GroupActivitySharingController(WatchActivity(movie: "x")).result }
            #expect(other == .cancelled)
        }
    }

    @Test func `an activity that runs already is not started twice, another value takes its place`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { WatchModel() }
            try await conversation[0].run { try await WatchActivity(movie: "one").activate() }
            try await conversation.settle()
            let first = try #require(apps[0].session)
            try await conversation[1].run { try await WatchActivity(movie: "one").activate() }
            try await conversation.settle()
            #expect(apps[0].session === first)
            try await conversation[1].run { try await WatchActivity(movie: "two").activate() }
            try await conversation.settle()
            #expect(first.state == .invalidated(reason: HearthError(.ended)))
            #expect(apps.map { $0.session?.activity.movie } == ["two", "two"])
        }
    }

    @Test func `activating what one has left leads back into it`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.everybody { DrawingModel() }
            conversation[0].make { apps[0].startSharing() }
            try await conversation.settle()
            let first = try #require(apps[1].groupSession)
            first.leave()
            try await conversation.settle()
            #expect(apps[1].groupSession == nil)
            conversation[1].make { apps[1].startSharing() }
            try await conversation.settle()
            #expect(apps[1].groupSession?.id == first.id && apps[1].groupSession !== first)
        }
    }

    @Test func `an activity that can be shared needs to say nothing more`() async throws {
        let types = PhotoWallActivity.exportedContentTypes()
        #expect(types.map(\.identifier) == ["org.hearth.group-activity"])
        #expect(try await PhotoWallActivity().exported(as: nil).isEmpty == false)
    }
}
