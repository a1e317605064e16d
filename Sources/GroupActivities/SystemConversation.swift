// What the system does for an app on Apple's devices: follows the conversation, hands its sessions over, and keeps them up to date.

import Conversations
import Foundation
import Sealing
import Wire

@MainActor final class SystemConversation {
    let conversation: Conversation
    private unowned let provider: ConversationProvider
    private var activities: [RunningActivity] = []
    private var live: [SessionID: LiveSession] = [:]
    /// Left, and offered again only when somebody asks.
    private var left: Set<SessionID> = []
    /// Over, though their announcement may still be seen for a moment.
    private var ended: Set<SessionID> = []
    private(set) var isEligible = false
    private var isOver = false
    private var listening: Task<Void, Never>?

    init(_ conversation: Conversation, provider: ConversationProvider) {
        self.conversation = conversation
        self.provider = provider
    }

    func begin() async {
        let updates = await conversation.updates()
        listening = Task { [weak self] in
            for await update in updates { await self?.happened(update) }
        }
        await conversation.start()
        Task { [weak self, conversation] in
            guard (try? await conversation.introduced()) != nil else { return }
            self?.becameEligible()
        }
    }

    func introduced() async { try? await conversation.introduced() }

    private func becameEligible() {
        guard !isOver else { return }
        isEligible = true
        provider.eligibilityChanged()
    }

    /// The provider goes elsewhere.
    func abandon() {
        listening?.cancel()
        close(HearthError(.conversationClosed))
    }

    private func close(_ error: HearthError) {
        isOver = true
        isEligible = false
        for session in live.values { session.end(error) }
        live = [:]
        provider.eligibilityChanged()
    }

    private func happened(_ update: ConversationUpdate) async {
        guard !isOver else { return }
        provider.onWork()
        switch update {
        case .connectionChanged, .participantsChanged, .doorChanged: break
        case .activitiesChanged: await activitiesChanged()
        case .session(let id, let event): await happened(event, in: id)
        case .closed: close(HearthError(.conversationClosed))
        }
    }

    // MARK: Activities

    private func activitiesChanged() async {
        activities = await conversation.activities
        for (id, session) in live where !activities.contains(where: { $0.session == id }) && !session.core.isEntering {
            // Never entered, so nobody else says that it is over.
            session.end(HearthError(.ended))
            live[id] = nil
        }
        left.formIntersection(activities.map(\.session))
        ended.formIntersection(activities.map(\.session))
        for activity in activities { live[activity.session]?.show(activity) }
        provider.reconcile()
    }

    /// An own replacement has its place, or was refused: what the log says holds.
    func replacementSettled(of id: SessionID) async {
        activities = await conversation.activities
        if let activity = activities.first(where: { $0.session == id }) { live[id]?.show(activity) }
    }

    func offer(to feeds: [SessionFeed]) {
        guard !isOver else { return }
        for activity in activities where !left.contains(activity.session) && !ended.contains(activity.session) {
            for feed in feeds where feed.accepts(activity.announcement.activityIdentifier) {
                if live[activity.session] == nil { live[activity.session] = feed.make(activity, self, provider) }
                if let session = live[activity.session], !session.isOver { feed.deliver(session) }
            }
        }
    }

    func offerAgain() {
        for (id, session) in live where session.isOver {
            session.isWantedAgain = true
            left.remove(id)
        }
        left = left.filter { live[$0] != nil }
        provider.reconcile()
    }

    /// Begins the activity, or leads to the one that runs already and is the same.
    func activate(_ announcement: EntryBody.Announcement) async throws {
        let running = activities.filter { !ended.contains($0.session) && $0.announcement.activityIdentifier == announcement.activityIdentifier }
        if let same = running.last(where: { JSONText.isEqual($0.announcement.activity, announcement.activity) }) {
            if live[same.session].map({ $0.isOver }) ?? left.contains(same.session) {
                live[same.session]?.isWantedAgain = true
                left.remove(same.session)
                provider.reconcile()
            }
            return
        }
        do { _ = try await conversation.announce(announcement) } catch { throw HearthError.of(error) }
        // One run of an activity at a time: the one that this participant was in gives way, for everybody, to the one that it has begun.
        for old in running {
            guard let session = live[old.session], !session.isOver, session.core.isEntering else { continue }
            session.core.end()
        }
    }

    // MARK: Sessions

    private func happened(_ event: SessionEvent, in id: SessionID) async {
        guard let session = live[id] else { return }
        switch event {
        case .joined:
            let snapshot = await conversation.session(id)
            session.show(snapshot, local: conversation.localParticipant)
            session.joined()
        case .participantsChanged, .ledgerChanged:
            session.show(await conversation.session(id), local: conversation.localParticipant)
        case .received(.message(SessionPlayback.messageIdentifier, let json), let sender, _):
            session.core.playback.receive(json, from: UUID(sender.bytes))
        case .received(let content, let sender, let isReliable):
            let source: Participant
            if let present = session.participant(sender) {
                source = present
            } else {
                source = Participant(sender, name: await conversation.name(of: sender) ?? "", isLocal: false)
            }
            session.core.inbox.receive(content, from: source, isReliable: isReliable)
        case .diverged(let participant):
            let name = await conversation.name(of: participant) ?? ""
            HearthLog.general.error("the relay has shown \(name, privacy: .private) another course of events")
            provider.notices.tell(.divergence)
        case .over(let end):
            let isWantedAgain = session.isWantedAgain
            session.end(HearthError(end))
            live[id] = nil
            if end == .left, !isWantedAgain { left.insert(id) }
            if end == .ended { ended.insert(id) }
            provider.reconcile()
        }
    }

    /// The app has left or ended a session; what follows for it is for nobody.
    func wasLeft(_ core: SessionCore, _ error: HearthError) {
        guard let session = live[core.id], session.core === core else { return }
        session.end(error)
        left.insert(core.id)
        // One that was never entered has nothing to wait for.
        if !core.isEntering { live[core.id] = nil }
    }
}
