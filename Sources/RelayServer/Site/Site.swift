// The web client's files, read into memory at start. What was not there then cannot be asked for, whatever the path says.

import Glibc

/// The files of one directory and its sub-directories, by path.
public struct Site: Sendable {
    struct File: Sendable {
        let type: String
        let tag: String
        let body: [UInt8]
    }

    public enum Failure: Error, Equatable {
        case noPage(String)
        case tooLarge(path: String, limitBytes: Int)
        case unreadable(String)
    }

    static let sizeLimitBytes = 64 << 20

    private let files: [String: File]

    /// Reads `directory`. Names that start with a dot, tests, symbolic links and unknown kinds of file are left out.
    public init(directory: String) throws(Failure) {
        var found: [String: File] = [:]
        var sizeBytes = 0
        try Self.read(directory, prefix: "", depth: 0, into: &found, sizeBytes: &sizeBytes)
        guard found["/index.html"] != nil else { throw .noPage(directory) }
        files = found
    }

    private static func read(_ directory: String, prefix: String, depth: Int, into found: inout [String: File], sizeBytes: inout Int) throws(Failure) {
        guard depth < 16, let stream = opendir(directory) else { throw .unreadable(directory) }
        defer { closedir(stream) }
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.first != ".", name != "tests" else { continue }
            let path = "\(directory)/\(name)"
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            switch facts.st_mode & S_IFMT {
            case S_IFDIR: try read(path, prefix: "\(prefix)/\(name)", depth: depth + 1, into: &found, sizeBytes: &sizeBytes)
            case S_IFREG:
                guard let type = MediaType.of(name) else { continue }
                sizeBytes += Int(facts.st_size)
                guard sizeBytes <= sizeLimitBytes else { throw .tooLarge(path: directory, limitBytes: sizeLimitBytes) }
                guard let body = contents(path) else { throw .unreadable(path) }
                found["\(prefix)/\(name)"] = File(type: type, tag: tag(body), body: body)
            default: continue
            }
        }
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var body: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return body }
            if count < 0 { return nil }
            body.append(contentsOf: piece[..<count])
        }
    }

    /// FNV-1a over the content: equal content, equal tag, over restarts too.
    private static func tag(_ body: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in body { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return "\"\(String(hash, radix: 16))-\(body.count)\""
    }

    /// The answer to GET or HEAD of `path`, or `nil` when there is no such file. `/` and every invitation's path is the page.
    func answer(path: String, ifNoneMatch: String?, host: String, isSecure: Bool) -> Answer? {
        let isInvitation = path.hasPrefix("/c/") && !path.dropFirst(3).contains("/")
        guard let file = files[path == "/" || isInvitation ? "/index.html" : path] else { return nil }
        var headers = [
            Answer.Header("Content-Type", file.type), Answer.Header("ETag", file.tag), Answer.Header("Cache-Control", "no-cache"),
        ]
        headers += SecurityHeaders.forPages(host: host, isSecure: isSecure)
        if let ifNoneMatch, ifNoneMatch.split(separator: ",").contains(where: { matches($0, file.tag) }) {
            return Answer(status: 304, headers: headers)
        }
        return Answer(status: 200, headers: headers, body: file.body)
    }

    private func matches(_ candidate: Substring, _ tag: String) -> Bool {
        let candidate = candidate.drop { $0 == " " }.prefix { $0 != " " }
        return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
    }
}
