// The program itself as a process of its own, to be stopped and killed.

import Glibc

final class HearthProcess {
    let port: Int
    let greeting: String
    private let process: pid_t
    private let output: Int32
    private var status: Int32?

    /// The built program lies beside the test bundle.
    static var program: String {
        for word in Swift.CommandLine.arguments {
            guard let range = word.lastIndex(of: "/"), word.contains(".xctest") else { continue }
            let path = String(word[..<range]) + "/hearth"
            if access(path, X_OK) == 0 { return path }
        }
        var buffer = [CChar](repeating: 0, count: 4_097)
        let count = max(0, readlink("/proc/self/exe", &buffer, 4_096))
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) + "/hearth"
    }

    struct Ended: Error { let status: Int32, output: String, errors: String }

    /// Starts the program and waits for its first line. Throws `Ended` when it ends instead.
    init(_ arguments: [String], environment: [String] = []) throws {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let errorsPath = temporaryDirectory() + "/errors"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_CREAT, 0o600)
        var words = ([Self.program] + arguments).map { strdup($0) }
        words.append(nil)
        var variables = (environment + ["PATH=/usr/bin:/bin", "HOME=/nonexistent"]).map { strdup($0) }
        variables.append(nil)
        var process = pid_t()
        let code = posix_spawn(&process, Self.program, &actions, nil, words, variables)
        posix_spawn_file_actions_destroy(&actions)
        for word in words + variables { free(word) }
        close(ends[1])
        precondition(code == 0, "cannot start \(Self.program)")
        self.process = process
        output = ends[0]
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != 10 { text.append(byte) }
        greeting = String(decoding: text, as: UTF8.self)
        let digits = greeting.dropLast().reversed().prefix { $0.isNumber }.reversed()
        port = Int(String(digits)) ?? 0
        if port == 0 {
            var status: Int32 = 0
            waitpid(process, &status, 0)
            self.status = status
            let file = fopen(errorsPath, "r")
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = file.map { fread(&buffer, 1, buffer.count, $0) } ?? 0
            if let file { fclose(file) }
            removeTree(String(errorsPath.dropLast("/errors".count)))
            throw Ended(status: status >> 8 & 0xff, output: greeting, errors: String(decoding: buffer[..<count], as: UTF8.self))
        }
        removeTree(String(errorsPath.dropLast("/errors".count)))
    }

    deinit {
        kill()
        close(output)
    }

    /// As a crash would end it: at once, without a chance to do anything.
    func kill() {
        guard status == nil else { return }
        Glibc.kill(process, SIGKILL)
        _ = wait()
    }

    func terminate() { Glibc.kill(process, SIGTERM) }

    /// Waits for the end; returns what `waitpid` says.
    func wait() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        self.status = status
        return status
    }
}
