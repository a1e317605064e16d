// The sessions of one type of activity, as they come.

import Conversations
import Foundation
import Sealing

extension GroupSession {
    /// Never ends by itself. Apple: GroupActivities/GroupSession/Sessions.
    public struct Sessions: AsyncSequence {
        public typealias Element = GroupSession<ActivityType>
        public typealias AsyncIterator = Iterator
        let provider: ConversationProvider

        public func makeAsyncIterator() -> Iterator { Iterator(provider) }

        /// Apple: GroupActivities/GroupSession/Sessions/Iterator.
        public struct Iterator: AsyncIteratorProtocol {
            public typealias Failure = Never
            private let reader: Reader

            init(_ provider: ConversationProvider) { reader = Reader(provider) }

            public mutating func next() async -> GroupSession<ActivityType>? { await reader.next() }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> GroupSession<ActivityType>? { await reader.next(isolation: actor) }
        }

        /// Registered as long as the iterator lives.
        private final class Reader: @unchecked Sendable {
            private let feed: SessionFeed
            private let provider: ConversationProvider
            private var iterator: AsyncStream<Handed<Element>>.AsyncIterator

            init(_ provider: ConversationProvider) {
                let (stream, continuation) = AsyncStream.makeStream(of: Handed<Element>.self)
                self.provider = provider
                iterator = stream.makeAsyncIterator()
                let feed = SessionFeed(
                    activityType: ObjectIdentifier(ActivityType.self), accepts: { ActivityType._identifiable(by: $0) },
                    make: { GroupSession.make($0, $1, $2) },
                    yield: { if let session = $0 as? Element { continuation.yield(Handed(session)) } }, finish: { continuation.finish() })
                self.feed = feed
                provider.prepare()
                Task { @MainActor in provider.add(feed) }
            }

            deinit {
                let (feed, provider) = (feed, provider)
                Task { @MainActor in provider.remove(feed) }
            }

            func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? { await iterator.next(isolation: actor)?.value }
        }
    }

    /// `nil` for an activity that is not of this type after all.
    @MainActor fileprivate static func make(_ running: RunningActivity, _ system: SystemConversation, _ provider: ConversationProvider) -> LiveSession? {
        let announcement = running.announcement
        let activity: ActivityType
        do { activity = try JSONText.activity(ActivityType.self, announcement.activity, metadata: announcement.metadata) } catch {
            HearthLog.general.error("an activity could not be read as \(ActivityType.self, privacy: .public): \(String(describing: error), privacy: .public)")
            return nil
        }
        let core = SessionCore(running, conversation: system.conversation, provider: provider)
        let session = GroupSession(core, activity: activity)
        core.watchForJoin()
        let handed = Handed(session)
        return LiveSession(core: core, object: session, activityType: ObjectIdentifier(ActivityType.self)) { handed.value.apply($0) }
    }
}

extension GroupSession.Sessions: Sendable where ActivityType: Sendable {}
extension GroupSession.Sessions.Iterator: Sendable where ActivityType: Sendable {}

/// One loop over the sessions of one type.
@MainActor final class SessionFeed {
    private let activityType: ObjectIdentifier
    let accepts: @MainActor (String) -> Bool
    let make: @MainActor (RunningActivity, SystemConversation, ConversationProvider) -> LiveSession?
    private let yield: @MainActor (AnyObject) -> Void
    /// No more will come: whoever waits in the loop waits no longer.
    let finish: @MainActor () -> Void
    private var seen: [ObjectIdentifier: WeakCore] = [:]

    private struct WeakCore {
        weak var core: SessionCore?
    }

    nonisolated init(
        activityType: ObjectIdentifier, accepts: @escaping @MainActor (String) -> Bool,
        make: @escaping @MainActor (RunningActivity, SystemConversation, ConversationProvider) -> LiveSession?, yield: @escaping @MainActor (AnyObject) -> Void,
        finish: @escaping @MainActor () -> Void
    ) {
        self.activityType = activityType
        self.accepts = accepts
        self.make = make
        self.yield = yield
        self.finish = finish
    }

    func deliver(_ session: LiveSession) {
        guard session.activityType == activityType else { return }
        seen = seen.filter { $0.value.core != nil }
        let key = ObjectIdentifier(session.core)
        guard seen[key] == nil else { return }
        seen[key] = WeakCore(core: session.core)
        yield(session.object)
    }
}

extension SessionCore {
    /// Tells of a session that nobody joins.
    fileprivate func watchForJoin() {
        Task { [weak self, provider] in
            try? await provider.clock.sleep(until: provider.clock.now + .seconds(10))
            if let self, !self.isEntering, !self.isOver { self.notices.tell(.sessionNeverJoined) }
        }
    }
}
