// Finds the web client: where it was said to be, beside the program, or where packages put it.

import Glibc
import RelayServer

enum WebDirectory {
    static func load(_ given: String?) throws(Program.Complaint) -> Site? {
        guard let directory = given ?? candidates.first(where: { access($0 + "/index.html", R_OK) == 0 }) else {
            Program.complain("hearth: no web client found; give its directory with --web. Only the protocol is served.")
            return nil
        }
        do throws(Site.Failure) { return try Site(directory: directory) } catch {
            switch error {
            case .noPage(let path): throw complaint("\(path) has no index.html: give the web client's directory with --web.")
            case .unreadable(let path): throw complaint("\(path) cannot be read. Give the web client's directory with --web.")
            case .tooLarge(let path, let limit): throw complaint("\(path) holds more than \(limit) bytes of pages: that is hardly the web client. Give its directory with --web.")
            }
        }
    }

    private static func complaint(_ text: String) -> Program.Complaint { .init(exit: .configuration, text: text) }

    private static var candidates: [String] {
        var found = ["Web"]
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        if count > 0 {
            let program = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            var directory = program[...]
            for _ in 0..<6 {
                guard let slash = directory.lastIndex(of: "/") else { break }
                directory = directory[..<slash]
                found.append(directory + "/Web")
                found.append(directory + "/share/hearth/web")
            }
        }
        return found + ["/usr/local/share/hearth/web", "/usr/share/hearth/web"]
    }
}
