// Turns the paths of a command into files: those that were named, and those that lie in a folder that was named.

import Foundation
import Glibc

struct PathWalk: Sendable {
    struct Candidate: Equatable, Sendable {
        let path: String
        /// It was meant by name, so a refusal is worth a word and an exit code.
        let isNamed: Bool
    }

    private(set) var candidates: [Candidate] = []
    private(set) var directories: [String] = []

    init(_ paths: [String], isRecursive: Bool) throws(Program.Complaint) {
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0 else { throw Program.Complaint(exit: .cannotRead, text: "\(ShownText.line(path)): \(String(cString: strerror(errno))).") }
            if status.st_mode & S_IFMT == S_IFDIR {
                directories.append(path)
                guard access(path, R_OK | X_OK) == 0 else {
                    throw Program.Complaint(exit: .cannotRead, text: "The folder \(ShownText.line(path)) cannot be read: \(String(cString: strerror(errno))).")
                }
                candidates += Self.files(in: path, isRecursive: isRecursive).map { Candidate(path: $0, isNamed: false) }
            } else {
                candidates.append(Candidate(path: path, isNamed: true))
            }
        }
    }

    /// Regular files, hidden ones left out, in the order of their names.
    static func files(in directory: String, isRecursive: Bool) -> [String] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
        var found: [String] = []
        for name in names {
            let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            var status = stat()
            // Folders behind links are not gone into: they may lead round in a circle.
            guard stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFREG { found.append(path) }
            var own = stat()
            if isRecursive, lstat(path, &own) == 0, own.st_mode & S_IFMT == S_IFDIR { found += files(in: path, isRecursive: true) }
        }
        return found
    }
}
