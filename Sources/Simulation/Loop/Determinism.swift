// Takes the two things that are left to chance in a process away from it: which thread runs a task, and what libcrypto calls random.

import Glibc

/// On the thread that runs a world, tasks run on its loop and random bytes come from its seed. Other threads notice nothing.
enum Determinism {
    private final class Reign {
        let loop: EventLoop
        var dice: Dice

        init(_ loop: EventLoop, _ dice: Dice) {
            self.loop = loop
            self.dice = dice
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "a process has room for one more key")
        return key
    }()

    private static var reign: Reign? { pthread_getspecific(key).map { Unmanaged<Reign>.fromOpaque($0).takeUnretainedValue() } }

    /// Runs `body` with everything on this thread decided by `loop` and `seed`.
    static func reign<Result>(_ loop: EventLoop, seed: UInt64, _ body: () throws -> Result) rethrows -> Result {
        _ = installed
        let reign = Reign(loop, Dice(seed: seed, purpose: 0x6b65_7973))
        pthread_setspecific(key, Unmanaged.passUnretained(reign).toOpaque())
        defer { pthread_setspecific(key, nil) }
        return try withExtendedLifetime(reign, body)
    }

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    private typealias RandomBytes = @convention(c) (UnsafeMutablePointer<UInt8>?, CInt) -> CInt
    private typealias SetMethod = @convention(c) (UnsafeRawPointer?) -> CInt
    private typealias GetMethod = @convention(c) () -> UnsafeRawPointer?

    /// `RAND_METHOD` of libcrypto.
    private struct Method {
        var seed: UnsafeRawPointer?
        var bytes: RandomBytes?
        var cleanup: UnsafeRawPointer?
        var add: UnsafeRawPointer?
        var pseudorandom: RandomBytes?
        var status: (@convention(c) () -> CInt)?
    }

    nonisolated(unsafe) private static var ordinary = Method()

    private static func symbol<Value>(_ name: String, as type: Value.Type) -> Value {
        guard let address = dlsym(dlopen(nil, RTLD_LAZY), name) else { fatalError("\(name) is part of what this program is made with") }
        return unsafeBitCast(address, to: type)
    }

    /// Gives back the table that libcrypto holds from then on, so that it is held here, too.
    private nonisolated(unsafe) static let installed: UnsafeMutablePointer<Method> = {
        let hook: Hook = { job, original in
            if let reign = Determinism.reign { reign.loop.enqueue(job) } else { original(job) }
        }
        symbol("swift_task_enqueueGlobal_hook", as: UnsafeMutablePointer<Hook?>.self).pointee = hook

        guard let method = symbol("RAND_OpenSSL", as: GetMethod.self)() else { fatalError("libcrypto has a method of its own") }
        ordinary = method.assumingMemoryBound(to: Method.self).pointee
        let draw: RandomBytes = { buffer, count in
            guard let reign = Determinism.reign else { return Determinism.ordinary.bytes?(buffer, count) ?? 0 }
            for index in 0..<Int(count) { buffer?[index] = UInt8(truncatingIfNeeded: reign.dice.next()) }
            return 1
        }
        let own = UnsafeMutablePointer<Method>.allocate(capacity: 1)
        own.initialize(to: ordinary)
        own.pointee.bytes = draw
        own.pointee.pseudorandom = draw
        precondition(symbol("RAND_set_rand_method", as: SetMethod.self)(own) == 1, "libcrypto takes another method")
        return own
    }()
}
