// Operators that put values of two publishers together: the newest of each, or one of each in turn.

import Foundation

/// Two publishers into one subscriber of pairs.
final class Pairing<A, B, Downstream: Subscriber>: Subscription, @unchecked Sendable where Downstream.Input == (A, B) {
    enum Rule {
        /// A pair for each value, with the newest of the other side.
        case latest
        /// A pair for each two, in order.
        case zip
    }

    private struct Side {
        var subscription: (any Subscription)?
        var isOpen = true
    }

    private struct State {
        var downstream: Downstream?
        var sides = [Side(), Side()]
        var a: [A] = []
        var b: [B] = []
        var demand = Subscribers.Demand.none
    }

    private let delivery = NSRecursiveLock()
    private let rule: Rule
    private let state: Guarded<State>

    init(_ downstream: Downstream, rule: Rule) {
        self.rule = rule
        state = Guarded(State(downstream: downstream))
    }

    func begin<PA: Publisher, PB: Publisher>(_ a: PA, _ b: PB)
    where PA.Output == A, PB.Output == B, PA.Failure == Downstream.Failure, PB.Failure == Downstream.Failure {
        state.with { $0.downstream }?.receive(subscription: self)
        a.subscribe(Leg<A>(of: self, side: 0) { $0.a.append($1) })
        b.subscribe(Leg<B>(of: self, side: 1) { $0.b.append($1) })
    }

    func request(_ demand: Subscribers.Demand) {
        let subscriptions = state.with { state in
            state.demand += demand
            return state.sides.compactMap(\.subscription)
        }
        for subscription in subscriptions { subscription.request(demand) }
    }

    func cancel() {
        for side in clear().sides { side.subscription?.cancel() }
    }

    private func alone(_ body: () -> Void) {
        delivery.lock()
        defer { delivery.unlock() }
        body()
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }

    private func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let old = clear()
        for side in old.sides { side.subscription?.cancel() }
        alone { old.downstream?.receive(completion: completion) }
    }

    /// The next pair, if there is one and it is wanted.
    private func take() -> (Downstream, (A, B))? {
        state.with { state in
            if rule == .latest {
                if state.a.count > 1 { state.a.removeFirst() }
                if state.b.count > 1 { state.b.removeFirst() }
            }
            guard state.demand > .none, let downstream = state.downstream, let a = state.a.first, let b = state.b.first else { return nil }
            state.demand -= 1
            if rule == .zip {
                state.a.removeFirst()
                state.b.removeFirst()
            }
            return (downstream, (a, b))
        }
    }

    /// True when no pair can come any more.
    private var isDone: Bool {
        state.with { state in
            guard state.downstream != nil else { return false }
            switch rule {
            case .latest: return state.sides.allSatisfy { !$0.isOpen }
            case .zip: return (!state.sides[0].isOpen && state.a.isEmpty) || (!state.sides[1].isOpen && state.b.isEmpty)
            }
        }
    }

    private final class Leg<Input>: Subscriber {
        typealias Failure = Downstream.Failure
        private let pairing: Pairing
        private let side: Int
        private let put: (inout State, Input) -> Void

        init(of pairing: Pairing, side: Int, put: @escaping (inout State, Input) -> Void) {
            self.pairing = pairing
            self.side = side
            self.put = put
        }

        func receive(subscription: any Subscription) {
            let demand: Subscribers.Demand? = pairing.state.with { state in
                guard state.downstream != nil else { return nil }
                state.sides[side].subscription = subscription
                return state.demand
            }
            guard let demand else { return subscription.cancel() }
            if demand > .none { subscription.request(demand) }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            var answer = Subscribers.Demand.none
            pairing.alone {
                pairing.state.with { state in if state.downstream != nil { put(&state, input) } }
                if let (downstream, pair) = pairing.take() {
                    let more = downstream.receive(pair)
                    if more > .none {
                        let other = pairing.state.with { state in
                            state.demand += more
                            return state.sides[1 - side].subscription
                        }
                        other?.request(more)
                        answer = more
                    }
                } else if pairing.rule == .latest {
                    // No pair yet: the value cost the subscriber nothing, so another may come.
                    answer = pairing.state.with { state in state.demand > .none && (state.a.isEmpty || state.b.isEmpty) ? .max(1) : .none }
                }
                if pairing.rule == .zip, pairing.isDone { pairing.end(.finished) }
            }
            return answer
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard case .finished = completion else { return pairing.end(completion) }
            pairing.state.with { state in
                state.sides[side].isOpen = false
                state.sides[side].subscription = nil
            }
            if pairing.isDone { pairing.end(.finished) }
        }
    }
}

extension Publishers {
    /// Apple: Combine/Publishers/CombineLatest.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Pairing(subscriber, rule: .latest).begin(a, b)
        }
    }

    /// Apple: Combine/Publishers/CombineLatest3.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
        }
    }

    /// Apple: Combine/Publishers/CombineLatest4.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public let c: C
        public let d: D

        public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0, $0.1, $0.2, $1) }.subscribe(subscriber)
        }
    }

    /// Apple: Combine/Publishers/Zip.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Pairing(subscriber, rule: .zip).begin(a, b)
        }
    }

    /// Apple: Combine/Publishers/Zip3.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }.subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/combineLatest(_:).
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure { .init(self, other) }
    public func combineLatest<P: Publisher, T>(_ other: P, _ transform: @escaping (Output, P.Output) -> T) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
    where P.Failure == Failure { combineLatest(other).map { transform($0, $1) } }
    public func combineLatest<P: Publisher, Q: Publisher>(_ p: P, _ q: Q) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        .init(self, p, q)
    }
    public func combineLatest<P: Publisher, Q: Publisher, T>(_ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T)
        -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure
    { combineLatest(p, q).map { transform($0, $1, $2) } }
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(_ p: P, _ q: Q, _ r: R) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure { .init(self, p, q, r) }
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(_ p: P, _ q: Q, _ r: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T)
        -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure
    { combineLatest(p, q, r).map { transform($0, $1, $2, $3) } }
    /// Apple: Combine/Publisher/zip(_:).
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure { .init(self, other) }
    public func zip<P: Publisher, T>(_ other: P, _ transform: @escaping (Output, P.Output) -> T) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
        zip(other).map { transform($0, $1) }
    }
    public func zip<P: Publisher, Q: Publisher>(_ p: P, _ q: Q) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure { .init(self, p, q) }
}
