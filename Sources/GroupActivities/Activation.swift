// How an activity begins.

import Conversations
import Foundation
import Sealing
import Wire

/// Apple: GroupActivities/GroupActivityActivationResult.
public enum GroupActivityActivationResult: Hashable, Sendable {
    /// Sharing is off, or not wanted, or there is no conversation: go on alone.
    case activationDisabled
    /// Call `activate`.
    case activationPreferred
    /// Do nothing.
    case cancelled
}

extension GroupActivity {
    /// Whether to share, by the provider's policy (`HEARTH_ACTIVATION`: `prefer`, `disable` or `ask`); disabled without a conversation.
    public nonisolated(nonsending) func prepareForActivation() async -> GroupActivityActivationResult {
        let provider = ConversationProvider.current
        await provider.ready()
        guard await provider.conversation != nil else { return .activationDisabled }
        switch provider.activationPolicy {
        case .prefer: return .activationPreferred
        case .disable: return .activationDisabled
        case .ask:
            let metadata = await Handed(self).readMetadata()
            return await provider.presenter.askWhetherToShare(title: metadata.title ?? "\(Self.self)")
        }
    }

    /// Starts the activity in the current conversation; the session comes through `sessions()`, here as for everybody. One that runs
    /// already with an equal value is not started again; one with another value, in which this participant is, ends for everybody.
    /// - Returns: true; there is no other device to hand over to.
    /// - Throws: `HearthError`: `no-conversation`, `entry-too-large`, `too-many-sessions`, `conversation-closed`; or what the encoding throws.
    @discardableResult
    public nonisolated(nonsending) func activate() async throws -> Bool {
        try await ActivityStart(self).begin(in: .current)
        return true
    }
}

/// An activity, ready to be announced.
struct ActivityStart: Sendable {
    private let identifier: String
    private let json: [UInt8]
    private let metadata: Handed<() async -> GroupActivityMetadata>

    init<Activity: GroupActivity>(_ activity: Activity) throws {
        identifier = Activity.activityIdentifier
        json = try JSONText.encodeOrThrow(activity)
        metadata = Handed { await activity.metadata }
    }

    func begin(in provider: ConversationProvider) async throws {
        await provider.ready()
        guard let system = await provider.system, await system.isEligible else { throw HearthError(.noConversation) }
        let metadata = await metadata.value()
        if metadata.title == nil { provider.notices.tell(.noTitle) }
        if json.count > largeActivitySizeBytes { provider.notices.tell(.largeActivity) }
        try await system.activate(EntryBody.Announcement(activityIdentifier: identifier, activity: json, metadata: JSONText.encode(metadata)))
    }
}

extension Handed where Value: GroupActivity {
    func readMetadata() async -> GroupActivityMetadata { await value.metadata }
}
