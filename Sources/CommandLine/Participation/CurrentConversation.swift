// Where the link of the person's current conversation is kept, and the lock of the process that stays in it.

import Foundation
import Glibc

struct CurrentConversation: Sendable {
    let directory: String

    init(environment: [String: String]) {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(environment["HOME"] ?? ".")/.local/state"
        directory = "\(state)/hearth"
    }

    var file: String { "\(directory)/conversation" }
    private var keeperFile: String { "\(directory)/keeper" }

    /// `nil`: none.
    func link() -> String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let link = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return link.isEmpty ? nil : link
    }

    /// Writes beside and renames, readable by this person alone.
    func set(_ link: String) throws(Program.Complaint) {
        do throws(Program.Complaint) { try DataDirectory.make(directory) } catch {
            throw Program.Complaint(exit: .cannotWrite, text: "Cannot make the folder \(directory). XDG_STATE_HOME names another place.")
        }
        var template = Array("\(file)-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        let partial = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let bytes = Array("\(link)\n".utf8)
        let isWritten = descriptor >= 0 && fchmod(descriptor, 0o600) == 0 && write(descriptor, bytes, bytes.count) == bytes.count
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(partial, file) == 0 else {
            unlink(partial)
            throw Program.Complaint(exit: .cannotWrite, text: "Cannot write \(file): \(String(cString: strerror(errno))). XDG_STATE_HOME names another place.")
        }
    }

    /// Whether there was one.
    func clear() -> Bool {
        forgetPass()
        return unlink(file) == 0
    }

    // MARK: The process that stays

    /// Holds the lock until the process ends. False when another process holds it.
    func keep() -> Bool {
        guard let descriptor = openKeeperFile(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        let text = Array("\(getpid())\n".utf8)
        return ftruncate(descriptor, 0) == 0 && write(descriptor, text, text.count) == text.count
    }

    /// The process that stays in a conversation; `nil`: none does. A file without a lock says nothing.
    func keeper() -> pid_t? {
        guard access(keeperFile, F_OK) == 0, let descriptor = openKeeperFile() else { return nil }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = max(0, read(descriptor, &bytes, bytes.count))
        return pid_t(String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 1 ? $0 : nil }
    }

    /// Asks the process that stays to leave, and waits until it has. Returns which it was.
    func dismissKeeper() async -> pid_t? {
        guard let keeper = keeper(), kill(keeper, SIGTERM) == 0 else { return nil }
        for _ in 0..<100 where self.keeper() == keeper { try? await Task.sleep(for: .milliseconds(50)) }
        return keeper
    }

    private func openKeeperFile() -> Int32? {
        guard (try? DataDirectory.make(directory)) != nil else { return nil }
        let descriptor = open(keeperFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }
}
