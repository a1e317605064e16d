// Inviting people: where Apple's systems show a sheet, a presenter does what this machine can.

import Conversations
import CoreTransferable
import Foundation

/// Shows things to the person at this machine. May be called from any thread.
public protocol SharingPresenter: Sendable {
    /// Invites people by a link; returns when the person is done.
    /// - Parameters:
    ///   - title: of the activity.
    ///   - link: `nil` when there is no conversation to invite to.
    func invite(to title: String, link: String?) async -> GroupActivitySharingResult
    /// Whether an activity should be shared with the conversation.
    func askWhetherToShare(title: String) async -> GroupActivityActivationResult
    func show(notice: String, url: URL?)
    /// An app that runs in the background would like to be seen.
    func requestForeground(title: String?)
}

/// Apple: GroupActivities/GroupActivitySharingResult.
public enum GroupActivitySharingResult: Hashable, Sendable {
    case success
    case cancelled
}

/// Invites people to an activity and starts it: in the conversation there is, whose link the presenter shows. Apple: GroupActivities/GroupActivitySharingController.
@MainActor public class GroupActivitySharingController {
    private let outcome: Task<GroupActivitySharingResult, Never>

    /// - Throws: what the encoding of the activity throws.
    public init<ActivityType: GroupActivity>(_ activity: ActivityType) throws {
        let start = try ActivityStart(activity)
        outcome = Self.share("\(ActivityType.self)", Handed { start })
    }

    /// The activity is made once somebody is invited.
    public init<ActivityType: GroupActivity>(preparationHandler: @escaping () async throws -> ActivityType) {
        outcome = Self.share("\(ActivityType.self)", Handed { try ActivityStart(try await preparationHandler()) })
    }

    /// Waits until the person is done.
    public var result: GroupActivitySharingResult { get async { await outcome.value } }

    private static func share(_ title: String, _ prepare: Handed<() async throws -> ActivityStart>) -> Task<GroupActivitySharingResult, Never> {
        let provider = ConversationProvider.current
        return Task {
            await provider.ready()
            let result = await provider.presenter.invite(to: title, link: provider.conversation?.invitation.link)
            guard result == .success else { return .cancelled }
            do {
                try await prepare.value().begin(in: provider)
                return .success
            } catch {
                HearthLog.general.error("the activity was not started: \(String(describing: error), privacy: .public)")
                return .cancelled
            }
        }
    }
}

/// Adds "start this activity" to what an item can become. Export only. Apple: GroupActivities/GroupActivityTransferRepresentation.
public struct GroupActivityTransferRepresentation<Item: Transferable>: TransferRepresentation, Sendable {
    private let json: @Sendable (Item) async throws -> Data

    public init<ActivityType: GroupActivity>(exporting: @escaping @Sendable (Item) async throws -> ActivityType) {
        let encoded = Handed { (item: Item) async throws -> Data in Data(try JSONText.encodeOrThrow(try await exporting(item))) }
        json = { try await encoded.value($0) }
    }

    public var body: some TransferRepresentation<Item> {
        DataRepresentation(exportedContentType: UTType(exportedAs: "org.hearth.group-activity"), exporting: json)
    }
}

extension GroupActivity where Self: Transferable {
    /// An activity that is transferable needs to say nothing more.
    public static var transferRepresentation: some TransferRepresentation {
        GroupActivityTransferRepresentation { (activity: Self) in activity }
    }
}
