// Paths to routes, tokens, origins: what is plain value beside the gate.

import Relay
import Testing
import Wire

@testable import RelayServer

@Suite struct RouteTests {
    private let id = "AAAAAAAAAAAAAAAAAAAAAA"
    private var zero: ConversationID { ConversationID(.zero) }

    @Test func `the protocol's paths are routes`() {
        let attachment = AttachmentName(conversation: zero, session: .own, entry: EntryID(.zero))
        #expect(Route(path: "/v1/conversations/\(id)") == .conversation(zero))
        #expect(Route(path: "/v1/conversations/\(id)/sessions/\(id)/attachments/\(id)") == .attachment(attachment))
        #expect(Route(path: "/v1/conversations/\(id)/sessions/\(id)/attachments/\(id)/parts/95") == .part(PartName(attachment: attachment, number: 95)))
        #expect(Route(path: "/healthz") == .health)
        #expect(Route(path: "/metrics") == .metrics)
        #expect(Route(path: "/c/\(id)") == .page("/c/\(id)"))
    }

    @Test(arguments: [
        "/v1/", "/v1/conversations", "/v1/conversations/", "/v1/conversations/AAAA", "/v1/conversations/AAAAAAAAAAAAAAAAAAAAAB",
        "/v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/", "/v1//conversations/AAAAAAAAAAAAAAAAAAAAAA", "/v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/sessions",
        "/v1/conversations/AAAAAAAAAAAAAAAAAAAAA\u{0}",
    ])
    func `anything else under v1 is unknown`(_ path: String) { #expect(Route(path: path) == .unknownResource) }

    @Test(arguments: ["-1", "+1", "01", "1x", "", "99999999999999999999", "１"])
    func `a part has one address only`(_ number: String) {
        #expect(Route(path: "/v1/conversations/\(id)/sessions/\(id)/attachments/\(id)/parts/\(number)") == .unknownResource)
    }

    @Test func `patterns show no identifier`() {
        for path in ["/v1/conversations/\(id)", "/c/\(id)", "/v1/conversations/\(id)/sessions/\(id)/attachments/\(id)/parts/3", "/v1/\(id)", "/\(id)"] {
            #expect(!Route(path: path).pattern.contains(id))
        }
    }

    @Test func `a token is read back as it was written`() {
        for _ in 0..<200 {
            let token = (0..<32).map { _ in UInt8.random(in: 0...255) }
            #expect(BearerToken.read("Bearer \(base64URL(token))") == token)
        }
    }

    @Test func `a token in any other form is none`() {
        let good = base64URL([UInt8](repeating: 7, count: 32))
        for text in ["", "Bearer", "Basic \(good)", "Bearer \(good)=", "Bearer \(good.dropLast())", "Bearer \(good.dropLast())*", "Bearer  \(good)"] {
            #expect(BearerToken.read(text) == nil)
        }
        // The last character carries four bits; the two below them must be zero.
        #expect(BearerToken.read("Bearer \(good.dropLast())d") == nil)
        #expect(BearerToken.read(nil) == nil)
    }

    @Test func `pages of the same host and named origins may open sockets, others not`() {
        let policy = OriginPolicy(allowed: ["https://photos.example"])
        #expect(policy.permits(nil, host: "relay.test"))
        #expect(policy.permits("http://relay.test:8080", host: "relay.test:8080"))
        #expect(policy.permits("https://Relay.test", host: "relay.test"))
        #expect(policy.permits("https://photos.example", host: "relay.test"))
        #expect(!policy.permits("https://evil.example", host: "relay.test"))
        #expect(!policy.permits("http://relay.test.evil.example", host: "relay.test"))
        #expect(!policy.permits("null", host: "relay.test"))
        #expect(!policy.permits("http://relay.test:1", host: "relay.test"))
        #expect(OriginPolicy(allowed: ["*"]).permits("https://any.example", host: "relay.test"))
        #expect(policy.allowedForeign("https://evil.example\r\nX: 1") == nil)
        #expect(OriginPolicy(allowed: ["*"]).allowedForeign("https://evil.example\r\nX: 1") == "*")
    }

    @Test func `one address has its share of the connections, and all together have theirs`() {
        var census = ConnectionCensus(limit: 4, limitPerAddress: 2)
        for _ in 0..<2 { census.add("192.0.2.1") }
        #expect(!census.admits("192.0.2.1"))
        #expect(census.admits("192.0.2.2"))
        for _ in 0..<2 { census.add("127.0.0.1") }
        #expect(!census.admits("127.0.0.1"))
        for _ in 0..<2 { census.remove("192.0.2.1") }
        #expect(census.admits("192.0.2.1"))
        #expect(census.addressCount == 1)
        #expect(census.count == 2)
    }
}
