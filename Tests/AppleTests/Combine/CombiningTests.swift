// Several publishers together, and one for many subscribers.

import Combine
import Dispatch
import Testing

@Suite struct CombiningTests {
    private let a = PassthroughSubject<Int, Never>()
    private let b = PassthroughSubject<String, Never>()

    @Test func `combineLatest waits for one of each and then pairs the newest`() {
        let recorder = a.combineLatest(b).map { "\($0)\($1)" }.record()
        a.send(1)
        a.send(2)
        b.send("x")
        a.send(3)
        b.send("y")
        #expect(recorder.values == ["2x", "3x", "3y"])
        a.send(completion: .finished)
        b.send("z")
        #expect(recorder.values.last == "3z")
        #expect(recorder.completion == nil)
        b.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test func `combineLatest of four takes the newest of each`() {
        let recorder = a.combineLatest(b, a, b) { "\($0)\($1)\($2)\($3)" }.record()
        a.send(1)
        b.send("x")
        #expect(recorder.values.last == "1x1x")
        b.send("y")
        #expect(recorder.values.last == "1y1y")
    }

    @Test func `zip pairs in order and ends when no pair can follow`() {
        let recorder = a.zip(b).map { "\($0)\($1)" }.record()
        a.send(1)
        a.send(2)
        b.send("x")
        a.send(completion: .finished)
        #expect(recorder.values == ["1x"])
        #expect(recorder.completion == nil)
        b.send("y")
        #expect(recorder.values == ["1x", "2y"])
        #expect(recorder.isFinished)
    }

    @Test func `merge passes on both and ends with the last`() {
        let c = PassthroughSubject<Int, Never>()
        let recorder = a.merge(with: c).record()
        a.send(1)
        c.send(2)
        a.send(completion: .finished)
        c.send(3)
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.completion == nil)
        c.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test func `merge keeps to the demand and loses nothing that a sequence offers`() {
        let recorder = (1...3).publisher.merge(with: (11...13).publisher).record(.max(2))
        #expect(recorder.values.count == 2)
        recorder.subscription?.request(.max(2))
        #expect(recorder.values.count == 4)
        recorder.subscription?.request(.unlimited)
        #expect(recorder.values.sorted() == [1, 2, 3, 11, 12, 13])
        #expect(recorder.isFinished)
    }

    @Test func `flatMap passes on all inner values and ends after them`() {
        let inner = PassthroughSubject<Int, Never>()
        let recorder = a.flatMap { value in inner.map { $0 * value }.first() }.record()
        a.send(10)
        a.send(100)
        a.send(completion: .finished)
        #expect(recorder.completion == nil)
        inner.send(3)
        #expect(recorder.values.sorted() == [30, 300])
        #expect(recorder.isFinished)
    }

    @Test func `flatMap with a limit opens the next only when one has ended`() {
        var opened: [Int] = []
        let first = PassthroughSubject<Int, Never>()
        let recorder = (1...3).publisher.flatMap(maxPublishers: .max(1)) { value -> AnyPublisher<Int, Never> in
            opened.append(value)
            return value == 1 ? first.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
        }.record()
        #expect(opened == [1])
        first.send(completion: .finished)
        #expect(opened == [1, 2, 3])
        #expect(recorder.values == [2, 3])
        #expect(recorder.isFinished)
    }

    @Test func `a failing inner publisher fails the whole and cancels the others`() {
        let x = PassthroughSubject<Int, Trouble>()
        let y = PassthroughSubject<Int, Trouble>()
        let recorder = x.merge(with: y).record()
        x.send(completion: .failure(.expected))
        y.send(1)
        #expect(recorder.values.isEmpty)
        #expect(recorder.failure == .expected)
    }

    @Test func `switchToLatest follows the newest only`() {
        let first = PassthroughSubject<Int, Never>()
        let second = PassthroughSubject<Int, Never>()
        let recorder = a.map { $0 == 1 ? first : second }.switchToLatest().record()
        a.send(1)
        first.send(11)
        a.send(2)
        first.send(12)
        second.send(21)
        a.send(completion: .finished)
        #expect(recorder.completion == nil)
        second.send(completion: .finished)
        #expect(recorder.values == [11, 21])
        #expect(recorder.isFinished)
    }

    @Test func `merge from many threads delivers everything one at a time`() {
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
        var sum = 0
        let kept = Publishers.MergeMany(subjects).sink { sum += $0 }
        DispatchQueue.concurrentPerform(iterations: 400) { subjects[$0 % 4].send(1) }
        #expect(sum == 400)
        kept.cancel()
    }

    @Test func `share subscribes once and lets go after the last subscriber`() {
        let watched = Watched<Int>()
        let shared = watched.share()
        let first = shared.record()
        let second = shared.record()
        watched.subject.send(1)
        #expect(first.values == [1] && second.values == [1])
        #expect(watched.log.requests == [.unlimited])
        first.subscription?.cancel()
        #expect(watched.log.cancels == 0)
        second.subscription?.cancel()
        #expect(watched.log.cancels == 1)
    }

    @Test func `a connectable publisher sends nothing before it is connected`() {
        let connectable = (1...3).publisher.makeConnectable()
        let recorder = connectable.record()
        #expect(recorder.values.isEmpty)
        let connection = connectable.connect()
        #expect(recorder.values == [1, 2, 3])
        connection.cancel()
    }

    @Test func `handleEvents tells what passes`() {
        var story: [String] = []
        let recorder = (1...2).publisher.handleEvents(
            receiveSubscription: { _ in story.append("subscription") }, receiveOutput: { story.append("\($0)") },
            receiveCompletion: { _ in story.append("end") }, receiveRequest: { story.append("request \($0)") }
        ).record(.max(2))
        #expect(story == ["subscription", "request max(2)", "1", "2", "end"])
        #expect(recorder.isFinished)
    }
}
