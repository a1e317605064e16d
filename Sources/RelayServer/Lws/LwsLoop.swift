// The loop's thread: runs libev with the network library on it until it is told to stop.

import CLws
import Glibc
import Synchronization

/// One event loop on a thread of its own.
final class LwsLoop: Sendable {
    static let tickSeconds = 0.25

    let executor: LoopExecutor
    private let loop = Mutex<UInt>(0)
    private let ending = Mutex(Ending())

    private struct Ending {
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    init(executor: LoopExecutor) { self.executor = executor }

    /// Starts the thread and returns once it listens, with the port.
    func start(settings: ServerSettings, front: Front) async throws(LwsContext.Failure) -> Int {
        let outcome: Result<Int, LwsContext.Failure> = await withCheckedContinuation { started in
            let thread = LoopThread { self.run(settings, front) { started.resume(returning: $0) } }
            thread.start()
        }
        return try outcome.get()
    }

    private func run(_ settings: ServerSettings, _ front: Front, started: (Result<Int, LwsContext.Failure>) -> Void) {
        lws_set_log_level(getenv("HEARTH_LWS_LOG") == nil ? 0 : LLL_ERR | LLL_WARN | LLL_NOTICE, nil)
        guard let loop = clws_loop() else { return started(.failure(.context)) }
        let user = Unmanaged.passUnretained(front).toOpaque()
        let hooks = clws_hook(
            loop, user, Self.tickSeconds,
            { _, watcher, _ in Unmanaged<Front>.fromOpaque(watcher!.pointee.data).takeUnretainedValue().endTurn() },
            { _, watcher, _ in Unmanaged<Front>.fromOpaque(watcher!.pointee.data).takeUnretainedValue().loop.workOff() },
            { _, watcher, _ in Unmanaged<Front>.fromOpaque(watcher!.pointee.data).takeUnretainedValue().tick() })!
        executor.adopt(loop: loop, hooks: hooks)
        let context: LwsContext
        do throws(LwsContext.Failure) {
            context = try LwsContext(settings: settings, loop: loop, callback: LwsCallback(front: front))
        } catch {
            executor.release()
            clws_unhook(loop, hooks)
            ev_loop_destroy(loop)
            return started(.failure(error))
        }
        self.loop.withLock { $0 = UInt(bitPattern: loop) }
        started(.success(context.port))
        ev_run(loop, 0)
        self.loop.withLock { $0 = 0 }
        context.destroy()
        // What the disk still has to answer is heard: a question that stays open keeps everything that waits for it.
        let address = UInt(bitPattern: loop)
        Task { [hub = front.hub, executor] in
            await hub.settled()
            executor.perform { if let loop = OpaquePointer(bitPattern: address) { clws_break(loop) } }
        }
        ev_run(loop, 0)
        executor.release()
        clws_unhook(loop, hooks)
        ev_loop_destroy(loop)
        let waiter = ending.withLock { ending in
            ending.isOver = true
            return ending.waiter
        }
        waiter?.resume()
    }

    /// Ends the loop, once; returns when its thread has let go of everything.
    func stop() async {
        await withCheckedContinuation { stopped in
            let isOver = ending.withLock { ending in
                ending.waiter = stopped
                return ending.isOver
            }
            if isOver { return stopped.resume() }
            executor.perform { [self] in
                if let loop = OpaquePointer(bitPattern: loop.withLock { $0 }) { clws_break(loop) }
            }
        }
    }
}

/// A thread that runs one closure.
final class LoopThread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<LoopThread>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread for the event loop: \(String(cString: strerror(code)))")
        pthread_detach(thread)
    }
}
