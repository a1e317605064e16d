// Subjects and the ends of chains: demand, order, release.

import Combine
import Dispatch
import Foundation
import Testing

@Suite struct SubjectTests {
    @Test func `a value sent without demand is lost and one within demand arrives`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(.max(2))
        for value in 1...4 { subject.send(value) }
        #expect(recorder.values == [1, 2])
        recorder.subscription?.request(.max(1))
        subject.send(5)
        subject.send(6)
        #expect(recorder.values == [1, 2, 5])
    }

    @Test func `demand returned from receive counts`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(.max(1)) { $0 < 3 ? .max(1) : .none }
        for value in 1...5 { subject.send(value) }
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `nothing comes after completion, and a late subscriber hears of it`() {
        let subject = PassthroughSubject<Int, Trouble>()
        let early = subject.record()
        subject.send(1)
        subject.send(completion: .failure(.expected))
        subject.send(2)
        subject.send(completion: .finished)
        #expect(early.values == [1])
        #expect(early.failure == .expected)
        let late = subject.record()
        #expect(late.values.isEmpty)
        #expect(late.failure == .expected)
    }

    @Test func `a current value is given to each new subscriber`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let first = subject.record()
        subject.value = 2
        let second = subject.record()
        subject.send(3)
        #expect(first.values == [1, 2, 3])
        #expect(second.values == [2, 3])
        #expect(subject.value == 3)
    }

    @Test func `a subscriber without demand gets the newest current value when it asks`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let recorder = subject.record(.none)
        subject.send(2)
        subject.send(3)
        #expect(recorder.values.isEmpty)
        recorder.subscription?.request(.max(1))
        #expect(recorder.values == [3])
        recorder.subscription?.request(.max(1))
        #expect(recorder.values == [3])
        subject.send(4)
        #expect(recorder.values == [3, 4])
    }

    @Test func `the current value is stored before it is sent`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        let kept = subject.sink { _ in seen.append(subject.value) }
        subject.send(2)
        #expect(seen == [1, 2])
        kept.cancel()
    }

    @Test func `a value sent from inside a sink is delivered at once`() {
        let subject = PassthroughSubject<Int, Never>()
        var story: [String] = []
        let kept = subject.sink { value in
            story.append("begin \(value)")
            if value < 3 { subject.send(value + 1) }
            story.append("end \(value)")
        }
        subject.send(1)
        #expect(story == ["begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1"])
        kept.cancel()
    }

    @Test func `cancelling from inside a sink stops the values that follow`() {
        let subject = PassthroughSubject<Int, Never>()
        var kept: AnyCancellable?
        var seen: [Int] = []
        kept = subject.sink {
            seen.append($0)
            if $0 == 2 { kept?.cancel() }
        }
        for value in 1...4 { subject.send(value) }
        #expect(seen == [1, 2])
    }

    @Test func `a sink's closures are released on cancelling and on completion`() {
        for ends in [true, false] {
            let subject = PassthroughSubject<Int, Never>()
            weak var released: Token?
            let kept: AnyCancellable
            do {
                let token = Token()
                released = token
                kept = subject.map { $0 + 1 }.filter { _ in true }.sink(receiveCompletion: { _ in _ = token }, receiveValue: { _ in _ = token })
            }
            #expect(released != nil)
            ends ? subject.send(completion: .finished) : kept.cancel()
            #expect(released == nil)
        }
    }

    @Test func `a dropped cancellable ends the subscription`() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var set = Set<AnyCancellable>()
        subject.sink { seen.append($0) }.store(in: &set)
        subject.send(1)
        set.removeAll()
        subject.send(2)
        #expect(seen == [1])
    }

    @Test func `a subscription keeps its publisher alive`() {
        var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
        weak let watched = subject
        let kept = subject?.sink { _ in }
        subject = nil
        #expect(watched != nil)
        kept?.cancel()
        #expect(watched == nil)
    }

    @Test func `values sent from many threads all arrive, one at a time`() {
        let subject = PassthroughSubject<Int, Never>()
        var sum = 0
        let kept = subject.map { $0 * 2 }.sink { sum += $0 }
        DispatchQueue.concurrentPerform(iterations: 1_000) { subject.send($0) }
        #expect(sum == 999_000)
        kept.cancel()
    }

    @Test func `the last value delivered of a current value is the one stored, whichever thread wins`() {
        let subject = CurrentValueSubject<Int, Never>(-1)
        var last = -2
        let kept = subject.sink { last = $0 }
        DispatchQueue.concurrentPerform(iterations: 500) { subject.send($0) }
        #expect(last == subject.value)
        kept.cancel()
    }

    @Test func `a subject fed by a publisher passes its values and its end on`() {
        let source = PassthroughSubject<Int, Never>()
        let target = PassthroughSubject<Int, Never>()
        let recorder = target.record()
        let feed = source.subscribe(target)
        source.send(1)
        source.send(completion: .finished)
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
        feed.cancel()
    }

    @Test func `a task is cancellable with an empty extension and is cancelled when its token goes`() async {
        var tokens = Set<AnyCancellable>()
        let task = Task { await withUnsafeContinuation { (c: UnsafeContinuation<Void, Never>) in c.resume() } }
        task.store(in: &tokens)
        tokens.removeAll()
        #expect(task.isCancelled)
        await task.value
    }

    @Test func `assign sets the property and lets go of the object when cancelled`() {
        final class Holder { var value = 0 }
        weak var released: Holder?
        let subject = PassthroughSubject<Int, Never>()
        let kept: AnyCancellable
        do {
            let holder = Holder()
            released = holder
            kept = subject.assign(to: \.value, on: holder)
            subject.send(7)
            #expect(holder.value == 7)
        }
        #expect(released != nil)
        kept.cancel()
        #expect(released == nil)
    }
}

extension Task: Cancellable {}
