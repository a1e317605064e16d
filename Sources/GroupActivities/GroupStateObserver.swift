// Whether there is a conversation in which something could be started.

import Combine
import Foundation

/// Its value is false at first and filled in a moment later, on the main actor. Apple: GroupActivities/GroupStateObserver.
public final class GroupStateObserver: ObservableObject {
    /// True while there is a conversation: `activate` can start an activity. Otherwise offer a `GroupActivitySharingController`.
    @Published public private(set) var isEligibleForGroupSession = false

    public convenience init() { self.init(provider: .current) }

    /// What is told goes on being told to whoever keeps the publisher without its observer: the source lives as long as the publisher's storage.
    init(provider: ConversationProvider) {
        let source = GroupStateObserver(registeringWith: provider)
        source.$isEligibleForGroupSession.map { isEligible in withExtendedLifetime(source) { isEligible } }.assign(to: &$isEligibleForGroupSession)
    }

    private init(registeringWith provider: ConversationProvider) {
        provider.prepare()
        let observer = Handed(WeakBox(self))
        Task { @MainActor in
            if let observer = observer.value.object { provider.add(observer) }
        }
    }

    @MainActor func show(_ isEligible: Bool) {
        if isEligible != isEligibleForGroupSession { isEligibleForGroupSession = isEligible }
    }

    private final class WeakBox {
        weak var object: GroupStateObserver?
        init(_ object: GroupStateObserver) { self.object = object }
    }
}
