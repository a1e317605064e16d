// `swift run Lunch`: each line that is typed is a vote.

import Foundation
import GroupActivities

@main struct Program {
    @MainActor static func main() async {
        let ballot = Ballot()
        let showing = ballot.$votes.sink { votes in
            for (place, count) in Ballot.tally(votes) { print("\(count) × \(place)") }
        }
        do {
            _ = try await LunchActivity().activate()
        } catch {
            print("Voting alone: \(error.localizedDescription)")
        }
        for await place in lines() { ballot.vote(for: place) }
        ballot.session?.leave()
        showing.cancel()
    }

    /// Reading blocks, so it has a thread of its own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
