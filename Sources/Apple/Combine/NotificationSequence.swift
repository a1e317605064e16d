// Notifications as a sequence, which Foundation on Linux lacks.

import Foundation

extension NotificationCenter {
    /// The notifications of a name, from the moment when iteration begins; the newest 100 wait for a slow reader. Never ends by itself.
    /// Apple: Foundation/NotificationCenter/Notifications.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        public typealias Element = Notification
        private let center: NotificationCenter
        private let name: Notification.Name
        private weak var object: AnyObject?
        private let isOfOne: Bool

        init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) { (self.center, self.name, self.object, isOfOne) = (center, name, object, object != nil) }

        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: Carried<Notification>.self, bufferingPolicy: .bufferingNewest(100))
            // An object that is gone sends nothing any more.
            guard !isOfOne || object != nil else { return Iterator(stream: stream, observation: nil) }
            return Iterator(stream: stream, observation: center.publisher(for: name, object: object).sink { continuation.yield(Carried(value: $0)) })
        }

        /// Observes as long as it lives. Apple: Foundation/NotificationCenter/Notifications/Iterator.
        public struct Iterator: AsyncIteratorProtocol {
            public typealias Failure = Never
            private var values: AsyncStream<Carried<Notification>>.AsyncIterator
            private let observation: AnyCancellable?

            fileprivate init(stream: AsyncStream<Carried<Notification>>, observation: AnyCancellable?) {
                values = stream.makeAsyncIterator()
                self.observation = observation
            }

            public mutating func next() async -> Notification? { await values.next()?.value }
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? { await values.next(isolation: actor)?.value }
        }
    }

    /// Apple: Foundation/NotificationCenter/notifications(named:object:).
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications { Notifications(self, name, object) }
}
