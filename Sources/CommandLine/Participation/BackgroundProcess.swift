// The same program once more, as a process of its own that stays in a conversation when the terminal is closed.

import Glibc
import Sealing

enum BackgroundProcess {
    private static let descriptorLimit = 4_096
    private static let newSession = Int16(0x80)  // POSIX_SPAWN_SETSID

    /// Returns when it has joined.
    static func start(_ invitation: Invitation, _ setting: Setting) throws(Program.Complaint) -> pid_t {
        var words = ["hearth", "join", "--json", "--name", setting.name]
        if let path = setting.trustedCertificatePath { words += ["--trust", path] }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure("no pipe") }
        // It inherits nothing: whoever waits for this command's descriptors to be closed must not wait for that process.
        for descriptor in 3..<Int32(descriptorLimit) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, newSession)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            close(ends[0])
        }
        // By the environment and not by an argument: arguments can be read by every user of the machine.
        var variables = Program.environment()
        variables["HEARTH_INVITATION"] = invitation.link
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, environment)
        close(ends[1])
        guard code == 0 else { throw failure(String(cString: strerror(code))) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 65_536, read(ends[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
        guard String(decoding: line, as: UTF8.self).contains("\"event\":\"joined\"") else {
            var status: Int32 = 0
            waitpid(process, &status, 0)
            throw Program.Complaint(exit: Program.Exit(rawValue: status >> 8 & 0xff) ?? .failed, text: "The process in the background could not join. Without --background more is told.")
        }
        return process
    }

    private static func failure(_ reason: String) -> Program.Complaint { Program.Complaint(exit: .failed, text: "No process could be started: \(reason).") }
}
