// Operators that pass on what several publishers send: merge and flatMap.

import Foundation

/// Many publishers into one subscriber. Where demand is limited each inner publisher may send one value ahead, which waits here.
final class Merging<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    private struct State {
        var downstream: Downstream?
        var legs: [ObjectIdentifier: (leg: AnyObject, subscription: (any Subscription)?)] = [:]
        var outer: (any Subscription)?
        var isOuterOpen = true
        var demand = Subscribers.Demand.none
        var waiting: [(value: Downstream.Input, leg: ObjectIdentifier)] = []
    }

    /// Held while delivering, so that downstream sees one value at a time; recursive, since a subscriber may send.
    private let delivery = NSRecursiveLock()
    private let state: Guarded<State>

    init(_ downstream: Downstream) { state = Guarded(State(downstream: downstream)) }

    func begin(outer: (any Subscription)?) {
        state.with { $0.outer = outer }
        state.with { $0.downstream }?.receive(subscription: self)
    }

    func add<P: Publisher>(_ publisher: P) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
        let leg = Leg(of: self)
        let isOpen = state.with { state in
            if state.downstream != nil { state.legs[ObjectIdentifier(leg)] = (leg, nil) }
            return state.downstream != nil
        }
        if isOpen { publisher.subscribe(leg) }
    }

    /// No more publishers will be added.
    func close() {
        state.with { ($0.isOuterOpen, $0.outer) = (false, nil) }
        finishIfDone()
    }

    func fail(_ error: Downstream.Failure) {
        let old = clear()
        old.outer?.cancel()
        for leg in old.legs.values { leg.subscription?.cancel() }
        alone { old.downstream?.receive(completion: .failure(error)) }
    }

    func request(_ demand: Subscribers.Demand) {
        state.with { $0.demand += demand }
        alone { drain() }
    }

    func cancel() {
        let old = clear()
        old.outer?.cancel()
        for leg in old.legs.values { leg.subscription?.cancel() }
    }

    private func alone(_ body: () -> Void) {
        delivery.lock()
        defer { delivery.unlock() }
        body()
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State(isOuterOpen: false) }
            return state
        }
    }

    private func drain() {
        while let (downstream, value, subscription) = take() {
            let more = downstream.receive(value)
            state.with { $0.demand += more }
            subscription?.request(.max(1))
        }
        finishIfDone()
    }

    private func take() -> (Downstream, Downstream.Input, (any Subscription)?)? {
        state.with { state in
            guard state.demand > .none, let downstream = state.downstream, !state.waiting.isEmpty else { return nil }
            state.demand -= 1
            let (value, leg) = state.waiting.removeFirst()
            return (downstream, value, state.legs[leg]?.subscription)
        }
    }

    private func finishIfDone() {
        let downstream: Downstream? = state.with { state in
            guard !state.isOuterOpen, state.legs.isEmpty, state.waiting.isEmpty else { return nil }
            defer { state.downstream = nil }
            return state.downstream
        }
        guard let downstream else { return }
        alone { downstream.receive(completion: .finished) }
    }

    private final class Leg: Subscriber {
        typealias Input = Downstream.Input
        typealias Failure = Downstream.Failure
        private weak var merging: Merging?

        init(of merging: Merging) { self.merging = merging }

        func receive(subscription: any Subscription) {
            let isOpen = merging?.state.with { state in
                guard state.legs[ObjectIdentifier(self)] != nil else { return false }
                state.legs[ObjectIdentifier(self)]?.subscription = subscription
                return true
            }
            guard isOpen == true else { return subscription.cancel() }
            let isUnlimited = merging?.state.with { $0.demand == .unlimited } ?? false
            subscription.request(isUnlimited ? .unlimited : .max(1))
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            guard let merging else { return .none }
            merging.alone {
                merging.state.with { state in
                    if state.downstream != nil { state.waiting.append((input, ObjectIdentifier(self))) }
                }
                merging.drain()
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard let merging else { return }
            guard case .failure(let error) = completion else {
                let ended = merging.state.with { $0.legs.removeValue(forKey: ObjectIdentifier(self)) }
                guard ended != nil else { return }
                // The outer publisher may go on: flatMap(maxPublishers:) counts the open ones.
                merging.state.with { $0.outer }?.request(.max(1))
                return merging.finishIfDone()
            }
            merging.fail(error)
        }
    }
}

extension Publishers {
    /// Apple: Combine/Publishers/MergeMany.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let publishers: [Upstream]

        public init(_ upstream: Upstream...) { publishers = upstream }
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let merging = Merging(subscriber)
            merging.begin(outer: nil)
            for publisher in publishers { merging.add(publisher) }
            merging.close()
        }

        public func merge(with other: Upstream) -> MergeMany<Upstream> { .init(publishers + [other]) }
    }

    /// Apple: Combine/Publishers/Merge.
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let merging = Merging(subscriber)
            merging.begin(outer: nil)
            merging.add(a)
            merging.add(b)
            merging.close()
        }
    }

    /// Apple: Combine/Publishers/FlatMap.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let maxPublishers: Subscribers.Demand
        public let transform: (Upstream.Output) -> NewPublisher

        public init(upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Outer(Merging(subscriber), maxPublishers: maxPublishers, transform: transform))
        }

        private final class Outer<Downstream: Subscriber>: Subscriber where Downstream.Input == Output, Downstream.Failure == Failure {
            typealias Input = Upstream.Output
            typealias Failure = Upstream.Failure
            private let merging: Merging<Downstream>
            private let maxPublishers: Subscribers.Demand
            private let transform: (Upstream.Output) -> NewPublisher

            init(_ merging: Merging<Downstream>, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher) {
                self.merging = merging
                self.maxPublishers = maxPublishers
                self.transform = transform
            }

            func receive(subscription: any Subscription) {
                merging.begin(outer: subscription)
                subscription.request(maxPublishers)
            }

            func receive(_ input: Input) -> Subscribers.Demand {
                merging.add(transform(input))
                return .none
            }

            func receive(completion: Subscribers.Completion<Failure>) {
                switch completion {
                case .finished: merging.close()
                case .failure(let error): merging.fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/merge(with:).
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P> where P.Output == Output, P.Failure == Failure { .init(self, other) }
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, C.Output == Output, B.Failure == Failure, C.Failure == Failure {
        .init(eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher())
    }
    public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where B.Output == Output, C.Output == Output, D.Output == Output, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        .init(eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher())
    }
    /// Apple: Combine/Publisher/flatMap(maxPublishers:_:).
    public func flatMap<P: Publisher>(maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher where Failure == Never {
    @_disfavoredOverload
    public func flatMap<P: Publisher>(maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P)
        -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>>
    {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }
}
