// The directory in which a relay keeps what must survive, and the lock that keeps a second relay out of it.

import Glibc

struct DataDirectory {
    let path: String

    static var standard: String {
        if let state = getenv("XDG_STATE_HOME"), state.pointee != 0 { return String(cString: state) + "/hearth" }
        let home = getenv("HOME").map { String(cString: $0) } ?? "."
        return home + "/.local/state/hearth"
    }

    /// Makes it when it is missing, and locks it until the process ends.
    init(_ path: String) throws(Program.Complaint) {
        self.path = path
        try Self.make(path)
        let lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw Program.Complaint(
                exit: .cannotWrite, text: "Cannot write in the data directory \(path): \(String(cString: strerror(errno))). Give one that this user may write to with --data.")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw Program.Complaint(exit: .cannotWrite, text: "The data directory \(path) is in use by another relay. Stop that one, or give another directory with --data.")
        }
    }

    static func make(_ path: String) throws(Program.Complaint) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try make(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw Program.Complaint(exit: .cannotWrite, text: "Cannot make the directory \(path): \(String(cString: strerror(errno))). Give another one with --data.")
    }
}
