// What can be stopped, and the token that stops it when it is released.

/// Something that can be stopped. `extension Task: Cancellable {}` is enough for a task. Apple: Combine/Cancellable.
public protocol Cancellable {
    func cancel()
}

extension Cancellable {
    /// Keeps this in a collection; it is cancelled when it is removed from there.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }

    /// Keeps this in a set; it is cancelled when it is removed from there.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }
}

/// Cancels once: when told to, or when the last reference is released. Apple: Combine/AnyCancellable.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    private let action: Guarded<(() -> Void)?>

    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }

    public init<C: Cancellable>(_ canceller: C) {
        action = Guarded { canceller.cancel() }
    }

    deinit { cancel() }

    public func cancel() {
        let taken = action.with { stored in
            defer { stored = nil }
            return stored
        }
        taken?()
    }

    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
