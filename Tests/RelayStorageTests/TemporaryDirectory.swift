// A directory for one test, gone after it, and what a test wants to know of it.

import Glibc

func withDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/hearth-test.XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary directory")
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { removeTree(directory) }
    return try await body(directory)
}

func removeTree(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { removeTree("\(path)/\(name)") }
    rmdir(path)
}

func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
        let name = withUnsafePointer(to: &item.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } }
        if name != "." && name != ".." { names.append(name) }
    }
    return names
}

func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&piece, 1, piece.count, file)
        if count == 0 { return bytes }
        bytes += piece[..<count]
    }
}

extension [UInt8] {
    func contains(_ other: [UInt8]) -> Bool {
        guard !other.isEmpty, count >= other.count else { return false }
        return (0...(count - other.count)).contains { start in self[start] == other[0] && Array(self[start..<(start + other.count)]) == other }
    }
}
