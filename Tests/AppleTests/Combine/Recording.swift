// What the tests watch with: a subscriber that writes down what comes, and a scheduler whose time is moved by hand.

import Combine
import Foundation

enum Trouble: Error, Equatable { case expected, other }

/// What has come through a subscription, which ends with this: a publisher and its subscriber hold each other until then.
final class Recorder<Input, Failure: Error> {
    private let record: Record<Input, Failure>

    fileprivate init(_ record: Record<Input, Failure>) { self.record = record }

    deinit { record.subscription?.cancel() }

    var values: [Input] { record.values }
    var completion: Subscribers.Completion<Failure>? { record.completion }
    var subscription: (any Subscription)? { record.subscription }

    var isFinished: Bool {
        if case .finished = completion { return true }
        return false
    }

    var failure: Failure? {
        if case .failure(let error) = completion { return error }
        return nil
    }
}

private final class Record<Input, Failure: Error>: Subscriber {
    private(set) var values: [Input] = []
    private(set) var completion: Subscribers.Completion<Failure>?
    private(set) var subscription: (any Subscription)?
    private let initial: Subscribers.Demand
    private let answer: (Input) -> Subscribers.Demand

    init(_ initial: Subscribers.Demand, answer: @escaping (Input) -> Subscribers.Demand) {
        self.initial = initial
        self.answer = answer
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if initial > .none { subscription.request(initial) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        return answer(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
}

extension Publisher {
    func record(_ demand: Subscribers.Demand = .unlimited, answer: @escaping (Output) -> Subscribers.Demand = { _ in .none }) -> Recorder<Output, Failure> {
        let record = Record<Output, Failure>(demand, answer: answer)
        subscribe(record)
        return Recorder(record)
    }
}

/// A demand that its subscriber has made of a publisher, told to the test.
struct Watched<Output>: Publisher {
    typealias Failure = Never
    let subject = PassthroughSubject<Output, Never>()
    let log = DemandLog()

    final class DemandLog { var requests: [Subscribers.Demand] = [], cancels = 0 }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let log = log
        subject.handleEvents(receiveCancel: { log.cancels += 1 }, receiveRequest: { log.requests.append($0) }).subscribe(subscriber)
    }
}

final class VirtualScheduler: Scheduler {
    struct SchedulerTimeType: Strideable {
        typealias Stride = SchedulerInterval
        var nanoseconds: Int
        func distance(to other: Self) -> Stride { .init(nanoseconds: other.nanoseconds - nanoseconds) }
        func advanced(by n: Stride) -> Self { .init(nanoseconds: nanoseconds + n.nanoseconds) }
    }
    typealias SchedulerOptions = Never

    private(set) var now = SchedulerTimeType(nanoseconds: 0)
    let minimumTolerance = SchedulerInterval(nanoseconds: 0)
    private var queue: [(due: SchedulerTimeType, place: Int, action: () -> Void)] = []
    private var count = 0

    func schedule(options: Never?, _ action: @escaping () -> Void) { put(now, action) }
    func schedule(after date: SchedulerTimeType, tolerance: SchedulerInterval, options: Never?, _ action: @escaping () -> Void) { put(date, action) }
    func schedule(after date: SchedulerTimeType, interval: SchedulerInterval, tolerance: SchedulerInterval, options: Never?, _ action: @escaping () -> Void) -> any Cancellable {
        put(date, action)
        return AnyCancellable {}
    }

    /// Runs all that is due within the interval.
    func advance(by interval: SchedulerInterval = 0) {
        let end = now.advanced(by: interval)
        while let next = queue.filter({ $0.due <= end }).min(by: { ($0.due, $0.place) < ($1.due, $1.place) }) {
            queue.removeAll { $0.place == next.place }
            now = max(now, next.due)
            next.action()
        }
        now = end
    }

    private func put(_ due: SchedulerTimeType, _ action: @escaping () -> Void) {
        count += 1
        queue.append((due, count, action))
    }
}

/// Tells whether an object that closures hold has been released.
final class Token {}
