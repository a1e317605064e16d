// The ends of a chain: closures and key paths that take the values.

extension Subscribers {
    /// Takes everything by closures, which are released on completion and on cancelling. Apple: Combine/Subscribers/Sink.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private struct State {
            var subscription: (any Subscription)?
            var isOpen = true
            var receiveValue: ((Input) -> Void)?
            var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        }

        private let state: Guarded<State>

        public init(receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void) {
            state = Guarded(State(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
        }

        public func receive(subscription: any Subscription) {
            let accepted = state.with { state in
                guard state.isOpen, state.subscription == nil else { return false }
                state.subscription = subscription
                return true
            }
            accepted ? subscription.request(.unlimited) : subscription.cancel()
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            state.with { $0.receiveValue }?(value)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) { close().receiveCompletion?(completion) }

        public func cancel() { close().subscription?.cancel() }

        private func close() -> State {
            state.with { state in
                defer { state = State(isOpen: false) }
                return state
            }
        }
    }

    /// Sets a property of an object, which it holds strongly until completion or cancelling. Apple: Combine/Subscribers/Assign.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        public typealias Failure = Never
        public let keyPath: ReferenceWritableKeyPath<Root, Input>
        private let root: Guarded<Root?>
        private let sink: Guarded<Sink<Input, Never>?>

        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            self.keyPath = keyPath
            let root = Guarded<Root?>(object)
            self.root = root
            sink = Guarded(
                Sink(
                    receiveCompletion: { _ in Assign.release(root) },
                    receiveValue: { value in root.with { $0 }?[keyPath: keyPath] = value }))
        }

        public var object: Root? { root.with { $0 } }

        public func receive(subscription: any Subscription) { sink.with { $0 }?.receive(subscription: subscription) }
        public func receive(_ value: Input) -> Subscribers.Demand { sink.with { $0 }?.receive(value) ?? .none }
        public func receive(completion: Subscribers.Completion<Never>) { sink.with { $0 }?.receive(completion: completion) }

        public func cancel() {
            sink.with { $0 }?.cancel()
            Self.release(root)
        }

        private static func release(_ root: Guarded<Root?>) {
            let old = root.with { root in
                defer { root = nil }
                return root
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension Publisher {
    /// Subscribes with closures and no limit, until the result is cancelled or released. Apple: Combine/Publisher/sink(receiveCompletion:receiveValue:).
    public func sink(receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Subscribes with a closure and no limit, until the result is cancelled or released. Apple: Combine/Publisher/sink(receiveValue:).
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property with each value, until the result is cancelled or released. Apple: Combine/Publisher/assign(to:on:).
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        subscribe(assign)
        return AnyCancellable(assign)
    }
}
