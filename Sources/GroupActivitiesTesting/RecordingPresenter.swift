// A person who answers as the test says, and remembers what was shown.

import Foundation
import GroupActivities
import Synchronization

/// Shows nothing and keeps everything.
public final class RecordingPresenter: SharingPresenter {
    private struct State {
        var activation = GroupActivityActivationResult.activationPreferred
        var sharing = GroupActivitySharingResult.success
        var links: [String?] = []
        var questions: [String] = []
        var notices: [String] = []
        var foregroundCount = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// What is answered to `prepareForActivation` where the policy is to ask.
    public func answerActivation(with result: GroupActivityActivationResult) { state.withLock { $0.activation = result } }
    /// What comes of an invitation.
    public func answerInvitation(with result: GroupActivitySharingResult) { state.withLock { $0.sharing = result } }

    public var invitedLinks: [String?] { state.withLock(\.links) }
    public var questions: [String] { state.withLock(\.questions) }
    public var notices: [String] { state.withLock(\.notices) }
    public var foregroundRequestCount: Int { state.withLock(\.foregroundCount) }

    public func invite(to title: String, link: String?) async -> GroupActivitySharingResult {
        state.withLock { state in
            state.links.append(link)
            return state.sharing
        }
    }

    public func askWhetherToShare(title: String) async -> GroupActivityActivationResult {
        state.withLock { state in
            state.questions.append(title)
            return state.activation
        }
    }

    public func show(notice: String, url: URL?) { state.withLock { $0.notices.append(notice) } }
    public func requestForeground(title: String?) { state.withLock { $0.foregroundCount += 1 } }
}
