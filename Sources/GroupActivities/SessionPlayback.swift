// Playback coordinators of a session: what they tell each other travels as messages that apps do not see.

import AVFoundation
import Conversations
import Foundation
import Sealing
import Synchronization
import Wire

extension AVPlaybackCoordinator {
    /// Keeps this coordinator's player in step with those of the others in the session, from when it is joined until it is over.
    /// Apple: AVFoundation/AVPlaybackCoordinator/coordinateWithSession(_:).
    public func coordinateWithSession<Activity: GroupActivity>(_ session: GroupSession<Activity>) { session.core.playback.add(self, session.core) }
}

final class SessionPlayback: Sendable {
    /// Reserved: messages of this name go to coordinators alone.
    static let messageIdentifier = "org.hearth.playback"

    private struct State {
        var links: [PlaybackLink] = []
        var participants: Set<UUID> = []
        var isJoined = false
        var isOver = false
    }

    private let state = Mutex(State())

    func add(_ coordinator: AVPlaybackCoordinator, _ core: SessionCore) {
        let link = PlaybackLink(coordinator, core)
        let isConnecting = state.withLock { state in
            guard !state.isOver, !state.links.contains(where: { $0.coordinator === coordinator }) else { return false }
            state.links.append(link)
            return state.isJoined
        }
        if isConnecting { coordinator.connect(to: link) }
    }

    var participants: Set<UUID> { state.withLock(\.participants) }

    func show(_ participants: Set<UUID>) {
        let links = state.withLock { state in
            state.participants = participants
            return state.isJoined ? state.links : []
        }
        for link in links { link.coordinator?.participantsDidChange(link.otherParticipants) }
    }

    func joined() {
        let links = state.withLock { state in
            state.isJoined = true
            return state.links
        }
        for link in links { link.coordinator?.connect(to: link) }
    }

    func receive(_ json: ArraySlice<UInt8>, from sender: UUID) {
        guard let message = try? JSONText.decode(PlaybackMessage.self, Array(json)) else { return }
        for link in state.withLock(\.links) { link.coordinator?.receive(message, from: sender) }
    }

    func close() {
        let links = state.withLock { state in
            defer { state.links = [] }
            state.isOver = true
            return state.links
        }
        for link in links { link.coordinator?.disconnect() }
    }
}

/// One coordinator's way to the others.
final class PlaybackLink: PlaybackMedium {
    weak let coordinator: AVPlaybackCoordinator?
    let localParticipant: UUID
    private let core: SessionCore

    init(_ coordinator: AVPlaybackCoordinator, _ core: SessionCore) {
        self.coordinator = coordinator
        self.core = core
        localParticipant = UUID(core.conversation.localParticipant.bytes)
    }

    var otherParticipants: Set<UUID> { core.playback.participants.subtracting([localParticipant]) }

    func send(_ message: PlaybackMessage, to recipient: UUID?, isReliable: Bool) {
        let json = JSONText.encode(message)
        guard json.count <= Limits.messageSizeLimitBytes else { return }
        let content = FrameContent.message(identifier: SessionPlayback.messageIdentifier, json: json[...])
        core.outbox.speak(content, to: recipient.map { [ParticipantID($0.bytes16)] } ?? [], isReliable: isReliable) { _ in }
    }
}
