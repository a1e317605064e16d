// The votes, and the session in which others vote, too.

import Foundation
import GroupActivities

@MainActor final class Ballot: ObservableObject {
    /// Where each voter wants to go.
    @Published private(set) var votes: [UUID: String] = [:]
    let voter = UUID()
    @Published private(set) var session: GroupSession<LunchActivity>?

    init() {
        Task { [weak self] in
            for await session in LunchActivity.sessions() { self?.configure(session) }
        }
    }

    func vote(for place: String) {
        votes[voter] = place
    }

    private func configure(_ session: GroupSession<LunchActivity>) {
        self.session = session
        session.join()
    }

    /// The places with their votes, most first.
    static func tally(_ votes: [UUID: String]) -> [(place: String, count: Int)] {
        Dictionary(grouping: votes.values, by: \.self).map { ($0, $1.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
