// What a relay in a process of its own says of itself: memory and descriptors that no other test has a share in.

import Glibc

enum ProcessWatch {
    struct Figures {
        let connections: Int
        let descriptors: Int
        let residentBytes: Int
    }

    static func figures(_ port: Int) throws -> Figures {
        Figures(
            connections: try metric("hearth_connections", port), descriptors: try metric("process_open_fds", port),
            residentBytes: try metric("process_resident_memory_bytes", port))
    }

    static func metric(_ name: String, _ port: Int) throws -> Int {
        let text = try RawSocket(port: port).request("GET", "/metrics").text
        return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }

    /// A sanitizer keeps several bytes for each of ours.
    static func allowanceBytes(_ bytes: Int) -> Int { getenv("HEARTH_SANITIZER") == nil ? bytes : max(16 * bytes, 1 << 30) }

    static func relay() throws -> HearthProcess { try HearthProcess(["serve", "--host", "127.0.0.1", "--port", "0", "--data", temporaryDirectory(), "--quiet"]) }
}
