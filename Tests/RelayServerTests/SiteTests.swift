// The web client's files over HTTP.

import Glibc
import Testing
import Wire

@testable import RelayServer

@Suite struct SiteTests {
    /// A directory with a page, a module, and things that must stay where they are.
    private func withSite(tls: ServerSettings.TLS? = nil, _ body: @escaping @Sendable (RunningRelay) throws -> Void) async throws {
        let directory = temporaryDirectory()
        defer { removeTree(directory) }
        mkdir(directory + "/web", 0o700)
        mkdir(directory + "/web/gallery", 0o700)
        write("<!doctype html><title>Hearth</title>", directory + "/web/index.html")
        write("export const one = 1;\n", directory + "/web/gallery/one.js")
        mkdir(directory + "/web/tests", 0o700)
        write("export const two = 2;\n", directory + "/web/tests/two.js")
        write("secret", directory + "/secret.txt")
        write("hidden", directory + "/web/.hidden.js")
        write("unknown", directory + "/web/notes.xyz")
        symlink("../secret.txt", directory + "/web/link.txt")
        let site = try Site(directory: directory + "/web")
        let plan = RelayPlan { plan in
            plan.site = site
            plan.server.tls = tls
        }
        try await withRelay(plan, body)
    }

    private func write(_ text: String, _ path: String) {
        let file = fopen(path, "w")!
        fputs(text, file)
        fclose(file)
    }

    @Test func `the page is at the root and at every invitation's path, with a strict policy`() async throws {
        try await withSite { relay in
            let socket = try RawSocket(port: relay.port)
            for path in ["/", "/index.html", "/c/AAAAAAAAAAAAAAAAAAAAAA", "/?from=mail"] {
                let answer = try socket.request("GET", path)
                #expect(answer.status == 200)
                #expect(answer.text.contains("<title>Hearth"))
                #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
                #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
                #expect(answer.headers["content-security-policy"]?.contains("wss://relay.test") == true)
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                #expect(answer.headers["hearth"] == nil)
            }
        }
    }

    @Test func `no answer leaves a browser to guess what it is`() async throws {
        try await withSite { relay in
            let socket = try RawSocket(port: relay.port)
            for path in ["/healthz", "/metrics", "/nothing.js", "/v1/x", TestConversation().partPath(EntryID(.zero), 0)] {
                let answer = try socket.request("GET", path)
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(path)")
            }
            #expect(try socket.request("GET", "/").headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test(arguments: [("relay.test", false, true), ("relay.test", true, false), ("localhost", false, false)])
    func `under TLS browsers are told to insist on it, but for a certificate that they do not trust, and on this machine`(
        host: String, isSelfSigned: Bool, isTold: Bool
    ) async throws {
        let directory = temporaryDirectory()
        defer { removeTree(directory) }
        let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
        _ = shell("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=relay.test -keyout \(key) -out \(certificate)")
        try await withSite(tls: .init(certificatePath: certificate, keyPath: key, isSelfSigned: isSelfSigned)) { relay in
            let answer = shell("printf 'GET / HTTP/1.1\\r\\nHost: \(host)\\r\\nConnection: close\\r\\n\\r\\n' | openssl s_client -quiet -connect 127.0.0.1:\(relay.port)").lowercased()
            #expect(answer.contains("200 ok") && answer.contains("<title>hearth"))
            #expect(answer.contains("strict-transport-security: max-age=15552000") == isTold)
        }
    }

    @Test func `without TLS browsers are not told to insist on it`() async throws {
        try await withSite { relay in
            let answer = try RawSocket(port: relay.port).request("GET", "/")
            #expect(answer.status == 200 && answer.headers["strict-transport-security"] == nil)
        }
    }

    @Test func `a file that was not changed is not sent again`() async throws {
        try await withSite { relay in
            let socket = try RawSocket(port: relay.port)
            let first = try socket.request("GET", "/gallery/one.js")
            #expect(first.status == 200)
            #expect(first.headers["content-type"] == "text/javascript; charset=utf-8")
            let tag = try #require(first.headers["etag"])
            let again = try socket.request("GET", "/gallery/one.js", headers: ["If-None-Match: \(tag)"])
            #expect(again.status == 304)
            let other = try socket.request("GET", "/gallery/one.js", headers: ["If-None-Match: \"other\""])
            #expect(other.status == 200)
            let head = try socket.request("HEAD", "/gallery/one.js")
            #expect(head.headers["content-length"] == String(first.body.count))
        }
    }

    @Test(arguments: [
        "/tests/two.js",
        "/../secret.txt", "/gallery/../../secret.txt", "/%2e%2e/secret.txt", "/.hidden.js", "/link.txt", "/notes.xyz", "/gallery", "/gallery/", "/c/a/b",
        "/etc/passwd", "//etc/passwd", "/gallery//one.jss", "/index.html/", "/secret.txt",
    ])
    func `only files of the client that were there at start are reachable`(_ path: String) async throws {
        try await withSite { relay in
            let socket = try RawSocket(port: relay.port)
            try socket.sendRequest("GET", path)
            let bytes = try? socket.readAnswer()
            #expect(bytes == nil || bytes!.status >= 400, "\(path)")
            #expect(bytes?.text.contains("secret") != true)
        }
    }

    @Test func `a NUL in a path gets nothing`() async throws {
        try await withSite { relay in
            for path in ["/index.html%00.js", "/%00secret.txt", "/index.html\u{0}"] {
                let socket = try RawSocket(port: relay.port)
                try socket.sendRequest("GET", path)
                let answer = try? socket.readAnswer()
                // The network library reads nothing behind a NUL; what is left is a path like any other.
                #expect(answer == nil || answer!.status >= 400 || answer!.text.contains("<title>Hearth"), "\(path)")
            }
            #expect(try RawSocket(port: relay.port).request("GET", "/healthz").text == "ok\n")
        }
    }

    @Test func `a directory without a page is no web client`() {
        let directory = temporaryDirectory()
        defer { removeTree(directory) }
        #expect(throws: Site.Failure.noPage(directory)) { try Site(directory: directory) }
    }

    @Test func `metrics name nobody`() async throws {
        try await withSite { relay in
            let socket = try RawSocket(port: relay.port)
            _ = try socket.request("GET", "/c/AAAAAAAAAAAAAAAAAAAAAA")
            let answer = try socket.request("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.text.contains("hearth_requests_total{method=\"GET\",route=\"/c/…\",status=\"200\"} 1"))
            #expect(!answer.text.contains("AAAAAAAA"))
            #expect(try socket.request("PUT", "/metrics", body: []).status == 405)
        }
    }
}
