// The three roles of Combine: who sends, who receives, and the bond between them.

/// Sends values over time to whoever subscribes. Apple: Combine/Publisher.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// Attaches a subscriber. Callers use `subscribe(_:)`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Where the types behind the operators live. Apple: Combine/Publishers.
public enum Publishers {}

extension Publisher {
    /// Attaches a subscriber to this publisher.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Attaches a subject, which passes on to its own subscribers what it receives, until the result is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        let subscriber = SubjectSubscriber(subject)
        subscribe(subscriber)
        return AnyCancellable(subscriber)
    }
}

/// Receives what a publisher sends: first one subscription, then values within its demand, then at most one completion. Apple: Combine/Subscriber.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    func receive(subscription: any Subscription)
    /// Takes a value and answers how many more are wanted on top of what was asked for before.
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    public func receive() -> Subscribers.Demand { receive(()) }
}

/// The bond between a publisher and a subscriber. Cancelling it releases both. Apple: Combine/Subscription.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

/// Subscriptions that do nothing. Apple: Combine/Subscriptions.
public enum Subscriptions {
    /// A subscription for a publisher that has completed already.
    public static var empty: any Subscription { EmptySubscription() }
}

private struct EmptySubscription: Subscription {
    let combineIdentifier = CombineIdentifier()
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}

/// Distinguishes publishers' parts in logs. Apple: Combine/CombineIdentifier.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private let value: UInt
    private static let last = Guarded<UInt>(0)

    public init() {
        value = Self.last.with {
            $0 &+= 1
            return $0
        }
    }

    public init(_ object: AnyObject) { value = UInt(bitPattern: ObjectIdentifier(object)) }

    public var description: String { "0x" + String(value, radix: 16) }
}

/// Has a `CombineIdentifier`; classes get one from their identity. Apple: Combine/CustomCombineIdentifierConvertible.
public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
