// Who has seen another log of a session than we have: what is judged of single records, weighed over time. A value.

import Wire

struct Divergences: Sendable {
    /// A record that was sealed before we, or its sender, came in may be on its way for so long.
    private static let patience: Duration = .seconds(600)
    private static let longestWindow: Duration = .seconds(86_400)

    /// In the order in which it was found out.
    private(set) var participants: [ParticipantID] = []
    private var patience = Self.patience
    private var since = Duration.zero
    private var cameAt: [ParticipantID: Duration] = [:]

    /// There is a place in the session.
    /// - Parameter window: for so long whoever lost the connection may come back, with records from before.
    mutating func begin(_ window: Duration, _ now: Duration) {
        patience = Self.patience + min(window, Self.longestWindow)
        since = now
        cameAt = [:]
    }

    mutating func came(_ participant: ParticipantID, _ now: Duration) { cameAt[participant] = now }

    mutating func went(_ participant: ParticipantID) { cameAt[participant] = nil }

    /// Returns whether this is news.
    mutating func weigh(_ verdict: LogChain.Verdict, of participant: ParticipantID, _ now: Duration) -> Bool {
        switch verdict {
        case .same, .unknown: return false
        // A relay that tells everybody another incarnation, or other places, would otherwise never be found out.
        case .elsewhere: guard now - max(since, cameAt[participant] ?? since) > patience else { return false }
        case .different: break
        }
        guard !participants.contains(participant) else { return false }
        participants.append(participant)
        return true
    }
}
