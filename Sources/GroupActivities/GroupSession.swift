// One run of an activity, as an app holds it.

import Conversations
import Foundation
import Synchronization
import Wire

/// A running activity that this participant has been offered. Its published properties change on the main actor; those that the app sets
/// change where it sets them. It is kept alive by the framework until it is invalidated. Apple: GroupActivities/GroupSession.
public final class GroupSession<ActivityType: GroupActivity>: ObservableObject, CustomStringConvertible {
    /// Equal for all participants; another one when the activity is started anew.
    public let id: UUID
    /// Waiting until `join` has led to joined; invalidated for good.
    @Published public private(set) var state = State.waiting
    /// Replaces the activity for everybody when it is set; of several values the last in the order of the log holds for all.
    @Published public var activity: ActivityType {
        didSet { activityWasSet() }
    }
    /// Those who have joined, the local participant included.
    @Published public private(set) var activeParticipants: Set<Participant> = []
    public let isLocallyInitiated: Bool

    let core: SessionCore
    /// The thread on which a value that came from others is being taken over.
    private let applyingThread = Mutex<UInt?>(nil)

    init(_ core: SessionCore, activity: ActivityType) {
        self.core = core
        id = UUID(core.id.bytes)
        isLocallyInitiated = core.isLocallyInitiated
        self.activity = activity
        _activity.onAssignment { [weak self] in self?.activityWasSet() }
        _state.onSubscription { [weak core] in core?.observes(.state) }
        _activeParticipants.onSubscription { [weak core] in core?.observes(.participants) }
    }

    /// Apple: GroupActivities/GroupSession/State.
    public enum State: Sendable, Equatable {
        case waiting
        case joined
        /// The reason is a `HearthError`.
        case invalidated(reason: any Error)

        /// Equal cases are equal, whatever the reason.
        public static func == (left: State, right: State) -> Bool {
            switch (left, right) {
            case (.waiting, .waiting), (.joined, .joined), (.invalidated, .invalidated): true
            default: false
            }
        }
    }

    /// This device.
    public var localParticipant: Participant {
        let id = core.conversation.localParticipant
        return activeParticipants.first { $0.name == id } ?? Participant(id, name: "", isLocal: true)
    }

    /// There are no scenes here.
    public var sceneSessionIdentifier: String? { nil }

    /// Begins to take part. What is asked for between this and joined waits and is done then.
    public func join() { core.join() }

    /// Leaves; the others go on. The last to leave ends it, and so does its initiator where the activity's `lifetimePolicy` says so.
    public func leave() { core.leave(isAlone: state == .joined && activeParticipants.allSatisfy { $0.name == core.conversation.localParticipant }) }

    /// Ends it for everybody, for good.
    public func end() { core.end() }

    /// Asks the presenter to show the program, which may have been started in the background.
    public func requestForegroundPresentation() {
        if !core.isOver { core.provider.presenter.requestForeground(title: core.metadata.title) }
    }

    /// Shows who did what, on this device alone.
    public func showNotice(_ event: GroupSessionEvent) {
        core.provider.presenter.show(notice: "\(event.originator.shownName) \(event.action.words)", url: event.url)
    }

    /// Apple: GroupActivities/GroupSession/Event.
    @available(*, deprecated, renamed: "GroupSessionEvent")
    public struct Event {
        public let originator: Participant
        public let localizedDescription: String

        public init(originator: Participant, localizedDescription: String) {
            self.originator = originator
            self.localizedDescription = localizedDescription
        }
    }

    @available(*, deprecated, renamed: "showNotice")
    public func postEvent(_ event: Event) { core.provider.presenter.show(notice: event.localizedDescription, url: nil) }

    public var description: String { "GroupSession<\(ActivityType.self)>(id: \(id), state: \(state))" }

    // MARK: Inside

    private func activityWasSet() {
        guard applyingThread.withLock({ $0 }) != currentThread() else { return }
        guard state == .joined || (core.isEntering && !core.isOver) else { return core.notices.tell(.activityOutsideSession) }
        let json: [UInt8]
        do { json = try JSONText.encodeOrThrow(activity) } catch {
            return HearthLog.general.error("the new activity could not be encoded and stays here: \(String(describing: error), privacy: .public)")
        }
        if json.count > largeActivitySizeBytes { core.notices.tell(.largeActivity) }
        let value = activity
        core.replace(json, metadata: Handed { await value.metadata })
    }

    @MainActor func apply(_ change: SessionChange) {
        switch change {
        case .participants(let participants): activeParticipants = participants
        case .joined: state = .joined
        case .activity(let json):
            guard let new = try? JSONText.activity(ActivityType.self, json, metadata: JSONText.encode(core.metadata)) else {
                return HearthLog.general.error("a new activity could not be read as \(ActivityType.self, privacy: .public)")
            }
            applyingThread.withLock { $0 = currentThread() }
            activity = new
            applyingThread.withLock { $0 = nil }
        case .over(let error):
            core.markOver()
            if case .invalidated = state { return }
            state = .invalidated(reason: error)
        }
    }
}

extension Participant {
    var shownName: String { displayName.isEmpty ? "Somebody" : displayName }
}

let largeActivitySizeBytes = 16_384

private func currentThread() -> UInt { UInt(pthread_self()) }

/// Carries a value to another isolation where the compiler cannot see that nobody else uses it meanwhile.
struct Handed<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
