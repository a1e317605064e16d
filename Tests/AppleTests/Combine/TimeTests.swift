// Operators that know time, under a clock that the test moves; and delivery on real queues, waited for and not timed.

import Combine
import Dispatch
import Foundation
import Testing

@Suite struct TimeTests {
    private let clock = VirtualScheduler()
    private let subject = PassthroughSubject<Int, Never>()

    @Test func `debounce sends the last value of a burst when it has been quiet`() {
        let recorder = subject.debounce(for: .seconds(1), scheduler: clock).record()
        subject.send(1)
        clock.advance(by: .milliseconds(900))
        subject.send(2)
        clock.advance(by: .milliseconds(900))
        #expect(recorder.values.isEmpty)
        clock.advance(by: .milliseconds(100))
        #expect(recorder.values == [2])
    }

    @Test func `throttle sends the first at once and then the newest, or the first, of each interval`() {
        let newest = subject.throttle(for: .seconds(1), scheduler: clock, latest: true).record()
        let first = subject.throttle(for: .seconds(1), scheduler: clock, latest: false).record()
        subject.send(1)
        clock.advance()
        subject.send(2)
        subject.send(3)
        clock.advance(by: .milliseconds(999))
        #expect(newest.values == [1] && first.values == [1])
        clock.advance(by: .milliseconds(1))
        #expect(newest.values == [1, 3])
        #expect(first.values == [1, 2])
    }

    @Test func `a throttled value is not lost to the end that follows`() {
        let recorder = subject.throttle(for: .seconds(1), scheduler: clock, latest: true).record()
        subject.send(1)
        clock.advance()
        subject.send(2)
        subject.send(completion: .finished)
        clock.advance()
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
        // Nor does it come again when it would have been due.
        clock.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2])
    }

    @Test func `delay keeps order and delays the end too`() {
        let recorder = subject.delay(for: .seconds(2), scheduler: clock).record()
        subject.send(1)
        clock.advance(by: .seconds(1))
        subject.send(2)
        subject.send(completion: .finished)
        clock.advance(by: .seconds(1))
        #expect(recorder.values == [1])
        clock.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
    }

    @Test func `what has been handed to a scheduler is not delivered after cancelling`() {
        let recorder = subject.receive(on: clock).record()
        subject.send(1)
        recorder.subscription?.cancel()
        clock.advance()
        #expect(recorder.values.isEmpty)
    }

    @Test func `receive on a concurrent queue keeps the order`() async {
        let values: [Int] = await withCheckedContinuation { continuation in
            (0..<500).publisher.receive(on: DispatchQueue.global()).collect()
                .subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { continuation.resume(returning: $0) }))
        }
        #expect(values == Array(0..<500))
    }

    @Test(arguments: [true, false]) func `receive on the main queue and on the main run loop delivers on the main actor`(byRunLoop: Bool) async {
        let isMain: Bool = await withCheckedContinuation { continuation in
            let sink = Subscribers.Sink<Bool, Never>(receiveCompletion: { _ in }, receiveValue: { continuation.resume(returning: $0) })
            let just = Just(1)
            if byRunLoop {
                just.receive(on: RunLoop.main).map { _ in MainActor.assumeIsolated { true } }.subscribe(sink)
            } else {
                just.receive(on: DispatchQueue.main).map { _ in MainActor.assumeIsolated { true } }.subscribe(sink)
            }
        }
        #expect(isMain)
    }

    @Test func `a timer sends once it is connected`() async {
        var dates = 0
        for await _ in Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().values {
            dates += 1
            if dates == 3 { break }
        }
        #expect(dates == 3)
    }

    @Test func `notifications of a name arrive until cancelled`() {
        let center = NotificationCenter()
        let name = Notification.Name("something")
        var count = 0
        let kept = center.publisher(for: name).sink { _ in count += 1 }
        center.post(name: name, object: nil)
        center.post(name: .init("other"), object: nil)
        kept.cancel()
        center.post(name: name, object: nil)
        #expect(count == 1)
    }
}
