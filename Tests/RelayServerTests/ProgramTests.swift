// The program `hearth` from outside: what it says, how it ends, and what survives when it is killed.

import Glibc
import Testing
import Wire

@testable import RelayServer

@Suite(.serialized) struct ProgramTests {
    private func withDirectory(_ body: @escaping @Sendable (String) throws -> Void) async throws {
        let directory = temporaryDirectory()
        defer { removeTree(directory) }
        try await onThread { Result { try body(directory) } }.get()
    }

    private static func serve(_ directory: String, _ more: [String] = []) -> [String] {
        ["serve", "--host", "127.0.0.1", "--port", "0", "--data", directory, "--quiet"] + more
    }

    private static func ending(_ arguments: [String], environment: [String] = []) throws -> HearthProcess.Ended {
        do {
            _ = try HearthProcess(arguments, environment: environment)
        } catch let ended as HearthProcess.Ended { return ended }
        throw NeverHappened(what: "the program ends")
    }

    @Test func `the first line is the address`() async throws {
        try await withDirectory { directory in
            let process = try HearthProcess(Self.serve(directory))
            #expect(process.greeting == "Hearth is open at http://localhost:\(process.port)/")
            #expect(try RawSocket(port: process.port).request("GET", "/healthz").text == "ok\n")
        }
    }

    @Test func `what was acknowledged is there after kill -9, and what was not is not`() async throws {
        try await withDirectory { directory in
            var process: HearthProcess? = try HearthProcess(Self.serve(directory))
            let body = try AnnouncedBody(port: process!.port)
            let socket = try RawSocket(port: process!.port)
            #expect(try body.put(socket, 0).status == 201)
            #expect(try body.put(socket, 2).status == 201)
            let broken = try RawSocket(port: process!.port)
            try body.startPut(broken, 1, sends: 500_000)
            let plain = EntryID(.random)
            try body.participant.put(plain, in: .own, sealed: [9, 8, 7])
            process!.kill()
            process = nil

            process = try HearthProcess(Self.serve(directory))
            let again = try RawSocket(port: process!.port)
            let status = try again.request("GET", body.path, headers: [body.authorization])
            #expect(status.text.contains("\"missing\":[1]"))
            #expect(try body.get(again, 0).body == body.parts[0])
            #expect(try body.get(again, 2).body == body.parts[2])
            #expect(!files(under: directory + "/bodies").contains { $0.contains("~") })
            let other = try TestParticipant(body.participant.conversation, port: process!.port, creates: false)
            let entry = try other.wait { if case .entry(let entry) = $0, entry.entry == plain { entry } else { nil } }
            #expect(entry.sealed == [9, 8, 7])
            #expect(try body.put(again, 1).status == 201)
        }
    }

    @Test func `SIGTERM tells everybody to come back, and ends with 0`() async throws {
        try await withDirectory { directory in
            let process = try HearthProcess(Self.serve(directory))
            let body = try AnnouncedBody(port: process.port)
            let sender = try RawSocket(port: process.port)
            try body.startPut(sender, 0, sends: 300_000)
            let watcher = try RawSocket(port: process.port)
            try eventually("the upload has begun") { try watcher.request("GET", "/metrics").text.contains("hearth_uploads 1\n") }
            process.terminate()
            #expect(try body.participant.closeCode() == 4200)
            // What is under way comes to its end.
            try sender.send(Array(body.parts[0][300_000...]))
            #expect(try sender.readAnswer().status == 201)
            #expect(process.wait() == 0)
        }
    }

    @Test func `a data directory is for one relay`() async throws {
        try await withDirectory { directory in
            let first = try HearthProcess(Self.serve(directory))
            let ended = try Self.ending(Self.serve(directory))
            #expect(ended.status == 73)
            #expect(ended.errors.contains("in use by another relay"))
            _ = first
        }
    }

    @Test func `a port in use, a missing certificate and a strange option say what to do`() async throws {
        try await withDirectory { directory in
            let first = try HearthProcess(Self.serve(directory + "/a"))
            let port = try Self.ending(Self.serve(directory + "/b", ["--port", String(first.port)]))
            #expect(port.status == 69)
            #expect(port.errors.contains("--port"))
            let certificate = try Self.ending(Self.serve(directory + "/b", ["--tls-certificate", "/nonexistent.pem", "--tls-key", "/nonexistent.key"]))
            #expect(certificate.status == 78)
            #expect(certificate.errors.contains("/nonexistent.pem"))
            #expect(try Self.ending(["serve", "--colour", "red"]).status == 64)
            #expect(try Self.ending(["serve", "--port", "70000"]).errors.contains("from 0 to 65535"))
            #expect(try Self.ending(["serve"], environment: ["HEARTH_PORT=many"]).status == 64)
            #expect(try Self.ending(["serve", "--web", directory, "--port", "0", "--data", directory + "/c"]).errors.contains("index.html"))
        }
    }

    @Test func `the environment sets what the command line does not`() async throws {
        try await withDirectory { directory in
            let process = try HearthProcess(["serve"], environment: ["HEARTH_PORT=0", "HEARTH_DATA=\(directory)", "HEARTH_HOST=127.0.0.1", "HEARTH_QUIET=1"])
            #expect(try RawSocket(port: process.port).request("GET", "/healthz").status == 200)
        }
    }

    @Test func `one option gives https, with a certificate that is kept`() async throws {
        try await withDirectory { directory in
            var process: HearthProcess? = try HearthProcess(Self.serve(directory, ["--tls-self-signed"]))
            #expect(process!.greeting == "Hearth is open at https://localhost:\(process!.port)/")
            let certificate = files(under: directory + "/tls").first { $0.hasSuffix("certificate.pem") }
            #expect(certificate != nil)
            var facts = stat()
            stat(directory + "/tls/key.pem", &facts)
            #expect(facts.st_mode & 0o077 == 0)
            let found = shell("echo | openssl s_client -connect 127.0.0.1:\(process!.port) -CAfile '\(certificate!)' -verify_ip 127.0.0.1 -alpn h2,http/1.1")
            #expect(found.contains("Verify return code: 0"))
            #expect(found.contains("ALPN protocol: http/1.1"))
            #expect(!shell("echo | openssl s_client -connect 127.0.0.1:\(process!.port) -tls1_1").contains("Cipher is ECDHE"))
            // Plain HTTP gets nothing here.
            let socket = try RawSocket(port: process!.port)
            try socket.sendRequest("GET", "/healthz")
            #expect(throws: (any Error).self) { try socket.readAnswer() }
            var before = stat()
            stat(certificate!, &before)
            process = nil
            process = try HearthProcess(Self.serve(directory, ["--tls-self-signed"]))
            var after = stat()
            stat(certificate!, &after)
            #expect(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_ino == after.st_ino)
        }
    }
}
