// The real relay on a free port inside the test's process, over a directory that goes away with it.

import Glibc
import Relay
import RelayServer
import RelayStorage

struct RunningRelay: Sendable {
    let port: Int
    let directory: String

    /// Names of all files under the bodies' directory.
    var bodyFiles: [String] { files(under: directory + "/bodies") }
}

/// What a test wants of its relay beyond the usual.
struct RelayPlan {
    var server: ServerSettings
    var relay = RelaySettings()
    var site: Site?
    var log = Log.silent
    /// Makes the store in the relay's directory; plain files when `nil`.
    var attachments: ((String) throws -> any AttachmentStore)?

    init(_ change: (inout RelayPlan) -> Void = { _ in }) {
        server = ServerSettings()
        server.host = "127.0.0.1"
        server.port = 0
        server.logsAccess = false
        server.drainTimeLimitSeconds = 1
        change(&self)
    }
}

/// Runs `body` on a thread that may block, against a relay made for it.
func withRelay(_ plan: RelayPlan = RelayPlan(), _ body: @escaping @Sendable (RunningRelay) throws -> Void) async throws {
    let directory = temporaryDirectory()
    defer { removeTree(directory) }
    let ledger = try SQLiteLedgerStore(path: directory + "/ledger.sqlite")
    let bodies = try plan.attachments?(directory) ?? FileAttachmentStore(directory: directory + "/bodies")
    let server = RelayServer(settings: plan.server, relay: plan.relay, ledger: ledger, attachments: bodies, site: plan.site, log: plan.log)
    let port = try await server.start()
    let outcome = await onThread { Result { try body(RunningRelay(port: port, directory: directory)) } }
    await server.stop()
    ledger.close()
    try outcome.get()
}

/// Runs a closure that blocks, without taking a thread from the ones that tasks share.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let box = ThreadBody { continuation.resume(returning: body()) }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(box).toOpaque())
        pthread_detach(thread)
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

func temporaryDirectory() -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/hearth-test.XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary directory")
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeTree(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { removeTree("\(path)/\(name)") }
    rmdir(path)
}

func files(under path: String) -> [String] {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return [] }
    if facts.st_mode & S_IFMT != S_IFDIR { return [path] }
    return names(in: path).flatMap { files(under: "\(path)/\($0)") }
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

/// Asks again until `condition` holds. For things that have no event to wait for.
func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<2_000 {
        if try condition() { return }
        usleep(5_000)
    }
    throw NeverHappened(what: what)
}

struct NeverHappened: Error { let what: String }
