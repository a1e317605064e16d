// The votes, for one person alone so far.

import Foundation
import GroupActivities

@MainActor final class Ballot: ObservableObject {
    /// Where each voter wants to go.
    @Published private(set) var votes: [UUID: String] = [:]
    let voter = UUID()

    func vote(for place: String) {
        votes[voter] = place
    }

    /// The places with their votes, most first.
    static func tally(_ votes: [UUID: String]) -> [(place: String, count: Int)] {
        Dictionary(grouping: votes.values, by: \.self).map { ($0, $1.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
