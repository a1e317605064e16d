// A folder into which photos are saved: each under a safe name, and nothing overwritten.

import Conversations
import Foundation
import Glibc
import Synchronization

/// May be used from any task.
final class PhotoFolder: Sendable {
    enum Outcome: Equatable, Sendable {
        case saved(name: String)
        /// A file of that name with the same content lies there.
        case thereAlready(name: String)
    }

    let path: String
    /// How names count as equal here, and which are taken.
    private let taken: Mutex<Set<String>>
    private let lastNumber = Mutex(0)

    /// Makes the folder when it is missing.
    init(_ path: String) throws(Program.Complaint) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            taken = Mutex(Set(try FileManager.default.contentsOfDirectory(atPath: path).map(SafeName.key)))
        } catch {
            throw Program.Complaint(exit: .cannotWrite, text: "The folder \(ShownText.line(path)) cannot be used: \(String(cString: strerror(errno))). Give another one with --into.")
        }
        guard access(path, W_OK | X_OK) == 0 else { throw Program.Complaint(exit: .cannotWrite, text: "This user may not write in \(ShownText.line(path)). Give another folder with --into.") }
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// A name for what is not whole yet; nobody else's.
    func partialPath() -> String {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        return "\(path)/.hearth-\(getpid())-\(number)"
    }

    /// The file that a photo would be and is already, by the digest that it names; `nil`: it has to be loaded to know.
    func known(_ photo: Photo) -> String? {
        guard !photo.digest.isEmpty else { return nil }
        return twin(SafeName.of(photo.name, photo.format), sizeBytes: photo.sizeBytes, digest: photo.digest)
    }

    /// Gives what was loaded its name, unless it lies there under one already.
    func settle(_ partial: String, _ photo: Photo) throws(Program.Complaint) -> Outcome {
        defer { unlink(partial) }
        let wanted = SafeName.of(photo.name, photo.format)
        if let digest = FileDigest.sha256(partial), let name = twin(wanted, sizeBytes: photo.sizeBytes, digest: digest) { return .thereAlready(name: name) }
        while true {
            let name = taken.withLock { taken in
                let name = SafeName.free(wanted) { taken.contains(SafeName.key($0)) }
                taken.insert(SafeName.key(name))
                return name
            }
            // `link` fails where a name has come to be meanwhile, a dangling link included: nothing is overwritten, nothing followed.
            if link(partial, "\(path)/\(name)") == 0 { return .saved(name: name) }
            guard errno == EEXIST else {
                throw Program.Complaint(exit: .cannotWrite, text: "\(ShownText.line("\(path)/\(name)")) cannot be written: \(String(cString: strerror(errno))).")
            }
        }
    }

    private func twin(_ wanted: String, sizeBytes: Int, digest: String) -> String? {
        var name: String?
        _ = SafeName.free(wanted) { candidate in
            var status = stat()
            guard lstat("\(path)/\(candidate)", &status) == 0 else { return false }
            if status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == sizeBytes, FileDigest.sha256("\(path)/\(candidate)") == digest { name = candidate }
            return name == nil
        }
        return name
    }
}
