// Where a program's conversation comes from: its environment, or, for several participants in one process, whoever calls.

import Conversations
import Foundation
import Synchronization

/// What `prepareForActivation` answers while there is a conversation.
public enum ActivationPolicy: String, Sendable {
    /// Share.
    case prefer
    /// Stay alone.
    case disable
    /// Ask the person, by the presenter.
    case ask
}

/// One device, as the framework sees it: it is in one conversation or in none. What is called inside `ConversationProvider.$current.withValue`
/// belongs to that device; tasks made there inherit it, detached ones do not. Not in Apple's framework.
public final class ConversationProvider: Sendable {
    /// Whose calls these are: the process's own, unless several participants live in it.
    @TaskLocal public static var current: ConversationProvider = .process

    public let activationPolicy: ActivationPolicy
    public let presenter: any SharingPresenter
    let clock: any ConversationClock
    let notices: NoticeBoard
    /// Told of every piece of work that is done for an app, so that a test can know when there is no more.
    let onWork: @Sendable () -> Void
    private let source: (@Sendable (ConversationProvider) async -> Void)?
    private let sourcing = Mutex<Task<Void, Never>?>(nil)
    private let transferring = Mutex(0)
    /// How many simulated conversations there are, none of whose participants uses the process's own device.
    package static let simulationCount = Mutex(0)
    @MainActor private(set) var system: SystemConversation?
    @MainActor private var feeds: [SessionFeed] = []
    @MainActor private var isClosed = false
    @MainActor private var observers: [WeakObserver] = []

    /// - Parameters:
    ///   - activationPolicy: what `prepareForActivation()` answers.
    ///   - presenter: shows the person what there is to see.
    ///   - clock: the conversation's, for waiting.
    ///   - onNotice: told of usual mistakes, besides the log.
    public convenience init(
        activationPolicy: ActivationPolicy = .prefer, presenter: any SharingPresenter = TerminalPresenter(), clock: any ConversationClock = SystemClock(),
        onNotice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.init(activationPolicy: activationPolicy, presenter: presenter, clock: clock, onNotice: onNotice, onWork: {}, source: nil)
    }

    package init(
        activationPolicy: ActivationPolicy, presenter: any SharingPresenter, clock: any ConversationClock, onNotice: @escaping @Sendable (Notice) -> Void,
        onWork: @escaping @Sendable () -> Void, source: (@Sendable (ConversationProvider) async -> Void)?
    ) {
        self.onWork = onWork
        self.activationPolicy = activationPolicy
        self.presenter = presenter
        self.clock = clock
        notices = NoticeBoard(onNotice)
        self.source = source
    }

    /// The conversation that sessions come from now.
    @MainActor public var conversation: Conversation? { system?.conversation }

    /// Goes over to another conversation, or to none: the sessions of the one before are invalidated, and it is not left. Starts it when it
    /// has not been started.
    @MainActor public func use(_ conversation: Conversation?) async {
        system?.abandon()
        system = nil
        guard let conversation else { return eligibilityChanged() }
        let system = SystemConversation(conversation, provider: self)
        self.system = system
        await system.begin()
        reconcile()
    }

    /// Sessions that were left, and still run, come through `sessions()` again, as new objects: what a person asks for who taps "Join" again.
    @MainActor public func offerAgain() { system?.offerAgain() }

    // MARK: Inside

    /// Uploads and loads that are not done.
    package var transferCount: Int { transferring.withLock(\.self) }

    func beginTransfer() { transferring.withLock { $0 += 1 } }
    func endTransfer() { transferring.withLock { $0 -= 1 } }

    /// Looks for a conversation if that has not been done; returns when it is known whether there is one.
    func ready() async {
        guard let source else { return await system?.introduced() ?? () }
        let task = sourcing.withLock { sourcing in
            if let sourcing { return sourcing }
            let task = Task { await source(self) }
            sourcing = task
            return task
        }
        await task.value
    }

    /// The same without waiting.
    func prepare() {
        if source != nil { Task { await ready() } }
    }

    /// The device is switched off: it is in no conversation, and every loop over sessions ends.
    @MainActor package func close() async {
        await use(nil)
        isClosed = true
        for feed in feeds { feed.finish() }
        feeds = []
    }

    @MainActor func add(_ feed: SessionFeed) {
        guard !isClosed else { return feed.finish() }
        feeds.append(feed)
        reconcile()
    }

    @MainActor func remove(_ feed: SessionFeed) { feeds.removeAll { $0 === feed } }

    @MainActor func add(_ observer: GroupStateObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
        observer.show(system?.isEligible ?? false)
    }

    @MainActor func eligibilityChanged() {
        for entry in observers { entry.observer?.show(system?.isEligible ?? false) }
    }

    @MainActor func reconcile() { system?.offer(to: feeds) }

    private struct WeakObserver {
        weak var observer: GroupStateObserver?
    }
}
