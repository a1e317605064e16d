// The shell around a participant's view of the group: owns the clock, the medium and the player's commands.

@_exported import CoreMedia
@_exported import Foundation

/// Keeps the players of a group in step: rate and time, not queues. Only players on the same item affect each other. Apple: AVFoundation/AVPlaybackCoordinator.
public class AVPlaybackCoordinator: NSObject, @unchecked Sendable {
    /// A command on its way to the player, to be answered by its number.
    struct Issued {
        let command: PlaybackCommand
        let number: Int
        let item: String
        let originator: AVCoordinatedPlaybackParticipant?
    }

    let time: PlaybackTime
    private let lock = NSLock()
    private var group: PlaybackGroup
    private var medium: (any PlaybackMedium)?
    private var pending: [PlaybackGroup.Action] = []
    private var isPerforming = false
    private var wake: (at: Int64, cancel: @Sendable () -> Void)?

    package init(time: PlaybackTime?) {
        self.time = time ?? PlaybackTime.current ?? .host
        group = PlaybackGroup(local: UUID())
    }

    deinit { wake?.cancel() }

    /// Does what the group asks of the player, and answers with `completed(_:)`.
    func perform(_ issued: Issued) {}

    public class var otherParticipantsDidChangeNotification: NSNotification.Name { .init("AVPlaybackCoordinatorOtherParticipantsDidChangeNotification") }
    public class var suspensionReasonsDidChangeNotification: NSNotification.Name { .init("AVPlaybackCoordinatorSuspensionReasonsDidChangeNotification") }

    public var otherParticipants: [AVCoordinatedPlaybackParticipant] { lock.withLock { group.participants }.map(AVCoordinatedPlaybackParticipant.init) }

    /// Why the local player is not in step; while this is not empty, the group's changes pass it by.
    public var suspensionReasons: [AVCoordinatedPlaybackSuspension.Reason] { lock.withLock { group.suspensionReasons }.map(AVCoordinatedPlaybackSuspension.Reason.init(rawValue:)) }

    /// Detaches the local player from the group until the suspension is ended. The reason is told to the others.
    public func beginSuspension(for suspensionReason: AVCoordinatedPlaybackSuspension.Reason) -> AVCoordinatedPlaybackSuspension {
        let suspension = AVCoordinatedPlaybackSuspension(reason: suspensionReason, coordinator: self)
        handle(.suspensionBegan(id: suspension.id, reason: suspensionReason.rawValue))
        return suspension
    }

    /// Where the group is at an instant of the host clock; invalid without an item.
    public func expectedItemTime(atHostTime hostClockTime: CMTime) -> CMTime {
        guard hostClockTime.isNumeric else { return .invalid }
        return lock.withLock { group.expectedItemTime(at: hostClockTime.nanoseconds) }
    }

    /// Reasons for which the local participant holds the others back. Empty at first: nobody is held up unless the app asks for it.
    public var suspensionReasonsThatTriggerWaiting: [AVCoordinatedPlaybackSuspension.Reason] {
        get { lock.withLock { group.policy.waitingReasons }.map(AVCoordinatedPlaybackSuspension.Reason.init(rawValue:)).sorted { $0.rawValue < $1.rawValue } }
        set {
            lock.withLock { group.policy.waitingReasons = Set(newValue.map(\.rawValue)) }
            handle(.wake)
        }
    }

    /// Above this group size, the local participant included, nobody is held up for the reason.
    public func setParticipantLimit(_ participantLimit: Int, forWaitingOutSuspensionsWithReason reason: AVCoordinatedPlaybackSuspension.Reason) {
        lock.withLock { group.policy.participantLimits[reason.rawValue] = participantLimit }
        handle(.wake)
    }

    public func participantLimitForWaitingOutSuspensions(withReason reason: AVCoordinatedPlaybackSuspension.Reason) -> Int {
        lock.withLock { group.policy.participantLimits[reason.rawValue] ?? .max }
    }

    /// After another's pause, seek to where that one stopped. Without it small differences are left alone.
    public var pauseSnapsToMediaTimeOfOriginator: Bool {
        get { lock.withLock { group.policy.pauseSnaps } }
        set { lock.withLock { group.policy.pauseSnaps = newValue } }
    }

    package var isConnected: Bool { lock.withLock { group.isConnected } }

    /// Joins the group behind a medium. A coordinator that is connected leaves its former group.
    package func connect(to medium: any PlaybackMedium) {
        disconnect()
        lock.withLock { self.medium = medium }
        handle(.connected(as: medium.localParticipant, participants: medium.otherParticipants))
    }

    /// Leaves the group; the player goes on by itself.
    package func disconnect() {
        guard lock.withLock({ medium }) != nil else { return }
        handle(.disconnected)
        lock.withLock { medium = nil }
    }

    package func participantsDidChange(_ participants: Set<UUID>) { handle(.participantsChanged(participants)) }
    package func receive(_ message: PlaybackMessage, from sender: UUID) { handle(.received(message, from: sender)) }

    func completed(_ number: Int) { handle(.completed(number)) }

    var currentItem: String? { lock.withLock { group.item } }

    func handle(_ event: PlaybackGroup.Event) {
        let begins = lock.withLock {
            let now = time.nowNanoseconds
            pending += group.handle(event, at: now)
            setWake(at: group.nextWake(after: now), now: now)
            defer { isPerforming = true }
            return !isPerforming
        }
        // Actions are performed in order, by one thread at a time, outside the lock: a delegate may call back from within.
        guard begins else { return }
        while let action = next() { perform(action) }
    }

    private func next() -> PlaybackGroup.Action? {
        lock.withLock {
            guard !pending.isEmpty else {
                isPerforming = false
                return nil
            }
            return pending.removeFirst()
        }
    }

    private func perform(_ action: PlaybackGroup.Action) {
        switch action {
        case .issue(let command, let number, let item, let originator):
            perform(Issued(command: command, number: number, item: item, originator: originator.map(participant)))
        case .send(let message, let recipient, let isReliable):
            lock.withLock { medium }?.send(message, to: recipient, isReliable: isReliable)
        case .participantsDidChange:
            NotificationCenter.default.post(name: Self.otherParticipantsDidChangeNotification, object: self)
        case .suspensionsDidChange:
            NotificationCenter.default.post(name: Self.suspensionReasonsDidChangeNotification, object: self)
        }
    }

    private func participant(_ id: UUID) -> AVCoordinatedPlaybackParticipant {
        AVCoordinatedPlaybackParticipant(lock.withLock { group.participants.first { $0.id == id } } ?? .init(id: id, suspensions: [], isReady: false))
    }

    /// Called under the lock.
    private func setWake(at instant: Int64?, now: Int64) {
        if let wake, wake.at == instant { return }
        wake?.cancel()
        wake = instant.map { instant in
            (instant, time.schedule(instant &- now) { [weak self] in self?.wokenUp(at: instant) })
        }
    }

    private func wokenUp(at instant: Int64) {
        lock.withLock { if wake?.at == instant { wake = nil } }
        handle(.wake)
    }

    func date(of instant: Int64?) -> Date? { instant.map { Date(timeIntervalSinceNow: Double($0 &- time.nowNanoseconds) / 1e9) } }
}
