// Everything that the app does with its session: activation with its outcomes, text messages, the number of people.

import Combine
import Foundation
import GroupActivities

struct ListenTogetherActivity: GroupActivity {
    static let activityIdentifier = "org.hearth.listen-together"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Listen together"
        metadata.subtitle = "Hear the same at the same time"
        metadata.type = .listenTogether
        return metadata
    }
}

enum SharingOutcome {
    case local
    case shared
    case needsDialog
}

@MainActor @Observable final class ListenManager {
    var session: GroupSession<ListenTogetherActivity>?
    var participantCount = 0
    var messages: [String] = []
    @ObservationIgnored var onMessage: (String, Participant) -> Void = { _, _ in }
    @ObservationIgnored let groupStateObserver = GroupStateObserver()
    @ObservationIgnored private var messenger: GroupSessionMessenger?
    @ObservationIgnored private var cancellables = Set<AnyCancellable>()
    @ObservationIgnored private var tasks = Set<Task<Void, Never>>()

    init() {
        Task { [weak self] in
            for await session in ListenTogetherActivity.sessions() { self?.configure(session) }
        }
    }

    func startSharing() async -> SharingOutcome {
        guard groupStateObserver.isEligibleForGroupSession else { return .needsDialog }
        let activity = ListenTogetherActivity()
        switch await activity.prepareForActivation() {
        case .activationPreferred:
            do { _ = try await activity.activate() } catch { return .local }
            return .shared
        default: return .local
        }
    }

    func send(_ text: String) async throws { try await messenger?.send(text) }

    private func configure(_ session: GroupSession<ListenTogetherActivity>) {
        self.session = session
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        session.$state.sink { [weak self] in if case .invalidated = $0 { self?.reset() } }.store(in: &cancellables)
        session.$activeParticipants.sink { [weak self] in self?.participantCount = $0.count }.store(in: &cancellables)
        tasks.insert(
            Task { [weak self] in
                for await (text, context) in messenger.messages(of: String.self) {
                    self?.messages.append(text)
                    self?.onMessage(text, context.source)
                }
            })
        session.join()
    }

    private func reset() {
        session = nil
        messenger = nil
        participantCount = 0
        for task in tasks { task.cancel() }
        tasks = []
        cancellables = []
    }
}
