// Following a player's properties by key path. Foundation on Linux has no key-value observing, so players tell their observers themselves.

import Combine
import Foundation

/// Apple: Foundation/NSKeyValueObservingOptions.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = Self(rawValue: 1)
    public static let old = Self(rawValue: 2)
    /// Also the present value, at once.
    public static let initial = Self(rawValue: 4)
    /// Accepted, without a call of its own before the change.
    public static let prior = Self(rawValue: 8)
}

/// Apple: Foundation/NSKeyValueObservedChange.
public struct NSKeyValueObservedChange<Value> {
    /// Where the options ask for it.
    public let newValue: Value?
    /// Where the options ask for it; none of the first call.
    public let oldValue: Value?
    public let isPrior = false
}

/// Ends with `invalidate` and with its last reference. Apple: Foundation/NSKeyValueObservation.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var end: (() -> Void)?

    init(end: @escaping () -> Void) { self.end = end }

    deinit { invalidate() }

    public func invalidate() {
        let end = lock.withLock {
            defer { self.end = nil }
            return self.end
        }
        end?()
    }
}

/// What players and their items are: their properties can be followed. Called where the change is made, when the value has become another one.
public protocol PropertiesObservable: NSObject {
    var propertyObservers: PropertyObservers { get }
}

extension PropertiesObservable {
    /// Apple: Foundation, `observe(_:options:changeHandler:)` of key-value observing.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [], changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observation = propertyObservers.add { [weak self] in
            guard let self else { return nil }
            let old = self[keyPath: keyPath]
            return { [weak self] in
                guard let self else { return }
                let new = self[keyPath: keyPath]
                guard !areEqual(old, new) else { return }
                changeHandler(self, NSKeyValueObservedChange(newValue: options.contains(.new) ? new : nil, oldValue: options.contains(.old) ? old : nil))
            }
        }
        if options.contains(.initial) { changeHandler(self, NSKeyValueObservedChange(newValue: options.contains(.new) ? self[keyPath: keyPath] : nil, oldValue: nil)) }
        return observation
    }

    /// The property's values: the present one first, unless the options say otherwise. Apple: Foundation, `publisher(for:options:)` of NSObject.
    public func publisher<Value>(for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]) -> AnyPublisher<Value, Never> {
        Deferred { [weak self] () -> AnyPublisher<Value, Never> in
            guard let self else { return Empty().eraseToAnyPublisher() }
            let subject = CurrentValueSubject<Value, Never>(self[keyPath: keyPath])
            let observation = self.observe(keyPath) { object, _ in subject.send(object[keyPath: keyPath]) }
            return subject.dropFirst(options.contains(.initial) ? 0 : 1).handleEvents(receiveCancel: { observation.invalidate() }).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

/// Values that cannot be compared count as different.
private func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    func compare<E: Equatable>(_ left: E) -> Bool { left == right as? E }
    return (left as? any Equatable).map { compare($0) } ?? false
}

/// The observers of one object.
public final class PropertyObservers: @unchecked Sendable {
    /// Reads the old value; the answer reads the new one and tells of the difference.
    typealias Look = () -> (() -> Void)?

    private let lock = NSLock()
    private var looks: [Int: Look] = [:]
    private var count = 0

    func add(_ look: @escaping Look) -> NSKeyValueObservation {
        let number = lock.withLock {
            count += 1
            looks[count] = look
            return count
        }
        return NSKeyValueObservation { [weak self] in
            // Released outside the lock: what it holds may have observations of its own.
            let old = self?.lock.withLock { self?.looks.removeValue(forKey: number) }
            withExtendedLifetime(old) {}
        }
    }

    /// Makes a change, with nothing of the object locked, and tells of it.
    func during<Result>(_ change: () throws -> Result) rethrows -> Result {
        let looks = lock.withLock { self.looks.sorted { $0.key < $1.key }.map(\.value) }
        let tellings = looks.compactMap { $0() }
        let result = try change()
        for tell in tellings { tell() }
        return result
    }
}
