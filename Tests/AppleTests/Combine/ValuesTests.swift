// Publishers as asynchronous sequences.

import Combine
import Testing

private final class Model: ObservableObject, @unchecked Sendable {
    @Published var count = 0
}

@Suite struct ValuesTests {
    @Test func `for await takes all that a cold publisher has`() async {
        var seen: [Int] = []
        for await value in (1...5).publisher.map({ $0 * 2 }).values { seen.append(value) }
        #expect(seen == [2, 4, 6, 8, 10])
    }

    @Test func `a failure is thrown once, after the values`() async {
        var seen: [Int] = []
        await #expect(throws: Trouble.expected) {
            for try await value in [1, 2].publisher.setFailureType(to: Trouble.self).append(Fail(error: .expected)).values { seen.append(value) }
        }
        #expect(seen == [1, 2])
    }

    @Test func `a published property gives its present value first and the newest after a pause`() async {
        let model = Model()
        var iterator = model.$count.values.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        model.count = 1
        model.count = 2
        #expect(await iterator.next() == 2)
        model.count = 3
        #expect(await iterator.next() == 3)
    }

    @Test func `a subject that keeps nothing drops what nobody is waiting for`() async {
        let subject = PassthroughSubject<Int, Never>()
        var iterator = subject.values.makeAsyncIterator()
        subject.send(1)
        subject.send(completion: .finished)
        #expect(await iterator.next() == nil)
    }

    @Test func `a cancelled task gets nil and its subscription ends`() async {
        let watched = Watched<Int>()
        let log = watched.log
        let values = watched.values
        nonisolated(unsafe) let unsafeValues = values
        let task = Task {
            for await _ in unsafeValues { Issue.record("nothing was sent") }
        }
        while watchedRequests(log) == 0, !Task.isCancelled { await Task.yield() }
        task.cancel()
        await task.value
        #expect(log.cancels == 1)
    }

    private func watchedRequests(_ log: Watched<Int>.DemandLog) -> Int { log.requests.count }

    @Test @MainActor func `iteration on the main actor stays there`() async {
        let model = Model()
        var seen: [Int] = []
        for await value in model.$count.values {
            MainActor.assertIsolated()
            seen.append(value)
            if value == 2 { break }
            model.count = value + 1
        }
        #expect(seen == [0, 1, 2])
    }

    @Test func `releasing the iterator ends the subscription`() async {
        let watched = Watched<Int>()
        do {
            let iterator = watched.values.makeAsyncIterator()
            _ = iterator
        }
        #expect(watched.log.cancels == 1)
    }
}
