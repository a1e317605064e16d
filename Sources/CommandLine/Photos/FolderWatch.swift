// Tells which files of a followed folder are new and fully written.

import Glibc

/// What a look at a folder saw of one file.
struct SeenFile: Hashable, Sendable {
    let path: String
    let sizeBytes: Int
    let modifiedNanoseconds: Int
    let inode: UInt64

    init(path: String, sizeBytes: Int, modifiedNanoseconds: Int, inode: UInt64 = 0) {
        self.path = path
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
    }

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(path: path, sizeBytes: Int(status.st_size), modifiedNanoseconds: Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec), inode: UInt64(status.st_ino))
    }
}

/// A value: it is told what each look saw, and says what is ready. A file that changes after it was ready is a new one.
struct FolderWatch: Sendable {
    enum Writers: Equatable, Sendable { case none, some, unknown }

    /// Where it cannot be known whether somebody still writes, a file has to rest for so many looks.
    static let restLookCount = 10
    private var known: Set<SeenFile>
    private var waiting: [SeenFile: Int] = [:]

    /// - Parameter known: what is there already and was dealt with.
    init(known: [SeenFile]) { self.known = Set(known) }

    mutating func look(_ seen: [SeenFile], writers: (String) -> Writers) -> [String] {
        var ready: [String] = []
        var next: [SeenFile: Int] = [:]
        for file in seen where !known.contains(file) {
            // Empty files are most often the beginning of one.
            guard let looks = waiting[file], file.sizeBytes > 0 else {
                next[file] = 0
                continue
            }
            let writers = writers(file.path)
            if writers == .none || writers == .unknown && looks + 1 >= Self.restLookCount {
                known.insert(file)
                ready.append(file.path)
            } else {
                next[file] = looks + 1
            }
        }
        waiting = next
        return ready
    }

    /// A read lease is given only while nobody has the file open for writing; file systems without leases do not know.
    static func writers(of path: String) -> Writers {
        let (setLease, readLease, noLease) = (Int32(1_024), Int32(F_RDLCK), Int32(F_UNLCK))  // F_SETLEASE
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .unknown }
        defer { close(descriptor) }
        guard fcntl(descriptor, setLease, readLease) == 0 else { return errno == EAGAIN ? .some : .unknown }
        _ = fcntl(descriptor, setLease, noLease)
        return .none
    }
}
