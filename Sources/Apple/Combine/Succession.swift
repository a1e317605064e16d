// Operators that go on with another publisher when one ends: append, prepend, catch, retry, replaceError.

/// Passes on one publisher after another to the same subscriber, whose unmet demand goes with it.
final class Succession<Downstream: Subscriber>: Subscription {
    private struct State {
        var downstream: Downstream?
        var current: (any Subscription)?
        var demand = Subscribers.Demand.none
    }

    private let state: Guarded<State>

    init(_ downstream: Downstream) {
        state = Guarded(State(downstream: downstream))
        downstream.receive(subscription: self)
    }

    /// Subscribes to the next publisher; `ended` decides what comes after it.
    func follow<P: Publisher>(_ publisher: P, ended: @escaping (Succession, Subscribers.Completion<P.Failure>) -> Void) where P.Output == Downstream.Input {
        guard state.with({ $0.downstream != nil }) else { return }
        publisher.subscribe(Leg(of: self, ended: ended))
    }

    func finish(_ completion: Subscribers.Completion<Downstream.Failure>) { clear().downstream?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) {
        let current = state.with { state in
            state.demand += demand
            return state.current
        }
        current?.request(demand)
    }

    func cancel() { clear().current?.cancel() }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }

    fileprivate func begin(_ subscription: any Subscription) {
        let demand: Subscribers.Demand? = state.with { state in
            guard state.downstream != nil else { return nil }
            state.current = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    fileprivate func pass(_ value: Downstream.Input) -> Subscribers.Demand {
        let downstream = state.with { state in
            state.demand -= 1
            return state.downstream
        }
        guard let downstream else { return .none }
        let more = downstream.receive(value)
        state.with { $0.demand += more }
        return more
    }

    fileprivate func endOfLeg() { state.with { $0.current = nil } }

    private final class Leg<Failure: Error>: Subscriber {
        typealias Input = Downstream.Input
        private let succession: Succession
        private let ended: Guarded<((Succession, Subscribers.Completion<Failure>) -> Void)?>

        init(of succession: Succession, ended: @escaping (Succession, Subscribers.Completion<Failure>) -> Void) {
            self.succession = succession
            self.ended = Guarded(ended)
        }

        func receive(subscription: any Subscription) { succession.begin(subscription) }
        func receive(_ input: Input) -> Subscribers.Demand { succession.pass(input) }
        func receive(completion: Subscribers.Completion<Failure>) {
            let ended = ended.with { ended in
                defer { ended = nil }
                return ended
            }
            guard let ended else { return }
            succession.endOfLeg()
            ended(succession, completion)
        }
    }
}

extension Publishers {
    /// Apple: Combine/Publishers/Concatenate.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure
        public let prefix: Prefix
        public let suffix: Suffix

        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let suffix = suffix
            Succession(subscriber).follow(prefix) { succession, completion in
                guard case .finished = completion else { return succession.finish(completion) }
                succession.follow(suffix) { $0.finish($1) }
            }
        }
    }

    /// Apple: Combine/Publishers/Catch.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure
        public let upstream: Upstream
        public let handler: (Upstream.Failure) -> NewPublisher

        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let handler = handler
            Succession(subscriber).follow(upstream) { succession, completion in
                guard case .failure(let error) = completion else { return succession.finish(.finished) }
                succession.follow(handler(error)) { $0.finish($1) }
            }
        }
    }

    /// Apple: Combine/Publishers/TryCatch.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error
        public let upstream: Upstream
        public let handler: (Upstream.Failure) throws -> NewPublisher

        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            let handler = handler
            Succession(subscriber).follow(upstream) { succession, completion in
                guard case .failure(let error) = completion else { return succession.finish(.finished) }
                do { succession.follow(try handler(error)) { $0.finish($1.mapError { $0 }) } } catch { succession.finish(.failure(error)) }
            }
        }
    }

    /// Apple: Combine/Publishers/Retry.
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        /// How often to try again; nil for ever.
        public let retries: Int?

        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attempt(Succession(subscriber), left: retries)
        }

        private func attempt<S: Subscriber>(_ succession: Succession<S>, left: Int?) where S.Input == Output, S.Failure == Failure {
            succession.follow(upstream) { succession, completion in
                guard case .failure = completion, left != 0 else { return succession.finish(completion) }
                attempt(succession, left: left.map { $0 - 1 })
            }
        }
    }

    /// Apple: Combine/Publishers/ReplaceError.
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never
        public let upstream: Upstream
        public let output: Output

        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let output = output
            upstream.stage(
                to: subscriber,
                ending: { completion in
                    if case .failure = completion { return .last(output) }
                    return .complete(.finished)
                }, step: { .pass($0) })
        }
    }

    /// Apple: Combine/Publishers/ReplaceEmpty.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let output: Output

        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let output = output
            var isEmpty = true
            upstream.stage(
                to: subscriber,
                ending: { completion in
                    if isEmpty, case .finished = completion { return .last(output) }
                    return .complete(completion)
                },
                step: {
                    isEmpty = false
                    return .pass($0)
                })
        }
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/append(_:).
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P> where P.Failure == Failure, P.Output == Output {
        .init(prefix: self, suffix: publisher)
    }
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> { append(elements) }
    public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
        append(Publishers.Sequence<S, Failure>(sequence: elements))
    }
    /// Apple: Combine/Publisher/prepend(_:).
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self> where P.Failure == Failure, P.Output == Output {
        .init(prefix: publisher, suffix: self)
    }
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> { prepend(elements) }
    public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
        prepend(Publishers.Sequence<S, Failure>(sequence: elements))
    }
    /// Goes on with another publisher after a failure. Apple: Combine/Publisher/catch(_:).
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P> where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P> where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { .init(upstream: self, retries: retries) }
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> { .init(upstream: self, output: output) }
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> { .init(upstream: self, output: output) }
}
