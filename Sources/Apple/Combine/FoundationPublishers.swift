// Foundation's own sources of events: timers and notifications.

import Dispatch
import Foundation

extension Timer {
    /// Sends the time again and again, once connected. Apple: Foundation/Timer/TimerPublisher.
    public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
        public typealias Output = Date
        public typealias Failure = Never
        public let interval: TimeInterval
        public let tolerance: TimeInterval?
        public let runLoop: RunLoop
        public let mode: RunLoop.Mode
        private let subject = PassthroughSubject<Date, Never>()

        public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode) {
            (self.interval, self.tolerance, self.runLoop, self.mode) = (interval, tolerance, runLoop, mode)
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never { subject.subscribe(subscriber) }

        public func connect() -> any Cancellable {
            let subject = subject
            let stride = SchedulerInterval(seconds: interval)
            return runLoop.schedule(after: runLoop.now.advanced(by: stride), interval: stride, tolerance: .init(seconds: tolerance ?? 0), options: nil) { subject.send(Date()) }
        }
    }

    /// Apple: Foundation/Timer/publish(every:tolerance:on:in:options:).
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
    }
}

extension NotificationCenter {
    /// Sends the notifications of a name. Apple: Foundation/NotificationCenter/Publisher.
    public struct Publisher: Combine.Publisher, @unchecked Sendable {
        public typealias Output = Notification
        public typealias Failure = Never
        public let center: NotificationCenter
        public let name: Notification.Name
        public let object: AnyObject?

        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) { (self.center, self.name, self.object) = (center, name, object) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let subject = PassthroughSubject<Notification, Never>()
            let (center, name, object) = (center, name, object)
            let observer = Guarded<(any NSObjectProtocol)?>(nil)
            let cancel = {
                if let token = observer.with({ $0 }) { center.removeObserver(token) }
            }
            subject.handleEvents(receiveCancel: cancel).subscribe(subscriber)
            let token = center.addObserver(forName: name, object: object, queue: nil) { subject.send($0) }
            observer.with { $0 = token }
        }
    }

    /// Apple: Foundation/NotificationCenter/publisher(for:object:).
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher { .init(center: self, name: name, object: object) }
}
