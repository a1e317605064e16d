// Operators that move delivery to a scheduler, now or after a while: receive(on:), delay, subscribe(on:).

import Foundation

/// Hands values over to a scheduler, in order even where the scheduler runs actions side by side.
final class Handover<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription, @unchecked Sendable where Downstream.Input == Input, Downstream.Failure == Failure {
    private enum Item {
        case value(Input)
        case completion(Subscribers.Completion<Failure>)
    }

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var waiting: [Item] = []
    }

    private let delivery = NSRecursiveLock()
    private let state: Guarded<State>
    private let schedule: (@escaping () -> Void) -> Void

    init(_ downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
        self.schedule = schedule
        state = Guarded(State(downstream: downstream))
    }

    func receive(subscription: any Subscription) {
        state.with { $0.upstream = subscription }
        state.with { $0.downstream }?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        put(.value(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { put(.completion(completion)) }

    func request(_ demand: Subscribers.Demand) { state.with { $0.upstream }?.request(demand) }

    func cancel() {
        let old = clear()
        old.upstream?.cancel()
    }

    private func put(_ item: Item) {
        let isOpen = state.with { state in
            if state.downstream != nil { state.waiting.append(item) }
            return state.downstream != nil
        }
        if isOpen { schedule { self.deliverNext() } }
    }

    private func deliverNext() {
        delivery.lock()
        defer { delivery.unlock() }
        let (item, downstream) = state.with { state in (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.downstream) }
        guard let item, let downstream else { return }
        switch item {
        case .value(let value):
            let more = downstream.receive(value)
            if more > .none { request(more) }
        case .completion(let completion):
            withExtendedLifetime(clear()) { downstream.receive(completion: completion) }
        }
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }
}

extension Publishers {
    /// Apple: Combine/Publishers/ReceiveOn.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let scheduler: Context
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, options) = (scheduler, options)
            upstream.subscribe(Handover(subscriber) { scheduler.schedule(options: options, $0) })
        }
    }

    /// Apple: Combine/Publishers/Delay.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let interval: Context.SchedulerTimeType.Stride
        public let tolerance: Context.SchedulerTimeType.Stride
        public let scheduler: Context
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (scheduler, options, interval, tolerance) = (scheduler, options, interval, tolerance)
            upstream.subscribe(Handover(subscriber) { scheduler.schedule(after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, $0) })
        }
    }

    /// Apple: Combine/Publishers/SubscribeOn.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let scheduler: Context
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let upstream = upstream
            scheduler.schedule(options: options) { upstream.subscribe(subscriber) }
        }
    }
}

extension Publisher {
    /// Delivers on a scheduler. Apple: Combine/Publisher/receive(on:options:).
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.SubscribeOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }
    /// Delivers everything later by an interval. Apple: Combine/Publisher/delay(for:tolerance:scheduler:options:).
    public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.Delay<Self, S>
    {
        .init(upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler, options: options)
    }
}
