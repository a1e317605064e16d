// Operators on values: what they let through, what they ask for, how they end.

import Combine
import Foundation
import Testing

@Suite struct OperatorTests {
    @Test func `filter asks for one more for each value it keeps back`() {
        let recorder = (1...10).publisher.filter { $0.isMultiple(of: 2) }.record(.max(2))
        #expect(recorder.values == [2, 4])
        recorder.subscription?.request(.unlimited)
        #expect(recorder.values == [2, 4, 6, 8, 10])
        #expect(recorder.isFinished)
    }

    @Test func `a sequence gives no more than is asked for, also when asked from inside`() {
        let recorder = (1...5).publisher.record(.max(1)) { $0 == 1 ? .max(2) : .none }
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.completion == nil)
    }

    @Test func `simple operators do what their names say`() {
        #expect([1, 1, 2, 2, 1].publisher.removeDuplicates().record().values == [1, 2, 1])
        #expect(["1", "x", "3"].publisher.compactMap { Int($0) }.record().values == [1, 3])
        #expect((1...4).publisher.scan(0, +).record().values == [1, 3, 6, 10])
        #expect((1...5).publisher.dropFirst(2).record().values == [3, 4, 5])
        #expect((1...5).publisher.drop { $0 < 3 }.record().values == [3, 4, 5])
        #expect((1...5).publisher.prefix(2).record().values == [1, 2])
        #expect((1...5).publisher.prefix { $0 < 3 }.record().values == [1, 2])
        #expect((1...5).publisher.output(in: 1...2).record().values == [2, 3])
        #expect([1, nil, 3].publisher.replaceNil(with: 0).record().values == [1, 0, 3])
        #expect((1...4).publisher.reduce(0, +).record().values == [10])
        #expect((1...4).publisher.collect().record().values == [[1, 2, 3, 4]])
        #expect((1...5).publisher.collect(2).record().values == [[1, 2], [3, 4], [5]])
        #expect((1...5).publisher.first().record().values == [1])
        #expect((1...5).publisher.first { $0 > 3 }.record().values == [4])
        #expect((1...5).publisher.last().record().values == [5])
        #expect((1...5).publisher.count().record().values == [5])
        #expect((1...5).publisher.contains(3).record().values == [true])
        #expect((1...5).publisher.allSatisfy { $0 < 3 }.record().values == [false])
        #expect([3, 1, 2].publisher.max().record().values == [3])
        #expect([3, 1, 2].publisher.min().record().values == [1])
        #expect([2, 3].publisher.prepend(0, 1).append(4).record().values == [0, 1, 2, 3, 4])
        #expect(Empty<Int, Never>().replaceEmpty(with: 9).record().values == [9])
        #expect(Optional(3).publisher.record().values == [3])
        #expect(Just(1).map(\.description).record().values == ["1"])
    }

    @Test func `prefix cancels upstream with its last value`() {
        let watched = Watched<Int>()
        let recorder = watched.prefix(2).record()
        for value in 1...3 { watched.subject.send(value) }
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
        #expect(watched.log.cancels == 1)
    }

    @Test func `a result waits for demand`() {
        let recorder = (1...3).publisher.collect().record(.none)
        #expect(recorder.values.isEmpty)
        #expect(recorder.completion == nil)
        recorder.subscription?.request(.max(1))
        #expect(recorder.values == [[1, 2, 3]])
        #expect(recorder.isFinished)
    }

    @Test func `a throwing operator fails downstream and cancels upstream`() {
        let watched = Watched<Int>()
        let recorder = watched.tryMap { value -> Int in if value > 1 { throw Trouble.expected } else { value } }.record()
        for value in 1...3 { watched.subject.send(value) }
        #expect(recorder.values == [1])
        #expect(recorder.failure as? Trouble == .expected)
        #expect(watched.log.cancels == 1)
    }

    @Test func `errors are mapped, replaced, caught and retried`() {
        let fails = Fail<Int, Trouble>(error: .expected)
        #expect(fails.mapError { _ in Trouble.other }.record().failure == .other)
        #expect(fails.replaceError(with: 3).record().values == [3])
        #expect(fails.catch { _ in Just(4) }.record().values == [4])
        #expect([1, 2].publisher.setFailureType(to: Trouble.self).append(fails).catch { _ in Just(9) }.record().values == [1, 2, 9])
        var attempts = 0
        let deferred = Deferred {
            attempts += 1
            return attempts < 3 ? Fail<Int, Trouble>(error: .expected).eraseToAnyPublisher() : Just(attempts).setFailureType(to: Trouble.self).eraseToAnyPublisher()
        }
        #expect(deferred.retry(1).record().failure == .expected)
        #expect(attempts == 2)
        #expect(deferred.retry(5).record().values == [3])
    }

    @Test func `demand that was not met goes on to the publisher that follows`() {
        let recorder = (1...2).publisher.append(3, 4, 5).record(.max(3))
        #expect(recorder.values == [1, 2, 3])
        recorder.subscription?.request(.max(1))
        #expect(recorder.values == [1, 2, 3, 4])
    }

    @Test func `values are decoded and encoded by any coder`() throws {
        let recorder = Just([1, 2]).encode(encoder: JSONEncoder()).decode(type: [Int].self, decoder: JSONDecoder()).record()
        #expect(recorder.values == [[1, 2]])
        #expect(Just(Data("no".utf8)).decode(type: [Int].self, decoder: JSONDecoder()).record().failure is DecodingError)
    }

    @Test func `a future runs once, at once, and answers late subscribers`() async throws {
        var runs = 0
        let future = Future<Int, Trouble> { promise in
            runs += 1
            promise(.success(7))
            promise(.success(8))
        }
        #expect(runs == 1)
        #expect(future.record().values == [7])
        let waiting = future.record(.none)
        #expect(waiting.values.isEmpty)
        waiting.subscription?.request(.max(1))
        #expect(waiting.values == [7])
        #expect(waiting.isFinished)
        #expect(try await future.value == 7)
        await #expect(throws: Trouble.expected) { try await Future<Int, Trouble> { $0(.failure(.expected)) }.value }
        #expect(runs == 1)
    }

    @Test func `demands add and subtract without overflow`() {
        #expect(Subscribers.Demand.unlimited - 5 == .unlimited)
        #expect(Subscribers.Demand.max(3) - .unlimited == .none)
        #expect(Subscribers.Demand.max(.max) + .max(.max) + .max(2) == .unlimited)
        #expect(Subscribers.Demand.max(2) * 3 == .max(6))
        #expect(Subscribers.Demand.unlimited > 5)
        #expect(Subscribers.Demand.unlimited.max == nil)
        #expect(Subscribers.Demand.max(4) == 4)
    }
}
