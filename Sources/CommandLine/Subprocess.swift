// Runs another program to its end and returns what it said.

import Glibc

enum Subprocess {
    /// `nil` when there is no such program. What it writes to either output comes back, up to 64 KiB.
    static func run(_ arguments: [String]) -> (status: Int32, output: String)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawnp(&process, arguments[0], &actions, nil, words, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard code == 0 else { return nil }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(ends[0], &piece, piece.count)
            if count <= 0 { break }
            if output.count < 65_536 { output += piece[..<count] }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return (status & 0x7f == 0 ? status >> 8 & 0xff : -1, String(decoding: output, as: UTF8.self))
    }
}
