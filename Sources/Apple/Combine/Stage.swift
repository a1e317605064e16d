// One step of a chain, for every operator that answers each value with at most one: the operator says what, this keeps the rules.

/// What an operator answers to a value.
enum Step<Output, Failure: Error> {
    case pass(Output)
    /// Nothing for this value: one more is asked for instead.
    case skip
    /// The end, with a last value if there is one; upstream is cancelled.
    case finish(Output?)
    case fail(Failure)
}

/// What an operator answers to the end.
enum Ending<Output, Failure: Error> {
    case complete(Subscribers.Completion<Failure>)
    /// One more value, as soon as there is demand for it, and then the end.
    case last(Output)
}

final class Stage<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
    typealias Output = Downstream.Input

    private struct State {
        var downstream: Downstream?
        var step: ((Input) -> Step<Output, Downstream.Failure>)?
        var ending: ((Subscribers.Completion<Failure>) -> Ending<Output, Downstream.Failure>)?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        var last: Output?
    }

    private let state: Guarded<State>
    private let gathers: Bool

    /// With `gathers`, upstream is asked for everything whatever downstream wants: for operators that answer at the end.
    init(
        _ downstream: Downstream, gathers: Bool, step: @escaping (Input) -> Step<Output, Downstream.Failure>,
        ending: @escaping (Subscribers.Completion<Failure>) -> Ending<Output, Downstream.Failure>
    ) {
        self.gathers = gathers
        state = Guarded(State(downstream: downstream, step: step, ending: ending))
    }

    func receive(subscription: any Subscription) {
        let downstream: Downstream? = state.with { state in
            guard state.upstream == nil, state.step != nil else { return nil }
            state.upstream = subscription
            return state.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
        if gathers { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let (step, downstream) = state.with { ($0.step, $0.downstream) }
        guard let step, let downstream else { return .none }
        switch step(input) {
        case .pass(let output):
            state.with { $0.demand -= 1 }
            let more = downstream.receive(output)
            state.with { $0.demand += more }
            return gathers ? .none : more
        case .skip:
            return gathers ? .none : .max(1)
        case .finish(let output):
            end()?.cancel()
            if let output { deliver(last: output) } else { complete(.finished) }
        case .fail(let error):
            end()?.cancel()
            complete(.failure(error))
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard let ending = state.with({ $0.ending }) else { return }
        _ = end()
        switch ending(completion) {
        case .complete(let completion): complete(completion)
        case .last(let output): deliver(last: output)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        let (upstream, last) = state.with { state in
            state.demand += demand
            return (state.upstream, state.last)
        }
        if let last { return deliver(last: last) }
        if !gathers { upstream?.request(demand) }
    }

    func cancel() {
        let old = state.with { state in
            defer { state = State() }
            return state
        }
        old.upstream?.cancel()
    }

    /// Lets go of upstream and of the operator's closures; downstream is still owed its completion.
    private func end() -> (any Subscription)? {
        let old = state.with { state in
            defer { (state.upstream, state.step, state.ending) = (nil, nil, nil) }
            return state
        }
        return old.upstream
    }

    private func deliver(last output: Output) {
        let downstream: Downstream? = state.with { state in
            guard state.demand > .none else {
                if state.downstream != nil { state.last = output }
                return nil
            }
            state.last = nil
            state.demand = .none
            return state.downstream
        }
        guard let downstream else { return }
        _ = downstream.receive(output)
        complete(.finished)
    }

    private func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let old = state.with { state in
            defer { state = State() }
            return state
        }
        old.downstream?.receive(completion: completion)
    }
}

extension Publisher {
    /// Subscribes `subscriber` through an operator that may fail in another way than this publisher.
    func stage<S: Subscriber>(
        to subscriber: S, gathers: Bool = false, ending: @escaping (Subscribers.Completion<Failure>) -> Ending<S.Input, S.Failure>,
        step: @escaping (Output) -> Step<S.Input, S.Failure>
    ) {
        subscribe(Stage(subscriber, gathers: gathers, step: step, ending: ending))
    }

    /// Subscribes `subscriber` through an operator that leaves the end as it is.
    func stage<S: Subscriber>(to subscriber: S, step: @escaping (Output) -> Step<S.Input, S.Failure>) where S.Failure == Failure {
        subscribe(Stage(subscriber, gathers: false, step: step, ending: { .complete($0) }))
    }

    /// Subscribes `subscriber` through an operator that throws.
    func stage<S: Subscriber>(to subscriber: S, trying step: @escaping (Output) throws -> Step<S.Input, S.Failure>) where S.Failure == any Error {
        subscribe(
            Stage(
                subscriber, gathers: false,
                step: { value in
                    do { return try step(value) } catch { return .fail(error) }
                },
                ending: { .complete($0.mapError { $0 }) }))
    }
}
