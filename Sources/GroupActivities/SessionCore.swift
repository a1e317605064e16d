// What a `GroupSession`, its messengers and its journals share, without the type of the activity. May be used from any thread.

import Conversations
import Foundation
import Sealing
import Synchronization
import Wire

/// What an app may watch of a session; its activity is as good after `join` as before.
enum Observation { case state, participants }

final class SessionCore: Sendable {
    private struct State {
        var isEntering = false
        /// The task in which `join` was called, which may be none.
        var joiningTask: Int?
        var observed: Set<Observation> = []
        var isOver = false
        var replacementCount = 0
        /// The activity as the app has it, whether it came from others or was set here.
        var shownActivity: [UInt8]
        var lastReplacement: Task<Void, Never>?
        var metadata: GroupActivityMetadata
    }

    let id: SessionID
    let conversation: Conversation
    let provider: ConversationProvider
    let initiator: ParticipantID
    let activityIdentifier: String
    let outbox: SessionOutbox
    let inbox: SessionInbox
    let journal: SessionJournal
    let playback = SessionPlayback()
    /// Opens once the session is joined, or over.
    let entry = Gate<HearthError?>()
    private let state: Mutex<State>

    init(_ activity: RunningActivity, conversation: Conversation, provider: ConversationProvider) {
        id = activity.session
        self.conversation = conversation
        self.provider = provider
        initiator = activity.initiator
        activityIdentifier = activity.announcement.activityIdentifier
        outbox = SessionOutbox(conversation, activity.session)
        inbox = SessionInbox(notices: provider.notices, clock: provider.clock)
        journal = SessionJournal()
        state = Mutex(State(shownActivity: activity.announcement.activity, metadata: JSONText.metadata(activity.announcement.metadata)))
    }

    var notices: NoticeBoard { provider.notices }
    var isLocallyInitiated: Bool { initiator == conversation.localParticipant }
    var isEntering: Bool { state.withLock(\.isEntering) }
    var isOver: Bool { state.withLock(\.isOver) }
    var metadata: GroupActivityMetadata { state.withLock(\.metadata) }
    var endsWhenInitiatorLeaves: Bool { metadata.lifetimePolicy == .endsWhenInitiatorLeaves }

    func setMetadata(_ json: [UInt8]) { state.withLock { $0.metadata = JSONText.metadata(json) } }

    /// Returns once the session is joined.
    func joined() async throws {
        if let error = await entry.pass() { throw error }
    }

    // MARK: What an app asks for

    func join() {
        let task = currentTask()
        let isFirst = state.withLock { state in
            let isFirst = !state.isEntering && !state.isOver
            if isFirst { state.joiningTask = task }
            state.isEntering = true
            return isFirst
        }
        guard isFirst else { return notices.tell(isOver ? .workAfterInvalidation : .joinedTwice) }
        outbox.enter()
        Task { [self] in
            // A stay before this one may still be on its way out; the conversation lets nobody in before.
            while !entry.isOpen {
                guard (try? await provider.clock.sleep(until: provider.clock.now + .milliseconds(500))) != nil else { return }
                if !entry.isOpen { await conversation.enter(id) }
            }
        }
    }

    /// Something of the session is subscribed to. Another task may have been begun before `join`, and run only now: what it observes comes late once the session is joined.
    func observes(_ observation: Observation) {
        let task = currentTask()
        let isLate = state.withLock { state in
            state.observed.insert(observation).inserted && state.isEntering && !state.isOver && (entry.isOpen || state.joiningTask == task)
        }
        if isLate { notices.tell(.observedAfterJoin) }
    }

    func leave(isAlone: Bool) {
        if isAlone || (isLocallyInitiated && endsWhenInitiatorLeaves && isEntering) { return finish(.end, HearthError(.left)) }
        finish(.exit(taking: journal.unfinishedUploads()), HearthError(.left))
    }

    func end() { finish(.end, HearthError(.ended)) }

    private func finish(_ order: SessionOutbox.Order, _ error: HearthError) {
        let (isFirst, wasEntering) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.isEntering)
        }
        guard isFirst else { return notices.tell(.workAfterInvalidation) }
        if case .exit = order, !wasEntering {} else { outbox.finish(order, error) }
        let provider = provider
        Task { @MainActor in provider.system?.wasLeft(self, error) }
    }

    /// It is over without the app's doing.
    func markOver() { state.withLock { $0.isOver = true } }

    // MARK: Replacing the activity

    var isReplacing: Bool { state.withLock { $0.replacementCount > 0 } }

    /// Whether that is something new to the app.
    func showsNow(_ activity: [UInt8]) -> Bool {
        state.withLock { state in
            defer { state.shownActivity = activity }
            return state.shownActivity != activity
        }
    }

    /// Announces a new activity after those that were announced before it.
    func replace(_ activity: [UInt8], metadata: Handed<() async -> GroupActivityMetadata>) {
        state.withLock { state in
            state.replacementCount += 1
            state.shownActivity = activity
            let previous = state.lastReplacement
            state.lastReplacement = Task { [self] in
                await previous?.value
                let metadata = await metadata.value()
                let announcement = EntryBody.Announcement(activityIdentifier: activityIdentifier, activity: activity, metadata: JSONText.encode(metadata))
                // Where it is not taken, the log's value comes back.
                do { try await conversation.announce(announcement, as: id) } catch {
                    HearthLog.general.error("the new activity was not announced: \(String(describing: error), privacy: .public)")
                }
                self.state.withLock { $0.replacementCount -= 1 }
                await provider.system?.replacementSettled(of: id)
            }
        }
    }
}

private func currentTask() -> Int? { withUnsafeCurrentTask { $0?.hashValue } }
