// The votes of everybody in the session, from its beginning to its end.

import Foundation
import GroupActivities

struct Vote: Codable, Sendable {
    var voter: UUID
    var place: String
}

/// All that one person knows: for somebody who is new.
struct VotesSoFar: Codable, Sendable {
    var votes: [Vote]
}

@MainActor final class Ballot: ObservableObject {
    /// Where each voter wants to go.
    @Published private(set) var votes: [UUID: String] = [:]
    let voter = UUID()
    @Published private(set) var session: GroupSession<LunchActivity>?
    private var messenger: GroupSessionMessenger?
    private var tasks: [Task<Void, Never>] = []
    private var subscriptions: Set<AnyCancellable> = []

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
        tasks.append(
            Task { [weak self] in
                for await (sofar, _) in messenger.messages(of: VotesSoFar.self) { self?.take(sofar.votes) }
            })
        session.$activeParticipants
            .sink { [weak self, weak session] active in
                guard let self, let session else { return }
                // The property still has its value from before.
                let newcomers = active.subtracting(session.activeParticipants)
                guard !newcomers.isEmpty, !self.votes.isEmpty else { return }
                let sofar = VotesSoFar(votes: self.votes.map { Vote(voter: $0, place: $1) })
                messenger.send(sofar, to: .only(newcomers)) { _ in }
            }
            .store(in: &subscriptions)
        session.$state
            .sink { [weak self] state in
                if case .invalidated = state { self?.forget() }
            }
            .store(in: &subscriptions)
        session.join()
    }

    /// It is over for us; the votes stay.
    private func forget() {
        session = nil
        messenger = nil
        for task in tasks { task.cancel() }
        tasks = []
        subscriptions = []
    }

    /// What a voter has said since counts more than what somebody else remembers.
    private func take(_ others: [Vote]) {
        for vote in others where votes[vote.voter] == nil { votes[vote.voter] = vote.place }
    }

    /// The places with their votes, most first.
    static func tally(_ votes: [UUID: String]) -> [(place: String, count: Int)] {
        Dictionary(grouping: votes.values, by: \.self).map { ($0, $1.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
