// A property that tells its subscribers of a new value before it takes it.

/// Publishes a property of a class: `$name` gives the present value on subscription and each new one **before** it is stored, so that
/// inside a subscriber the property still holds the old value. Apple: Combine/Published.
@propertyWrapper
public struct Published<Value> {
    let storage: PublishedStorage<Value>

    public init(initialValue: Value) { storage = PublishedStorage(initialValue) }
    public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

    /// What `$name` is. Fails never and finishes never. Apple: Combine/Published/Publisher.
    public struct Publisher: Combine.Publisher, @unchecked Sendable {
        public typealias Output = Value
        public typealias Failure = Never
        let storage: PublishedStorage<Value>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.attach(subscriber)
        }
    }

    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        // `assign(to: &$name)` hands the publisher back; there is nothing to exchange.
        nonmutating set {}
    }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("unavailable") }
        nonmutating set { fatalError("unavailable") }
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set {
            let storage = object[keyPath: storageKeyPath].storage
            storage.own(by: object)
            storage.set(newValue)
        }
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf, projected projectedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Publisher>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Publisher {
        get {
            let storage = object[keyPath: storageKeyPath].storage
            storage.own(by: object)
            return Publisher(storage: storage)
        }
        set {}
    }
}

extension Published: @unchecked Sendable where Value: Sendable {}

extension Published {
    /// Calls `body` before each subscription, on the thread that subscribes. For whoever has to know that it is observed.
    package func onSubscription(_ body: @escaping @Sendable () -> Void) { storage.onAttach.with { $0 = body } }

    /// Calls `body` after each value that `assign(to: &$name)` has set, where it was sent: a property's observers do not hear of these.
    package func onAssignment(_ body: @escaping () -> Void) { storage.onAssign.with { $0 = body } }
}

/// The value, its subscribers, and what has been assigned to it by `assign(to:)`.
final class PublishedStorage<Value>: @unchecked Sendable {
    private let outlets = Outlets<Value, Never>(replays: true)
    private let current: Guarded<Value>
    private let feeds = Guarded<[AnyCancellable]>([])
    private let owner = Guarded(Owner())
    let onAttach = Guarded<(@Sendable () -> Void)?>(nil)
    let onAssign = Guarded<(() -> Void)?>(nil)

    private struct Owner {
        weak var object: AnyObject?
    }

    init(_ value: Value) { current = Guarded(value) }

    var value: Value { current.with { $0 } }

    func own(by object: AnyObject) {
        owner.with { if $0.object == nil { $0.object = object } }
    }

    func set(_ value: Value) {
        if let object = owner.with({ $0.object }) { ObjectChanges.publisher(existingFor: object)?.send() }
        outlets.alone {
            outlets.send(value)
            let old = current.with { stored in
                defer { stored = value }
                return stored
            }
            withExtendedLifetime(old) {}
        }
    }

    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
        onAttach.with { $0 }?()
        outlets.attach(subscriber, keeping: self, current: { value })
    }

    func assign(_ value: Value) {
        set(value)
        onAssign.with { $0 }?()
    }

    func keep(_ feed: AnyCancellable) { feeds.with { $0.append(feed) } }
}

extension Publisher where Failure == Never {
    /// Sets a published property with each value, as long as the property lives: there is nothing to store. Apple: Combine/Publisher/assign(to:).
    public func assign(to published: inout Published<Output>.Publisher) {
        let storage = published.storage
        let sink = Subscribers.Sink<Output, Never>(receiveCompletion: { _ in }, receiveValue: { [weak storage] in storage?.assign($0) })
        storage.keep(AnyCancellable(sink))
        subscribe(sink)
    }
}
