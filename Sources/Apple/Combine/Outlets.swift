// The subscribers of a subject: who is attached, what each may still be sent, and one order of delivery for all of them.

import Foundation

final class Outlets<Output, Failure: Error>: @unchecked Sendable {
    /// Held while a value is being delivered, so that all see one order; recursive, since a subscriber may send.
    private let delivery = NSRecursiveLock()
    private let state = Guarded(State())
    private let replays: Bool

    private struct State {
        var outlets: [Outlet<Output, Failure>] = []
        var upstreams: [any Subscription] = []
        var isWanted = false
        var completion: Subscribers.Completion<Failure>?
    }

    /// With `replays`, an outlet without demand keeps the newest value until there is some.
    init(replays: Bool) { self.replays = replays }

    var isComplete: Bool { state.with { $0.completion != nil } }

    func alone<Result>(_ body: () -> Result) -> Result {
        delivery.lock()
        defer { delivery.unlock() }
        return body()
    }

    func send(_ value: Output) {
        alone {
            for outlet in state.with({ $0.completion == nil ? $0.outlets : [] }) { outlet.offer(value) }
        }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        alone {
            let outlets: [Outlet<Output, Failure>] = state.with { state in
                guard state.completion == nil else { return [] }
                defer { state.outlets = [] }
                state.completion = completion
                return state.outlets
            }
            for outlet in outlets { outlet.finish(completion) }
        }
    }

    /// Takes an upstream; it is asked for values at once, or (as Apple's PassthroughSubject does) once a subscriber wants any.
    func adopt(_ subscription: any Subscription, demandFirst: Bool) {
        let now = state.with { state in
            state.upstreams.append(subscription)
            return demandFirst || state.isWanted
        }
        if now { subscription.request(.unlimited) }
    }

    func cancelUpstreams() {
        for upstream in state.with({ $0.upstreams }) { upstream.cancel() }
    }

    /// `keeping` is retained as long as the subscription lives, as a subscription keeps its publisher.
    func attach<S: Subscriber>(_ subscriber: S, keeping owner: AnyObject, current: () -> Output?) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet<Output, Failure>(subscriber, outlets: self, owner: owner, replays: replays)
        // Under the delivery lock no value can fall between the current one and the first that is sent.
        let completion = alone {
            let value = current()
            return state.with { state in
                if state.completion == nil {
                    outlet.prime(value)
                    state.outlets.append(outlet)
                }
                return state.completion
            }
        }
        if let completion {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
        } else {
            subscriber.receive(subscription: outlet)
        }
    }

    func detach(_ outlet: Outlet<Output, Failure>) {
        state.with { state in state.outlets.removeAll { $0 === outlet } }
    }

    func wanted() {
        let upstreams: [any Subscription] = state.with { state in
            guard !state.isWanted else { return [] }
            state.isWanted = true
            return replays ? [] : state.upstreams
        }
        for upstream in upstreams { upstream.request(.unlimited) }
    }
}

/// One subscriber of a subject.
final class Outlet<Output, Failure: Error>: Subscription {
    private struct State {
        var receive: ((Output) -> Subscribers.Demand)?
        var complete: ((Subscribers.Completion<Failure>) -> Void)?
        var outlets: Outlets<Output, Failure>?
        var owner: AnyObject?
        var demand = Subscribers.Demand.none
        var waiting: Output?
    }

    private let state: Guarded<State>
    private let replays: Bool

    init<S: Subscriber>(_ subscriber: S, outlets: Outlets<Output, Failure>, owner: AnyObject, replays: Bool) where S.Input == Output, S.Failure == Failure {
        self.replays = replays
        state = Guarded(State(receive: { subscriber.receive($0) }, complete: { subscriber.receive(completion: $0) }, outlets: outlets, owner: owner))
    }

    func prime(_ value: Output?) { state.with { $0.waiting = value } }

    /// Called under the delivery lock.
    func offer(_ value: Output) {
        let receive: ((Output) -> Subscribers.Demand)? = state.with { state in
            guard state.demand > .none else {
                if replays, state.receive != nil { state.waiting = value }
                return nil
            }
            state.demand -= 1
            state.waiting = nil
            return state.receive
        }
        guard let receive else { return }
        let more = receive(value)
        if more > .none { add(more) }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) { clear().complete?(completion) }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, let outlets = state.with({ $0.outlets }) else { return }
        outlets.alone { add(demand) }
        outlets.wanted()
    }

    func cancel() {
        let old = clear()
        old.outlets?.detach(self)
    }

    private func add(_ demand: Subscribers.Demand) {
        let waiting: Output? = state.with { state in
            guard state.receive != nil else { return nil }
            state.demand += demand
            return state.waiting
        }
        if let waiting { offer(waiting) }
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }
}
