// The structure of the manager from a well-known article: outcomes of activation, messages that are plain text, a count of participants.

import Combine
import Foundation
import GroupActivities

struct ListenActivity: GroupActivity {
    static let activityIdentifier = "org.example.listen"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Listen"
        metadata.type = .listenTogether
        return metadata
    }
}

enum ActivationOutcome {
    case local, shared, needsDialog
}

@MainActor @Observable final class ListenModel {
    var session: GroupSession<ListenActivity>?
    var messenger: GroupSessionMessenger?
    var participantCount = 0
    var heard: [(String, Participant)] = []
    @ObservationIgnored let groupStateObserver = GroupStateObserver()
    @ObservationIgnored var eligibility: [Bool] = []
    @ObservationIgnored private var cancellables = Set<AnyCancellable>()

    init() {
        groupStateObserver.$isEligibleForGroupSession.sink { [weak self] in self?.eligibility.append($0) }.store(in: &cancellables)
        Task { [weak self] in
            for await session in ListenActivity.sessions() { self?.joined(session) }
        }
    }

    private func joined(_ session: GroupSession<ListenActivity>) {
        self.session = session
        if session.state != .joined { session.join() }
        // After join: nothing may be missed for that.
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        Task { [weak self] in
            for await message in messenger.messages(of: String.self) { self?.heard.append((message.0, message.1.source)) }
        }
        session.$activeParticipants.map(\.count).sink { [weak self] in self?.participantCount = $0 }.store(in: &cancellables)
    }

    func startSharing() async -> ActivationOutcome {
        guard groupStateObserver.isEligibleForGroupSession else { return .needsDialog }
        let activity = ListenActivity()
        switch await activity.prepareForActivation() {
        case .activationPreferred:
            _ = try? await activity.activate()
            return .shared
        case .activationDisabled: return .local
        default: return .local
        }
    }

    func send(_ text: String) async throws { try await messenger?.send(text) }
}
