// Publishers that are told what to send.

/// A publisher with a door for values from outside. Apple: Combine/Subject.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// Passes values to those subscribed at the moment, and keeps none; a subscriber without demand misses them. Sends may come from any
/// thread and from inside a subscriber, in which case the inner value is delivered at once. Apple: Combine/PassthroughSubject.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let outlets = Outlets<Output, Failure>(replays: false)

    public init() {}
    deinit { outlets.cancelUpstreams() }

    public func send(_ value: Output) { outlets.send(value) }
    public func send(completion: Subscribers.Completion<Failure>) { outlets.send(completion: completion) }
    public func send(subscription: any Subscription) { outlets.adopt(subscription, demandFirst: false) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlets.attach(subscriber, keeping: self, current: { nil })
    }
}

/// Holds the newest value and gives it to each new subscriber; one without demand gets the newest when it asks. The value is stored
/// before it is sent. Apple: Combine/CurrentValueSubject.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let outlets = Outlets<Output, Failure>(replays: true)
    private let current: Guarded<Output>

    public init(_ value: Output) { current = Guarded(value) }
    deinit { outlets.cancelUpstreams() }

    /// The newest value; setting it sends it.
    public var value: Output {
        get { current.with { $0 } }
        set { send(newValue) }
    }

    public func send(_ value: Output) {
        outlets.alone {
            guard !outlets.isComplete else { return }
            let old = current.with { stored in
                defer { stored = value }
                return stored
            }
            outlets.send(value)
            withExtendedLifetime(old) {}
        }
    }

    public func send(completion: Subscribers.Completion<Failure>) { outlets.send(completion: completion) }
    public func send(subscription: any Subscription) { outlets.adopt(subscription, demandFirst: true) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlets.attach(subscriber, keeping: self, current: { self.value })
    }
}

/// Lets a subject subscribe to another publisher.
final class SubjectSubscriber<S: Subject>: Subscriber, Cancellable {
    typealias Input = S.Output
    typealias Failure = S.Failure
    private let state: Guarded<(subject: S?, upstream: (any Subscription)?)>

    init(_ subject: S) { state = Guarded((subject, nil)) }

    func receive(subscription: any Subscription) {
        let subject = state.with { state in
            state.upstream = subscription
            return state.subject
        }
        guard let subject else { return subscription.cancel() }
        subject.send(subscription: subscription)
    }

    func receive(_ input: S.Output) -> Subscribers.Demand {
        state.with { $0.subject }?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<S.Failure>) {
        clear().subject?.send(completion: completion)
    }

    func cancel() { clear().upstream?.cancel() }

    private func clear() -> (subject: S?, upstream: (any Subscription)?) {
        state.with { state in
            defer { state = (nil, nil) }
            return state
        }
    }
}
