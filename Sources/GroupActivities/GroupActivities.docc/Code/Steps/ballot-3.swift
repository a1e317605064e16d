// The votes of everybody in the session.

import Foundation
import GroupActivities

struct Vote: Codable, Sendable {
    var voter: UUID
    var place: String
}

@MainActor final class Ballot: ObservableObject {
    /// Where each voter wants to go.
    @Published private(set) var votes: [UUID: String] = [:]
    let voter = UUID()
    @Published private(set) var session: GroupSession<LunchActivity>?
    private var messenger: GroupSessionMessenger?
    private var tasks: [Task<Void, Never>] = []

    init() {
        Task { [weak self] in
            for await session in LunchActivity.sessions() { self?.configure(session) }
        }
    }

    func vote(for place: String) {
        votes[voter] = place
        messenger?.send(Vote(voter: voter, place: place)) { _ in }
    }

    private func configure(_ session: GroupSession<LunchActivity>) {
        self.session = session
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        tasks.append(
            Task { [weak self] in
                for await (vote, _) in messenger.messages(of: Vote.self) { self?.votes[vote.voter] = vote.place }
            })
        session.join()
    }

    /// The places with their votes, most first.
    static func tally(_ votes: [UUID: String]) -> [(place: String, count: Int)] {
        Dictionary(grouping: votes.values, by: \.self).map { ($0, $1.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
