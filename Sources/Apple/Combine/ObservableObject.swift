// Objects that say that they are about to change, without reading their memory: the publisher is found by the object's identity.

/// A class whose `objectWillChange` fires before any of its published properties changes. Apple: Combine/ObservableObject.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Fires before a change. The same publisher as long as anybody holds it or has subscribed to it.
    public var objectWillChange: ObservableObjectPublisher { ObjectChanges.publisher(for: self) }
}

/// Says that an object will change, not how. Apple: Combine/ObservableObjectPublisher.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    public typealias Output = Void
    public typealias Failure = Never
    private let outlets = Outlets<Void, Never>(replays: false)

    public init() {}

    public func send() { outlets.send(()) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        outlets.attach(subscriber, keeping: self, current: { nil })
    }
}

/// The publishers of the objects that somebody watches. Both sides are held weakly: a subscription keeps its publisher, and nothing here
/// prolongs a life. Entries of the dead are swept out as the table grows, so it stays within twice the number of watched objects.
enum ObjectChanges {
    private struct Entry {
        weak var object: AnyObject?
        weak var publisher: ObservableObjectPublisher?
    }

    private struct Table {
        var entries: [ObjectIdentifier: Entry] = [:]
        var sweepAtCount = 64
    }

    private static let table = Guarded(Table())

    static var countForTests: Int { table.with { $0.entries.count } }

    static func publisher(for object: AnyObject) -> ObservableObjectPublisher {
        table.with { table in
            let key = ObjectIdentifier(object)
            if let entry = table.entries[key], entry.object === object, let publisher = entry.publisher { return publisher }
            let publisher = ObservableObjectPublisher()
            table.entries[key] = Entry(object: object, publisher: publisher)
            if table.entries.count >= table.sweepAtCount {
                table.entries = table.entries.filter { $0.value.object != nil && $0.value.publisher != nil }
                table.sweepAtCount = max(64, table.entries.count * 2)
            }
            return publisher
        }
    }

    static func publisher(existingFor object: AnyObject) -> ObservableObjectPublisher? {
        table.with { table in
            guard let entry = table.entries[ObjectIdentifier(object)], entry.object === object else { return nil }
            return entry.publisher
        }
    }
}
