// A session that an app has been given, seen from the conversation's side: what changes in it, and when it is over.

import Conversations
import Foundation
import Sealing
import Wire

/// What changes in a session. Applied on the main actor, in order.
enum SessionChange {
    case participants(Set<Participant>)
    case joined
    case activity([UInt8])
    case over(HearthError)
}

@MainActor final class LiveSession {
    let core: SessionCore
    /// The `GroupSession` itself, and the type of its activity.
    let object: AnyObject
    let activityType: ObjectIdentifier
    private let apply: @MainActor (SessionChange) -> Void
    private var participants: Set<Participant> = []
    private var hasSeenInitiator = false
    private(set) var isOver = false
    /// Offer it again once it has been left.
    var isWantedAgain = false

    init(core: SessionCore, object: AnyObject, activityType: ObjectIdentifier, apply: @escaping @MainActor (SessionChange) -> Void) {
        self.core = core
        self.object = object
        self.activityType = activityType
        self.apply = apply
    }

    func show(_ activity: RunningActivity) {
        // While an own replacement is on its way the own value stands: it will be the later one.
        guard !isOver, !core.isReplacing, core.showsNow(activity.announcement.activity) else { return }
        core.setMetadata(activity.announcement.metadata)
        apply(.activity(activity.announcement.activity))
    }

    func show(_ snapshot: SessionSnapshot?, local: ParticipantID) {
        guard !isOver, let snapshot, snapshot.isEntered else { return }
        let present = Set(snapshot.participants.map { Participant($0.id, name: $0.name, isLocal: $0.id == local) })
        if present != participants {
            let newcomers = present.subtracting(participants)
            let isFirst = participants.isEmpty
            participants = present
            apply(.participants(present))
            core.playback.show(Set(present.map(\.id)))
            // With others here any of them may have been chosen to answer.
            if !isFirst, present.count == newcomers.count + 1 { core.inbox.newcomersCame(newcomers) }
            checkInitiator()
        }
        core.journal.show(snapshot.entries, isInSync: snapshot.isInSync, owners: participants)
    }

    func participant(_ id: ParticipantID) -> Participant? { participants.first { $0.name == id } }

    private func checkInitiator() {
        let isThere = participants.contains { $0.name == core.initiator }
        if isThere { hasSeenInitiator = true }
        if hasSeenInitiator, !isThere, core.endsWhenInitiatorLeaves { core.end() }
    }

    func joined() {
        guard !isOver else { return }
        core.outbox.joined()
        apply(.joined)
        core.entry.open(nil)
        core.playback.joined()
    }

    func end(_ error: HearthError) {
        guard !isOver else { return }
        isOver = true
        core.outbox.close(error)
        core.entry.open(error)
        apply(.over(error))
        core.playback.close()
        core.inbox.close()
        core.journal.close()
    }
}
