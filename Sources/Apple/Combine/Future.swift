// One value that comes later, from code that works with a callback.

/// Runs its closure at once and keeps the first result for every subscriber, early or late. Apple: Combine/Future.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    private struct State {
        var result: Result<Output, Failure>?
        var waiting: [(Result<Output, Failure>) -> Void] = []
    }

    private let state = Guarded(State())

    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        // The promise keeps the future: it may be all that is left of it.
        attemptToFulfill { self.fulfil($0) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = FutureOutlet(subscriber)
        let result: Result<Output, Failure>? = state.with { state in
            if state.result == nil { state.waiting.append { outlet.fulfil($0) } }
            return state.result
        }
        subscriber.receive(subscription: outlet)
        if let result { outlet.fulfil(result) }
    }

    private func fulfil(_ result: Result<Output, Failure>) {
        let waiting: [(Result<Output, Failure>) -> Void] = state.with { state in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for fulfil in waiting { fulfil(result) }
    }
}

private final class FutureOutlet<Downstream: Subscriber>: Subscription {
    private struct State {
        var downstream: Downstream?
        var isWanted = false
        var value: Downstream.Input?
    }

    private let state: Guarded<State>

    init(_ downstream: Downstream) { state = Guarded(State(downstream: downstream)) }

    func fulfil(_ result: Result<Downstream.Input, Downstream.Failure>) {
        switch result {
        case .success(let value):
            state.with { if $0.downstream != nil { $0.value = value } }
            deliver()
        case .failure(let error):
            clear().downstream?.receive(completion: .failure(error))
        }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.with { $0.isWanted = true }
        deliver()
    }

    func cancel() { withExtendedLifetime(clear()) {} }

    private func deliver() {
        let ready: State? = state.with { state in
            guard state.isWanted, state.value != nil else { return nil }
            defer { state = State() }
            return state
        }
        guard let downstream = ready?.downstream, let value = ready?.value else { return }
        _ = downstream.receive(value)
        downstream.receive(completion: .finished)
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }
}

extension Future where Failure == Never {
    /// The value, awaited. Apple: Combine/Future/value.
    public var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { continuation.resume(returning: Carried(value: $0)) }))
            }.value
        }
    }
}

extension Future {
    /// The value, awaited; the failure, thrown. Apple: Combine/Future/value.
    public var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Carried<Output>, any Error>) in
                subscribe(
                    Subscribers.Sink(
                        receiveCompletion: { if case .failure(let error) = $0 { continuation.resume(throwing: error) } },
                        receiveValue: { continuation.resume(returning: Carried(value: $0)) }))
            }.value
        }
    }
}
