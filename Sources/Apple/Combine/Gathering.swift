// Operators that take values together and answer at the end, or as soon as the answer is certain.

extension Publishers {
    /// Folds the values into a result, which is sent at the end, or as soon as `nextPartialResult` says that it is final. The type
    /// behind reduce, collect, count, first, last, contains, allSatisfy, min, max and ignoreOutput. Apple has one type for each.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        let upstream: Upstream
        let initial: () -> Output?
        /// Changes the result by a value; true means that nothing can change it further.
        let next: (inout Output?, Upstream.Output) -> Bool

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var result = initial()
            let next = next
            upstream.stage(
                to: subscriber, gathers: true,
                ending: { completion in
                    guard case .finished = completion, let result else { return .complete(completion) }
                    return .last(result)
                },
                step: { next(&result, $0) ? .finish(result) : .skip })
        }
    }

    /// Apple: Combine/Publishers/TryReduce.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error
        let upstream: Upstream
        let initial: Output
        let next: (Output, Upstream.Output) throws -> Output

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            var result = initial
            let next = next
            upstream.stage(
                to: subscriber, gathers: true,
                ending: { completion in
                    guard case .failure(let error) = completion else { return .last(result) }
                    return .complete(.failure(error))
                },
                step: {
                    do { result = try next(result, $0) } catch { return .fail(error) }
                    return .skip
                })
        }
    }

    /// Apple: Combine/Publishers/CollectByCount.
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let count: Int

        public init(upstream: Upstream, count: Int) {
            precondition(count > 0, "collect(_:) takes groups of at least 1, \(count) was given")
            self.upstream = upstream
            self.count = count
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let count = count
            var group: Output = []
            upstream.stage(
                to: subscriber,
                ending: { completion in
                    guard case .finished = completion, !group.isEmpty else { return .complete(completion) }
                    return .last(group)
                },
                step: {
                    group.append($0)
                    guard group.count == count else { return .skip }
                    defer { group = [] }
                    return .pass(group)
                })
        }
    }
}

extension Publisher {
    /// Apple: Combine/Publisher/reduce(_:_:).
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> Publishers.Reduce<Self, T> {
        .init(
            upstream: self, initial: { initialResult },
            next: { result, value in
                result = nextPartialResult(result ?? initialResult, value)
                return false
            })
    }
    public func tryReduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T) -> Publishers.TryReduce<Self, T> {
        .init(upstream: self, initial: initialResult, next: nextPartialResult)
    }
    /// All values as one array, at the end. Apple: Combine/Publisher/collect().
    public func collect() -> Publishers.Reduce<Self, [Output]> {
        .init(
            upstream: self, initial: { [] },
            next: { all, value in
                all?.append(value)
                return false
            })
    }
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> { .init(upstream: self, count: count) }
    public func count() -> Publishers.Reduce<Self, Int> { reduce(0) { count, _ in count + 1 } }
    /// The first value, and then the end. Apple: Combine/Publisher/first().
    public func first() -> Publishers.Reduce<Self, Output> { first { _ in true } }
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.Reduce<Self, Output> {
        .init(
            upstream: self, initial: { nil },
            next: { found, value in
                guard predicate(value) else { return false }
                found = value
                return true
            })
    }
    public func last() -> Publishers.Reduce<Self, Output> { last { _ in true } }
    public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.Reduce<Self, Output> {
        .init(
            upstream: self, initial: { nil },
            next: { found, value in
                if predicate(value) { found = value }
                return false
            })
    }
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.Reduce<Self, Bool> {
        .init(
            upstream: self, initial: { false },
            next: { found, value in
                found = predicate(value)
                return found == true
            })
    }
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.Reduce<Self, Bool> {
        .init(
            upstream: self, initial: { true },
            next: { all, value in
                all = predicate(value)
                return all == false
            })
    }
    public func ignoreOutput() -> Publishers.Reduce<Self, Never> { .init(upstream: self, initial: { nil }, next: { _, _ in false }) }
    public func max(by isLess: @escaping (Output, Output) -> Bool) -> Publishers.Reduce<Self, Output> {
        .init(
            upstream: self, initial: { nil },
            next: { greatest, value in
                if greatest.map({ isLess($0, value) }) ?? true { greatest = value }
                return false
            })
    }
    public func min(by isLess: @escaping (Output, Output) -> Bool) -> Publishers.Reduce<Self, Output> { max { isLess($1, $0) } }
}

extension Publisher where Output: Equatable {
    public func contains(_ output: Output) -> Publishers.Reduce<Self, Bool> { contains { $0 == output } }
}

extension Publisher where Output: Comparable {
    public func max() -> Publishers.Reduce<Self, Output> { max(by: <) }
    public func min() -> Publishers.Reduce<Self, Output> { min(by: <) }
}
