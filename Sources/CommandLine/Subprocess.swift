// Runs another program to its end and returns what it said.

import Foundation
import Glibc

enum Subprocess {
    private static let starting = NSLock()

    /// `nil` when there is no such program. What it writes to either output comes back, up to 64 KiB.
    static func run(_ arguments: [String]) -> (status: Int32, output: String)? {
        guard let (status, bytes) = run(arguments, inputPath: "/dev/null", keepsErrors: true, outputLimitBytes: 65_536, timeLimitSeconds: nil) else { return nil }
        return (status, String(decoding: bytes, as: UTF8.self))
    }

    /// The same with a file as its input, and only what it writes to standard output, up to 1 MiB; it is killed when its time is over.
    static func run(_ arguments: [String], inputPath: String, timeLimitSeconds: Int) -> (status: Int32, output: [UInt8])? {
        run(arguments, inputPath: inputPath, keepsErrors: false, outputLimitBytes: 1 << 20, timeLimitSeconds: timeLimitSeconds)
    }

    private static func run(
        _ arguments: [String], inputPath: String, keepsErrors: Bool, outputLimitBytes: Int, timeLimitSeconds: Int?
    ) -> (status: Int32, output: [UInt8])? {
        var ends: [Int32] = [0, 0]
        // One at a time: a program that another thread starts before the flags are set would hold the pipe open.
        starting.lock()
        guard pipe(&ends) == 0 else {
            starting.unlock()
            return nil
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if keepsErrors { posix_spawn_file_actions_adddup2(&actions, ends[1], 2) } else { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawnp(&process, arguments[0], &actions, nil, words, environ)
        close(ends[1])
        starting.unlock()
        defer { close(ends[0]) }
        guard code == 0 else { return nil }
        let output = read(ends[0], outputLimitBytes, until: timeLimitSeconds.map { .now + .seconds($0) })
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return (status & 0x7f == 0 ? status >> 8 & 0xff : -1, output ?? [])
    }

    /// To the end; `nil` when that is not reached in time. What is beyond the limit is read and forgotten.
    private static func read(_ descriptor: Int32, _ limitBytes: Int, until deadline: ContinuousClock.Instant?) -> [UInt8]? {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard left > .zero, poll(&wanted, 1, Int32(clamping: left.components.seconds * 1_000 + 1_000)) > 0 else { return nil }
            }
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return output }
            if output.count < limitBytes { output += piece[..<count] }
        }
    }
}
