// The structure of a player app: the session's activity names what is watched, the player's coordinator does the rest.

import AVFoundation
import GroupActivities

struct WatchActivity: GroupActivity, Equatable {
    static let activityIdentifier = "org.example.watch"
    var movie: String

    var metadata: GroupActivityMetadata {
        get async {
            var metadata = GroupActivityMetadata()
            metadata.type = .watchTogether
            metadata.title = movie
            metadata.fallbackURL = URL(string: "https://example.org/\(movie)")
            return metadata
        }
    }
}

@MainActor final class WatchModel {
    let player = AVPlayer()
    var session: GroupSession<WatchActivity>? {
        didSet { if let session { player.playbackCoordinator.coordinateWithSession(session) } }
    }
    var movies: [String] = []
    private var subscriptions = Set<AnyCancellable>()
    private var loop: Task<Void, Never>?

    init() {
        loop = Task { [weak self] in
            for await session in WatchActivity.sessions() {
                guard let self else { return }
                self.session = session
                self.subscriptions.removeAll()
                session.$state
                    .sink { [weak self] state in
                        if case .invalidated = state {
                            self?.session = nil
                            self?.subscriptions.removeAll()
                        }
                    }
                    .store(in: &self.subscriptions)
                session.join()
                // After join, as Apple's own sample has it.
                session.$activity
                    .sink { [weak self] activity in
                        self?.movies.append(activity.movie)
                        self?.player.replaceCurrentItem(with: AVPlayerItem(url: URL(string: "https://example.org/\(activity.movie)")!))
                    }
                    .store(in: &self.subscriptions)
            }
        }
    }

    func watch(_ movie: String) async {
        if let session {
            if session.activity.movie != movie { session.activity = WatchActivity(movie: movie) }
            return
        }
        let activity = WatchActivity(movie: movie)
        let result = await activity.prepareForActivation()
        if result == .activationPreferred { _ = try? await activity.activate() }
    }
}
