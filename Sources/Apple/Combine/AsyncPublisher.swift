// A publisher as an asynchronous sequence: `for await x in publisher.values`.

/// The values of a publisher that cannot fail. Subscribes when iteration begins and asks for one value at a time: a subject that keeps
/// nothing drops what it sends between two of them, one that keeps its newest value gives that. Apple: Combine/AsyncPublisher.
public struct AsyncPublisher<P: Publisher>: AsyncSequence, @unchecked Sendable where P.Failure == Never {
    public typealias Element = P.Output
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    /// Apple: Combine/AsyncPublisher/Iterator.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never
        fileprivate let cursor: Cursor<P.Output, Never>

        public mutating func next() async -> P.Output? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
            guard case .success(let value)? = await cursor.next(isolation: actor).value else { return nil }
            return value
        }
    }

    public func makeAsyncIterator() -> Iterator {
        let cursor = Cursor<P.Output, Never>()
        publisher.subscribe(cursor.inlet)
        return Iterator(cursor: cursor)
    }
}

/// The values of a publisher that can fail; a failure is thrown. Apple: Combine/AsyncThrowingPublisher.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence, @unchecked Sendable {
    public typealias Element = P.Output
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    /// Apple: Combine/AsyncThrowingPublisher/Iterator.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = any Error
        fileprivate let cursor: Cursor<P.Output, P.Failure>

        public mutating func next() async throws -> P.Output? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> P.Output? {
            switch await cursor.next(isolation: actor).value {
            case .success(let value): return value
            case .failure(let error): throw error
            case nil: return nil
            }
        }
    }

    public func makeAsyncIterator() -> Iterator {
        let cursor = Cursor<P.Output, P.Failure>()
        publisher.subscribe(cursor.inlet)
        return Iterator(cursor: cursor)
    }
}

extension Publisher where Failure == Never {
    /// Apple: Combine/Publisher/values.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// What an iterator holds. The subscription goes with it: upstream holds only the inlet.
private final class Cursor<Input, Failure: Error>: Sendable {
    let inlet = Inlet<Input, Failure>()

    deinit { inlet.cancel() }

    func next(isolation actor: isolated (any Actor)?) async -> Inlet<Input, Failure>.Answer {
        let inlet = inlet
        return await withTaskCancellationHandler(
            operation: { await withCheckedContinuation(isolation: actor) { inlet.wait($0) } }, onCancel: { inlet.cancel() }, isolation: actor)
    }
}

private final class Inlet<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    typealias Answer = Carried<Result<Input, Failure>?>

    private struct State {
        var subscription: (any Subscription)?
        var isOver = false
        var failure: Failure?
        var unmet = 0
        var waiting: [CheckedContinuation<Answer, Never>] = []
    }

    private enum Next {
        case over(Failure?)
        case ask(any Subscription)
        case later
    }

    private let state = Guarded(State())

    func receive(subscription: any Subscription) {
        let unmet: Int? = state.with { state in
            guard !state.isOver, state.subscription == nil else { return nil }
            state.subscription = subscription
            defer { state.unmet = 0 }
            return state.unmet
        }
        guard let unmet else { return subscription.cancel() }
        if unmet > 0 { subscription.request(.max(unmet)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.with { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume(returning: Carried(value: .success(input)))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        var failure: Failure?
        if case .failure(let error) = completion { failure = error }
        let old = end(keeping: failure)
        for (place, continuation) in old.waiting.enumerated() {
            // The failure is thrown once.
            if place == 0, let failure {
                state.with { $0.failure = nil }
                continuation.resume(returning: Carried(value: .failure(failure)))
            } else {
                continuation.resume(returning: Carried(value: nil))
            }
        }
    }

    func cancel() {
        let old = end(keeping: nil)
        old.subscription?.cancel()
        for continuation in old.waiting { continuation.resume(returning: Carried(value: nil)) }
    }

    func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        let next: Next = state.with { state in
            guard !state.isOver else {
                defer { state.failure = nil }
                return .over(state.failure)
            }
            state.waiting.append(continuation)
            guard let subscription = state.subscription else {
                state.unmet += 1
                return .later
            }
            return .ask(subscription)
        }
        switch next {
        case .over(let failure): continuation.resume(returning: Carried(value: failure.map { Result.failure($0) }))
        case .ask(let subscription): subscription.request(.max(1))
        case .later: break
        }
    }

    private func end(keeping failure: Failure?) -> State {
        state.with { state in
            guard !state.isOver else { return State(isOver: true) }
            defer { state = State(isOver: true, failure: failure) }
            return state
        }
    }
}
