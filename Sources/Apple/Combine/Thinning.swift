// Operators that let fewer values through by time: debounce and throttle.

/// Keeps the value that is to be sent next, and sends it when its time has come.
private final class Thinner<Input, Downstream: Subscriber, Context: Scheduler>: Subscriber, Subscription, @unchecked Sendable where Downstream.Input == Input {
    typealias Failure = Downstream.Failure

    enum Rule {
        /// Sends a value when none has followed it for the interval.
        case debounce
        /// Sends at most one value in an interval: the newest of it, or the first.
        case throttle(latest: Bool)
    }

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        var waiting: Input?
        var generation = 0
        var isScheduled = false
        var lastSent: Context.SchedulerTimeType?
    }

    private let state: Guarded<State>
    private let rule: Rule
    private let interval: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private let options: Context.SchedulerOptions?

    init(_ downstream: Downstream, rule: Rule, interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?) {
        (self.rule, self.interval, self.scheduler, self.options) = (rule, interval, scheduler, options)
        state = Guarded(State(downstream: downstream))
    }

    func receive(subscription: any Subscription) {
        state.with { $0.upstream = subscription }
        state.with { $0.downstream }?.receive(subscription: self)
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let now = scheduler.now
        switch rule {
        case .debounce:
            let generation = state.with { state in
                if state.downstream != nil { state.waiting = input }
                state.generation += 1
                return state.generation
            }
            scheduler.schedule(after: now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: options) { self.send(generation: generation) }
        case .throttle(let latest):
            let due: Context.SchedulerTimeType? = state.with { state in
                guard state.downstream != nil else { return nil }
                if latest || state.waiting == nil { state.waiting = input }
                guard !state.isScheduled else { return nil }
                state.isScheduled = true
                return state.lastSent.map { max(now, $0.advanced(by: interval)) } ?? now
            }
            guard let due else { break }
            let action = { self.send(generation: nil) }
            if due > now { scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: options, action) } else { scheduler.schedule(options: options, action) }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .throttle = rule {
            // The last value of a throttle is not lost to the end that follows it.
            return scheduler.schedule(options: options) {
                self.send(generation: nil)
                self.clear().downstream?.receive(completion: completion)
            }
        }
        let old = clear()
        scheduler.schedule(options: options) { old.downstream?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) { state.with { $0.demand += demand } }

    func cancel() { clear().upstream?.cancel() }

    private func send(generation: Int?) {
        let now = scheduler.now
        let ready: (Downstream, Input)? = state.with { state in
            if let generation, generation != state.generation { return nil }
            state.isScheduled = false
            guard let value = state.waiting, let downstream = state.downstream, state.demand > .none else { return nil }
            state.waiting = nil
            state.demand -= 1
            state.lastSent = now
            return (downstream, value)
        }
        guard let (downstream, value) = ready else { return }
        let more = downstream.receive(value)
        if more > .none { request(more) }
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }
}

extension Publishers {
    /// Apple: Combine/Publishers/Debounce.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let dueTime: Context.SchedulerTimeType.Stride
        public let scheduler: Context
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Thinner<Output, S, Context>(subscriber, rule: .debounce, interval: dueTime, scheduler: scheduler, options: options))
        }
    }

    /// Apple: Combine/Publishers/Throttle.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let interval: Context.SchedulerTimeType.Stride
        public let scheduler: Context
        public let latest: Bool

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Thinner<Output, S, Context>(subscriber, rule: .throttle(latest: latest), interval: interval, scheduler: scheduler, options: nil))
        }
    }
}

extension Publisher {
    /// Sends a value when none has followed it for a while; one that is waiting when upstream ends is dropped. Apple: Combine/Publisher/debounce(for:scheduler:options:).
    public func debounce<S: Scheduler>(for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.Debounce<Self, S> {
        .init(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
    /// Sends at most one value in an interval, the first one at once. Apple: Combine/Publisher/throttle(for:scheduler:latest:).
    public func throttle<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool) -> Publishers.Throttle<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
