// A few threads, each with a connection that it keeps: parts travel on them one after the other.

import CCurl
import Conversations
import Glibc
import Synchronization

final class CurlWorkers: Sendable {
    private typealias Job = (request: PartRequest, answer: CheckedContinuation<Result<Int, PartFailure>, Never>)

    private struct State {
        var jobs: [Job] = []
        var idleCount = 0
        var threadCount = 0
        var isStopping = false
    }

    private static let isReady = ccurl_start() == 1
    private let count: Int
    private let certificateAuthorityPath: String?
    private let state = Mutex(State())
    private let signal = Signal()

    init(count: Int, certificateAuthorityPath: String?) {
        self.count = max(1, count)
        self.certificateAuthorityPath = certificateAuthorityPath
    }

    /// Returns the relay's status. Cancelling the task breaks the request off.
    func perform(_ request: PartRequest) async throws(PartFailure) -> Int {
        guard Self.isReady else { throw .unreachable }
        let result: Result<Int, PartFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let isTaken = state.withLock { state -> Bool? in
                    guard !state.isStopping else { return nil }
                    state.jobs.append((request, answer))
                    guard state.jobs.count > state.idleCount, state.threadCount < count else { return true }
                    state.threadCount += 1
                    return false
                }
                switch isTaken {
                case nil: answer.resume(returning: .failure(.unreachable))
                case false?: start()
                case true?: break
                }
                signal.give()
            }
        } onCancel: {
            request.cancel()
        }
        return try result.get()
    }

    /// The threads end once their requests have.
    func stop() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            state.isStopping = true
            return state.jobs
        }
        for job in jobs { job.answer.resume(returning: .failure(.unreachable)) }
        for _ in 0..<count { signal.give() }
    }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<CurlWorkers>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread for a request")
        pthread_detach(thread)
    }

    private func run() {
        guard let curl = curl_easy_init() else { return }
        defer { curl_easy_cleanup(curl) }
        while true {
            let (job, isStopping) = state.withLock { state -> (Job?, Bool) in
                if !state.jobs.isEmpty { return (state.jobs.removeFirst(), false) }
                if !state.isStopping { state.idleCount += 1 }
                return (nil, state.isStopping)
            }
            if isStopping { return }
            guard let job else {
                signal.take()
                state.withLock { $0.idleCount -= 1 }
                continue
            }
            let result = Result { () throws(PartFailure) in try job.request.perform(on: OpaquePointer(curl), certificateAuthorityPath: certificateAuthorityPath) }
            job.answer.resume(returning: result)
        }
    }
}

/// A counting semaphore.
private final class Signal: Sendable {
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func give() { sem_post(semaphore) }
    func take() { while sem_wait(semaphore) != 0 {} }
}
