// One subscription upstream for many subscribers.

/// A publisher that sends nothing until it is connected. Apple: Combine/ConnectablePublisher.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Connects with the first subscriber and disconnects after the last. Apple: Combine/ConnectablePublisher/autoconnect().
    public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}

extension Publishers {
    /// Apple: Combine/Publishers/Multicast.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, @unchecked Sendable
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let createSubject: () -> SubjectType
        private let subject = Guarded<SubjectType?>(nil)

        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        private var current: SubjectType {
            if let subject = subject.with({ $0 }) { return subject }
            let made = createSubject()
            return subject.with { subject in
                subject = subject ?? made
                return subject ?? made
            }
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { current.subscribe(subscriber) }
        public func connect() -> any Cancellable { upstream.subscribe(current) }
    }

    /// Apple: Combine/Publishers/MakeConnectable.
    public typealias MakeConnectable<Upstream: Publisher> = Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>

    /// Apple: Combine/Publishers/Autoconnect.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher, @unchecked Sendable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        private let state = Guarded<(count: Int, connection: (any Cancellable)?)>((0, nil))

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = state.with { state in
                state.count += 1
                return state.count == 1
            }
            upstream.subscribe(Tap(subscriber, cancelled: { self.left() }))
            guard isFirst else { return }
            let connection = upstream.connect()
            // All may have left while it connected.
            let isWanted = state.with { state in
                if state.count > 0 { state.connection = connection }
                return state.count > 0
            }
            if !isWanted { connection.cancel() }
        }

        private func left() {
            let connection: (any Cancellable)? = state.with { state in
                state.count -= 1
                guard state.count == 0 else { return nil }
                defer { state.connection = nil }
                return state.connection
            }
            connection?.cancel()
        }
    }

    /// Apple: Combine/Publishers/Share.
    public final class Share<Upstream: Publisher>: Publisher, @unchecked Sendable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

        public init(upstream: Upstream) {
            self.upstream = upstream
            shared = Multicast(upstream: upstream, createSubject: { PassthroughSubject() }).autoconnect()
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { shared.subscribe(subscriber) }
    }

    /// Apple: Combine/Publishers/HandleEvents.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public var receiveSubscription: ((any Subscription) -> Void)?
        public var receiveOutput: ((Output) -> Void)?
        public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        public var receiveCancel: (() -> Void)?
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Tap(
                    subscriber, subscribed: receiveSubscription, received: receiveOutput, completed: receiveCompletion, requested: receiveRequest,
                    cancelled: receiveCancel))
        }
    }
}

/// Passes everything on and tells closures about it. After the end, cancelling is not told.
private final class Tap<Downstream: Subscriber>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var subscribed: ((any Subscription) -> Void)?
        var received: ((Input) -> Void)?
        var completed: ((Subscribers.Completion<Failure>) -> Void)?
        var requested: ((Subscribers.Demand) -> Void)?
        var cancelled: (() -> Void)?
    }

    private let state: Guarded<State>

    init(
        _ downstream: Downstream, subscribed: ((any Subscription) -> Void)? = nil, received: ((Input) -> Void)? = nil,
        completed: ((Subscribers.Completion<Failure>) -> Void)? = nil, requested: ((Subscribers.Demand) -> Void)? = nil, cancelled: (() -> Void)? = nil
    ) {
        state = Guarded(State(downstream: downstream, subscribed: subscribed, received: received, completed: completed, requested: requested, cancelled: cancelled))
    }

    func receive(subscription: any Subscription) {
        let now = state.with { state in
            state.upstream = subscription
            return state
        }
        now.subscribed?(subscription)
        now.downstream?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let now = state.with { $0 }
        now.received?(input)
        let more = now.downstream?.receive(input) ?? .none
        if more > .none { now.requested?(more) }
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let old = clear()
        old.completed?(completion)
        old.downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let now = state.with { $0 }
        now.requested?(demand)
        now.upstream?.request(demand)
    }

    func cancel() {
        let old = clear()
        old.cancelled?()
        old.upstream?.cancel()
    }

    private func clear() -> State {
        state.with { state in
            defer { state = State() }
            return state
        }
    }
}

extension Publisher {
    /// One subscription upstream, made with the first subscriber. Apple: Combine/Publisher/share().
    public func share() -> Publishers.Share<Self> { .init(upstream: self) }
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        .init(upstream: self, createSubject: createSubject)
    }
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        .init(upstream: self, createSubject: { subject })
    }
    /// Apple: Combine/Publisher/handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:).
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil, receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        .init(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
            receiveRequest: receiveRequest)
    }
    /// Writes what happens to standard output. Apple: Combine/Publisher/print(_:to:).
    public func print(_ prefix: String = "") -> Publishers.HandleEvents<Self> {
        let prefix = prefix.isEmpty ? "" : prefix + ": "
        return handleEvents(
            receiveSubscription: { Swift.print("\(prefix)receive subscription: (\($0))") }, receiveOutput: { Swift.print("\(prefix)receive value: (\($0))") },
            receiveCompletion: { completion in
                switch completion {
                case .finished: Swift.print("\(prefix)receive finished")
                case .failure(let error): Swift.print("\(prefix)receive error: (\(error))")
                }
            },
            receiveCancel: { Swift.print("\(prefix)receive cancel") }, receiveRequest: { Swift.print("\(prefix)request \($0)") })
    }
}

extension Publisher where Failure == Never {
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { multicast { PassthroughSubject() } }
}
