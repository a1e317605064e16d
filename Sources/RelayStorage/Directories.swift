// The few things done with directories: making, listing, syncing, removing.

import Glibc
import Relay

enum Directories {
    /// Makes `path` and what is missing above it. No error when it is there.
    static func make(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw storeError("make \(path)") }
        try make(String(path[..<slash]))
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw storeError("make \(path)") }
    }

    /// The names in a directory, without `.` and `..`; empty when there is no such directory.
    static func names(in path: String) throws(StoreError) -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw storeError("read \(path)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Waits until the file's or directory's content is on the disk itself.
    static func sync(_ path: String, isDirectory: Bool) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isDirectory ? O_DIRECTORY : 0))
        guard descriptor >= 0 else { throw storeError("open \(path)") }
        defer { close(descriptor) }
        if (isDirectory ? fsync(descriptor) : fdatasync(descriptor)) != 0 { throw storeError("sync \(path)") }
    }

    /// Removes a file, or a directory with all that is in it. What is not there counts as removed.
    static func removeTree(_ path: String) throws(StoreError) {
        if unlink(path) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw storeError("remove \(path)") }
        for name in try names(in: path) { try removeTree("\(path)/\(name)") }
        if rmdir(path) != 0 && errno != ENOENT { throw storeError("remove \(path)") }
    }
}
