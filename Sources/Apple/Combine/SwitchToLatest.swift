// Follows the newest of the publishers that come, and lets go of the one before.

extension Publishers {
    /// Apple: Combine/Publishers/SwitchToLatest.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher where Upstream.Output == P, P.Failure == Upstream.Failure {
        public typealias Output = P.Output
        public typealias Failure = P.Failure
        public let upstream: Upstream

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Switch<P, Upstream.Failure, S>(subscriber))
        }
    }
}

private final class Switch<P: Publisher, UpstreamFailure: Error, Downstream: Subscriber>: Subscriber, Subscription
where P.Failure == UpstreamFailure, Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    typealias Input = P
    typealias Failure = UpstreamFailure

    private struct State {
        var downstream: Downstream?
        var outer: (any Subscription)?
        var inner: (any Subscription)?
        var place = 0
        var isInnerOpen = false
        var isOuterOpen = true
        var demand = Subscribers.Demand.none
    }

    private let state: Guarded<State>

    init(_ downstream: Downstream) { state = Guarded(State(downstream: downstream)) }

    func receive(subscription: any Subscription) {
        state.with { $0.outer = subscription }
        state.with { $0.downstream }?.receive(subscription: self)
        subscription.request(.unlimited)
    }

    func receive(_ input: P) -> Subscribers.Demand {
        let (previous, place, isOpen) = state.with { state in
            defer { state.inner = nil }
            state.place += 1
            state.isInnerOpen = true
            return (state.inner, state.place, state.downstream != nil)
        }
        previous?.cancel()
        if isOpen { input.subscribe(Leg(of: self, place: place)) }
        return .none
    }

    func receive(completion: Subscribers.Completion<UpstreamFailure>) {
        guard case .finished = completion else { return end(completion, cancelsOuter: false) }
        let isDone = state.with { state in
            (state.isOuterOpen, state.outer) = (false, nil)
            return !state.isInnerOpen
        }
        if isDone { end(.finished, cancelsOuter: false) }
    }

    func request(_ demand: Subscribers.Demand) {
        let inner = state.with { state in
            state.demand += demand
            return state.inner
        }
        inner?.request(demand)
    }

    func cancel() {
        let old = clear()
        old.outer?.cancel()
        old.inner?.cancel()
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }

    private func end(_ completion: Subscribers.Completion<UpstreamFailure>, cancelsOuter: Bool) {
        let old = clear()
        old.inner?.cancel()
        if cancelsOuter { old.outer?.cancel() }
        old.downstream?.receive(completion: completion)
    }

    private final class Leg: Subscriber {
        typealias Input = P.Output
        typealias Failure = P.Failure
        private let parent: Switch
        private let place: Int

        init(of parent: Switch, place: Int) {
            self.parent = parent
            self.place = place
        }

        func receive(subscription: any Subscription) {
            let demand: Subscribers.Demand? = parent.state.with { state in
                guard state.place == place, state.downstream != nil else { return nil }
                state.inner = subscription
                return state.demand
            }
            guard let demand else { return subscription.cancel() }
            if demand > .none { subscription.request(demand) }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            let downstream: Downstream? = parent.state.with { state in
                guard state.place == place else { return nil }
                state.demand -= 1
                return state.downstream
            }
            guard let downstream else { return .none }
            let more = downstream.receive(input)
            let isCurrent = parent.state.with { state in
                state.demand += more
                return state.place == place
            }
            if isCurrent { return more }
            // The value made upstream switch: what was asked for in answer goes to the one that is followed now.
            if more > .none { parent.state.with { $0.inner }?.request(more) }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            let isDone = parent.state.with { state in
                guard state.place == place else { return false }
                (state.isInnerOpen, state.inner) = (false, nil)
                return !state.isOuterOpen
            }
            switch completion {
            case .finished: if isDone { parent.end(.finished, cancelsOuter: false) }
            case .failure:
                if parent.state.with({ $0.place == place }) { parent.end(completion, cancelsOuter: true) }
            }
        }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Apple: Combine/Publisher/switchToLatest().
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Output: Publisher, Failure == Never {
    @_disfavoredOverload
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>> {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}
