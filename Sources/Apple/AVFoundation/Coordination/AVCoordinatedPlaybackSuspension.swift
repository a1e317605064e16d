// A break that one participant takes from the group.

import Foundation

/// A break of the local player's: no commands come in and none go out until every open one has ended. Apple: AVFoundation/AVCoordinatedPlaybackSuspension.
public final class AVCoordinatedPlaybackSuspension: NSObject, @unchecked Sendable {
    public let reason: Reason
    public let beginDate = Date()
    let id = UUID()
    private weak let coordinator: AVPlaybackCoordinator?

    init(reason: Reason, coordinator: AVPlaybackCoordinator) {
        self.reason = reason
        self.coordinator = coordinator
    }

    /// Ends the break; with the last one the local player is moved to the group's timing.
    public func end() { coordinator?.handle(.suspensionEnded(id: id, proposedTime: nil)) }

    /// Ends the break; with the last one the group seeks to the time at an unchanged rate. Other than the last one, and for a time that is no number, this is `end()`.
    public func end(proposingNewTime time: CMTime) { coordinator?.handle(.suspensionEnded(id: id, proposedTime: time.isNumeric ? time : nil)) }

    /// Why. Apps may have reasons of their own. Apple: AVFoundation/AVCoordinatedPlaybackSuspension/Reason.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }

        public static let audioSessionInterrupted = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonAudioSessionInterrupted")
        public static let stallRecovery = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonStallRecovery")
        public static let playingInterstitial = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonPlayingInterstitial")
        public static let coordinatedPlaybackNotPossible = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonCoordinatedPlaybackNotPossible")
        public static let userActionRequired = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonUserActionRequired")
        public static let userIsChangingCurrentTime = Reason(rawValue: "AVCoordinatedPlaybackSuspensionReasonUserIsChangingCurrentTime")
    }
}

/// Another participant, as its player is doing. Apple: AVFoundation/AVCoordinatedPlaybackParticipant.
public final class AVCoordinatedPlaybackParticipant: NSObject, Sendable {
    /// Empty while it is in step. One that has not been heard of during playback is shown as stalled.
    public let suspensionReasons: [AVCoordinatedPlaybackSuspension.Reason]
    public let isReadyToPlay: Bool
    /// The same as the participant's in the session.
    public let identifier: UUID

    init(_ participant: PlaybackGroup.Participant) {
        suspensionReasons = participant.suspensions.map(AVCoordinatedPlaybackSuspension.Reason.init(rawValue:))
        isReadyToPlay = participant.isReady
        identifier = participant.id
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCoordinatedPlaybackParticipant else { return false }
        return identifier == other.identifier && suspensionReasons == other.suspensionReasons && isReadyToPlay == other.isReadyToPlay
    }

    public override var hash: Int { identifier.hashValue }
}
