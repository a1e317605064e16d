// A film that several people watch: the activity names it, the coordinator keeps their players in step.

import AVFoundation
import Foundation
import GroupActivities

struct WatchTogetherActivity: GroupActivity, Equatable {
    static let activityIdentifier = "org.hearth.watch-together"
    var film: String

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.type = .watchTogether
        metadata.title = film
        return metadata
    }
}

@MainActor final class WatchModel: ObservableObject {
    @Published var groupSession: GroupSession<WatchTogetherActivity>?
    @Published var film: String?
    let player: PretendPlayer
    // The coordinator holds its delegate weakly: the player is kept here.
    private let coordinator: AVDelegatingPlaybackCoordinator
    private var subscriptions = Set<AnyCancellable>()

    init(onChange: @escaping @Sendable (String) -> Void = { _ in }) throws {
        player = try PretendPlayer(onChange: onChange)
        coordinator = AVDelegatingPlaybackCoordinator(playbackControlDelegate: player)
        Task { [weak self] in
            for await session in WatchTogetherActivity.sessions() { self?.configure(session) }
        }
    }

    /// Starts a film for all, or changes the one that runs.
    func watch(_ film: String) async throws {
        if let groupSession {
            if groupSession.activity.film != film { groupSession.activity = WatchTogetherActivity(film: film) }
            return
        }
        switch await WatchTogetherActivity(film: film).prepareForActivation() {
        case .activationPreferred: try await WatchTogetherActivity(film: film).activate()
        case .activationDisabled: load(film)
        default: break
        }
    }

    func play() { coordinator.coordinateRateChange(to: 1) }
    func pause() { coordinator.coordinateRateChange(to: 0) }
    func seek(to seconds: Double) { coordinator.coordinateSeek(to: CMTime(seconds: seconds, preferredTimescale: 600)) }

    private func configure(_ session: GroupSession<WatchTogetherActivity>) {
        subscriptions = []
        groupSession = session
        coordinator.coordinateWithSession(session)
        session.$activity.sink { [weak self] in self?.load($0.film) }.store(in: &subscriptions)
        session.$state
            .sink { [weak self] state in
                if case .invalidated = state {
                    self?.groupSession = nil
                    self?.subscriptions = []
                }
            }
            .store(in: &subscriptions)
        session.join()
    }

    private func load(_ film: String) {
        guard film != self.film else { return }
        self.film = film
        player.load(film)
        coordinator.transitionToItem(withIdentifier: film, proposingInitialTimingBasedOn: player.snapshot)
    }
}
