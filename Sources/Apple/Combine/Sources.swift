// Publishers that begin a chain.

/// One value, then the end. Apple: Combine/Just.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output

    public init(_ output: Output) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: Elements(CollectionOfOne(output).makeIterator(), to: subscriber))
    }
}

/// The end at once, or nothing ever. Apple: Combine/Empty.
public struct Empty<Output, Failure: Error>: Publisher {
    public let completeImmediately: Bool

    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) { self.completeImmediately = completeImmediately }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

/// A failure at once. Apple: Combine/Fail.
public struct Fail<Output, Failure: Error>: Publisher {
    public let error: Failure

    public init(error: Failure) { self.error = error }
    public init(outputType: Output.Type, failure: Failure) { error = failure }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

/// Makes its publisher anew for each subscriber. Apple: Combine/Deferred.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    public let createPublisher: () -> DeferredPublisher

    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

/// Hides which publisher it is. Apple: Combine/AnyPublisher.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let publisher: any Publisher<Output, Failure>

    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        self.publisher = (publisher as? AnyPublisher<Output, Failure>)?.publisher ?? publisher
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        publisher.subscribe(subscriber)
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/eraseToAnyPublisher().
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publishers {
    /// The elements of a sequence, then the end. Apple: Combine/Publishers/Sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element
        public let sequence: Elements

        public init(sequence: Elements) { self.sequence = sequence }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let elements = Combine.Elements(sequence.makeIterator(), to: subscriber)
            subscriber.receive(subscription: elements)
            elements.finishIfEmpty()
        }
    }
}

extension Sequence {
    /// Apple: Swift/Sequence/publisher.
    public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}

extension Optional {
    /// The value if there is one, then the end. Apple: Swift/Optional/publisher.
    public var publisher: Publishers.Sequence<[Wrapped], Never> { .init(sequence: map { [$0] } ?? []) }
}

extension Result {
    /// The value, then the end, or the failure. Apple: Swift/Result/publisher.
    public var publisher: AnyPublisher<Success, Failure> {
        switch self {
        case .success(let value): Publishers.Sequence<[Success], Failure>(sequence: [value]).eraseToAnyPublisher()
        case .failure(let error): Fail(error: error).eraseToAnyPublisher()
        }
    }
}

/// Hands out elements as they are asked for.
final class Elements<Iterator: IteratorProtocol, Downstream: Subscriber>: Subscription where Downstream.Input == Iterator.Element {
    private struct State {
        var iterator: Iterator?
        var next: Iterator.Element?
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        var isDelivering = false
    }

    private let state: Guarded<State>

    init(_ iterator: Iterator, to downstream: Downstream) {
        var iterator = iterator
        let next = iterator.next()
        state = Guarded(State(iterator: iterator, next: next, downstream: downstream))
    }

    func finishIfEmpty() {
        let downstream: Downstream? = state.with { state in
            guard state.next == nil, state.downstream != nil else { return nil }
            defer { state.downstream = nil }
            return state.downstream
        }
        downstream?.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
        let begins = state.with { state in
            state.demand += demand
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        // A request from within a delivery is served by the loop that is under way.
        guard begins else { return }
        while let (downstream, element) = take() {
            let more = downstream.receive(element)
            state.with { $0.demand += more }
            finishIfEmpty()
        }
    }

    func cancel() {
        let old = state.with { state in
            defer { (state.downstream, state.iterator, state.next) = (nil, nil, nil) }
            return state
        }
        withExtendedLifetime(old) {}
    }

    private func take() -> (Downstream, Iterator.Element)? {
        state.with { state in
            guard state.demand > .none, let downstream = state.downstream, let element = state.next else {
                state.isDelivering = false
                return nil
            }
            state.demand -= 1
            state.next = state.iterator?.next()
            return (downstream, element)
        }
    }
}
