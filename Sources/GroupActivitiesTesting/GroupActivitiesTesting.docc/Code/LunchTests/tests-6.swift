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

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `on a bad line all come to the same result`(seed: UInt64) async throws {
        try await withConversation(of: 4, seed: seed, network: .poor) { conversation in
            let ballots = conversation.everybody { Ballot() }
            try await conversation[0].run { try await LunchActivity().activate() }
            try await conversation.settle()
            for (person, ballot) in zip(conversation.participants, ballots) {
                try await person.run { ballot.vote(for: person.name.count.isMultiple(of: 2) ? "Noodles" : "Soup") }
            }
            conversation[2].cut()
            try await conversation.network.crashRelay()
            try await conversation.settle()
            let result = ballots[0].votes
            #expect(result.count == 4)
            #expect(ballots.allSatisfy { $0.votes == result })
        }
    }

    @Test func `nobody is told of a usual mistake`() async throws {
        try await withConversation(of: 2) { conversation in
            let ballots = conversation.everybody { Ballot() }
            try await conversation[0].run { try await LunchActivity().activate() }
            try await conversation.settle()
            try await conversation[1].run { ballots[1].vote(for: "Soup") }
            await conversation.advance(by: .seconds(60))
            try conversation.check("the vote is counted", ballots[0].votes.count == 1)
            for person in conversation.participants { #expect(person.notices.isEmpty) }
            try await conversation[0].run { ballots[0].session?.end() }
            try await conversation.settle()
            try conversation.check("the session is over for all, and the votes stay", ballots.allSatisfy { $0.session == nil && $0.votes.count == 1 })
        }
    }
}
