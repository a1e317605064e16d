// The built program as processes of its own: a relay, and commands that end or stay.

import Foundation
import Glibc
import Testing

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory().trimmingSuffix("/") + "/hearth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init) }

    /// Hidden ones too.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}

/// One process of the program, its lines as they come.
final class HearthProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let errorsPath: String
    private let input = Pipe()
    private var buffer: [UInt8] = []
    private(set) var lines: [String] = []

    /// The built program lies beside the test bundle.
    static let program: String = {
        for word in Swift.CommandLine.arguments where word.contains(".xctest") {
            guard let slash = word.lastIndex(of: "/") else { continue }
            let path = String(word[..<slash]) + "/hearth"
            if access(path, X_OK) == 0 { return path }
        }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: own).deletingLastPathComponent().appending(path: "hearth").path(percentEncoded: false)
    }()

    init(_ words: [String], _ environment: [String: String], errors: TemporaryFolder) throws {
        errorsPath = "\(errors.path)/.errors-\(UUID().uuidString)"
        FileManager.default.createFile(atPath: errorsPath, contents: nil)
        process.executableURL = URL(filePath: Self.program)
        process.arguments = words
        // A program that ends has much that it still uses, and the leak detector does not see the pointers that enums carry their cases in.
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": errors.path, "ASAN_OPTIONS": "detect_leaks=0"].merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorsPath)
        process.standardInput = input
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var identifier: pid_t { process.processIdentifier }
    var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }

    func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
    }

    /// Blocks until there is a whole line; `nil` at the end.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                lines.append(line)
                return line
            }
            guard let more = try? output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { return nil }
            buffer += more
        }
    }

    /// The next event of that kind; those before it are passed over.
    func next(_ event: String) throws -> [String: Any] {
        while let line = nextLine() {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            if object["event"] as? String == event { return object }
        }
        throw Missing(event: event, lines: lines, errors: errors)
    }

    struct Missing: Error { let event: String, lines: [String], errors: String }

    func interrupt() { process.interrupt() }
    func terminate() { process.terminate() }

    /// Reads to the end; returns the exit code.
    func end() -> Int32 {
        while nextLine() != nil {}
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A relay of its own, and people with state folders of their own.
final class Gathering: Sendable {
    let folder: TemporaryFolder
    let origin: String
    private let relay: HearthProcess

    init(_ options: [String] = []) throws {
        folder = try TemporaryFolder()
        relay = try HearthProcess(["serve", "--port", "0", "--host", "127.0.0.1", "--data", "\(folder.path)/relay", "--web", Self.site(folder), "--quiet"] + options, [:], errors: folder)
        let greeting = try #require(relay.nextLine())
        let port = try #require(greeting.firstMatch(of: /:([0-9]+)\/$/)?.1, "\(greeting)")
        origin = "http://127.0.0.1:\(port)"
    }

    deinit { stopRelay() }

    func stopRelay() {
        kill(relay.identifier, SIGKILL)
        _ = relay.end()
    }

    private static func site(_ folder: TemporaryFolder) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/web", withIntermediateDirectories: true)
        _ = try folder.write(Array("<!doctype html>".utf8), "web/index.html")
        return "\(folder.path)/web"
    }

    func person(_ name: String) -> Person { Person(name: name, gathering: self) }
}

struct Person: Sendable {
    let name: String
    let gathering: Gathering

    var state: String { "\(gathering.folder.path)/state-\(name)" }

    /// Begins a command.
    func start(_ words: String..., link: String? = nil, environment: [String: String] = [:]) throws -> HearthProcess { try start(words, link, environment) }

    private func start(_ words: [String], _ link: String?, _ environment: [String: String]) throws -> HearthProcess {
        var variables = ["XDG_STATE_HOME": state, "HEARTH_NAME": name, "HEARTH_RELAY": gathering.origin].merging(environment) { $1 }
        if let link { variables["HEARTH_INVITATION"] = link }
        return try HearthProcess(words, variables, errors: gathering.folder)
    }

    struct Done { let exit: Int32, lines: [String], errors: String }

    /// Does a command to its end.
    @discardableResult func run(_ words: String..., link: String? = nil, environment: [String: String] = [:]) throws -> Done {
        let process = try start(words, link, environment)
        let exit = process.end()
        return Done(exit: exit, lines: process.lines, errors: process.errors)
    }

    /// The same with --json, its events as objects.
    func events(_ words: String..., link: String? = nil) throws -> [[String: Any]] {
        let process = try start(words + ["--json"], link, [:])
        #expect(process.end() == 0, "\(words): \(process.errors)")
        return try process.lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
}

/// A conversation that somebody keeps open, and its link.
func invited(_ gathering: Gathering) throws -> (keeper: HearthProcess, link: String) {
    let keeper = try gathering.person("Host").start("invite", "--json")
    return (keeper, try #require(try keeper.next("invitation")["link"] as? String))
}
