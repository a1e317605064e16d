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
            try await conversation[1].run { ballots[1].vote(for: "Noodles") }
            try await conversation.settle()
            #expect(ballots.allSatisfy { $0.votes == [ballots[1].voter: "Noodles"] })
        }
    }

    @Test func `who comes late knows the votes from before`() async throws {
        try await withConversation(of: 2) { conversation in
            let ballots = conversation.everybody { Ballot() }
            try await conversation[0].run { try await LunchActivity().activate() }
            try await conversation.settle()
            try await conversation[0].run { ballots[0].vote(for: "Noodles") }
            try await conversation.settle()
            let late = try await conversation.join(as: "Eva")
            let third = late.make { Ballot() }
            try await conversation.settle()
            #expect(third.votes == ballots[0].votes)
        }
    }

    @Test func `a menu is shown to who comes when the one who found it has left`() async throws {
        try await withConversation(of: 2) { conversation in
            let ballots = conversation.everybody { Ballot() }
            try await conversation[0].run { try await LunchActivity().activate() }
            try await conversation.settle()
            let menu = Data(repeating: 7, count: 2_000_000)
            try await conversation[0].run { try await ballots[0].show(menu: menu, of: "Noodles") }
            try await conversation.settle()
            await conversation[0].leave()
            let late = try await conversation.join()
            let third = late.make { Ballot() }
            try await conversation.settle()
            #expect(third.menus == ["Noodles": menu])
        }
    }
}
