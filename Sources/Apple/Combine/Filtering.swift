// Operators that let some values through.

extension Publishers {
    /// Apple: Combine/Publishers/Filter.
    public struct Filter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let isIncluded: (Output) -> Bool

        public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isIncluded = isIncluded
            upstream.stage(to: subscriber) { isIncluded($0) ? .pass($0) : .skip }
        }
    }

    /// Apple: Combine/Publishers/CompactMap.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output?

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let transform = transform
            upstream.stage(to: subscriber) { transform($0).map { .pass($0) } ?? .skip }
        }
    }

    /// Apple: Combine/Publishers/TryFilter and TryCompactMap.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error
        public let upstream: Upstream
        public let transform: (Upstream.Output) throws -> Output?

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            let transform = transform
            upstream.stage(to: subscriber, trying: { try transform($0).map { .pass($0) } ?? .skip })
        }
    }

    /// Apple: Combine/Publishers/RemoveDuplicates.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let predicate: (Output, Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let predicate = predicate
            var last: Output?
            upstream.stage(to: subscriber) { value in
                if let last, predicate(last, value) { return .skip }
                last = value
                return .pass(value)
            }
        }
    }

    /// Apple: Combine/Publishers/Drop.
    public struct Drop<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let count: Int

        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var left = count
            upstream.stage(to: subscriber) { value in
                guard left <= 0 else {
                    left -= 1
                    return .skip
                }
                return .pass(value)
            }
        }
    }

    /// Apple: Combine/Publishers/DropWhile.
    public struct DropWhile<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let predicate: (Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let predicate = predicate
            var drops = true
            upstream.stage(to: subscriber) { value in
                drops = drops && predicate(value)
                return drops ? .skip : .pass(value)
            }
        }
    }

    /// Apple: Combine/Publishers/PrefixWhile.
    public struct PrefixWhile<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let predicate: (Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let predicate = predicate
            upstream.stage(to: subscriber) { predicate($0) ? .pass($0) : .finish(nil) }
        }
    }

    /// The values whose places lie in a range. Apple: Combine/Publishers/Output.
    public struct Output<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let range: Range<Int>

        public init(upstream: Upstream, range: Range<Int>) {
            self.upstream = upstream
            self.range = range
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            guard !range.isEmpty else { return Empty<Output, Failure>().receive(subscriber: subscriber) }
            let range = range
            var place = 0
            upstream.stage(to: subscriber) { value in
                defer { place += 1 }
                if place < range.lowerBound { return .skip }
                return place == range.upperBound - 1 ? .finish(value) : .pass(value)
            }
        }
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/filter(_:).
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> { .init(upstream: self, isIncluded: isIncluded) }
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryCompactMap<Self, Output> {
        .init(upstream: self) { try isIncluded($0) ? $0 : nil }
    }
    /// Apple: Combine/Publisher/compactMap(_:).
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> { .init(upstream: self, transform: transform) }
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> { .init(upstream: self, transform: transform) }
    /// Apple: Combine/Publisher/removeDuplicates(by:).
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> { .init(upstream: self, predicate: predicate) }
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { .init(upstream: self, count: count) }
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> { .init(upstream: self, predicate: predicate) }
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { .init(upstream: self, range: 0..<maxLength) }
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> { .init(upstream: self, predicate: predicate) }
    public func output(at index: Int) -> Publishers.Output<Self> { .init(upstream: self, range: index..<index + 1) }
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        .init(upstream: self, range: range.relative(to: 0..<Int.max))
    }
}

extension Publisher where Output: Equatable {
    /// Lets a value through when it differs from the one before. Apple: Combine/Publisher/removeDuplicates().
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}
