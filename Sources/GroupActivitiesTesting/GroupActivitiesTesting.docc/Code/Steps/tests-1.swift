// Whether a group that votes comes to one result.

import Foundation
import GroupActivities
import GroupActivitiesTesting
import Testing

@testable import Lunch

@Suite @MainActor struct BallotTests {
    @Test func `a vote is seen by all`() async throws {
        try await withConversation(of: 3) { conversation in
            let ballots = conversation.everybody { Ballot() }
            try await conversation[0].run { try await LunchActivity().activate() }
            try await conversation.settle()
            #expect(ballots.allSatisfy { $0.session?.activeParticipants.count == 3 })
        }
    }
}
