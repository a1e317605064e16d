// Who may open a WebSocket, and to what.

import Testing
import Wire

@testable import RelayServer

@Suite struct HandshakeTests {
    private static func expect(_ status: Int, _ port: Int, _ path: String, _ headers: [String], at location: SourceLocation = #_sourceLocation) throws {
        let socket = try RawSocket(port: port)
        try WebSocketClient.sendHandshake(socket, path: path, headers: headers)
        let answer = try HTTPAnswer(head: try socket.readHead())
        #expect(answer.status == status, sourceLocation: location)
    }

    private let path = "/v1/conversations/\(ConversationID(.random).base64URL)"
    private let offer = "Sec-WebSocket-Protocol: hearth.v1"

    @Test func `the protocol's sub-protocol opens, alone or in a list`() async throws {
        let (path, offer) = (path, offer)
        try await withRelay { relay in
            try Self.expect(101, relay.port, path, [offer])
            try Self.expect(101, relay.port, path, ["Sec-WebSocket-Protocol: other, hearth.v1"])
        }
    }

    @Test func `everything else is refused with a status`() async throws {
        let (path, offer) = (path, offer)
        try await withRelay { relay in
            try Self.expect(400, relay.port, path, [])
            try Self.expect(400, relay.port, path, ["Sec-WebSocket-Protocol: hearth.v2"])
            try Self.expect(404, relay.port, "/", [offer])
            try Self.expect(404, relay.port, "/v1/conversations/short", [offer])
            try Self.expect(404, relay.port, path + "?token=1", [offer])
            try Self.expect(400, relay.port, path, [offer, "Host: other.test"])
            try Self.expect(403, relay.port, path, [offer, "Origin: https://evil.example"])
            try Self.expect(403, relay.port, path, [offer, "Origin: null"])
            try Self.expect(101, relay.port, path, [offer, "Origin: http://relay.test"])
        }
    }

    @Test func `an origin that the operator allows opens, and may use attachments from its page`() async throws {
        let (path, offer) = (path, offer)
        try await withRelay(RelayPlan { $0.server.allowedOrigins = ["https://photos.example"] }) { relay in
            try Self.expect(101, relay.port, path, [offer, "Origin: https://photos.example"])
            let socket = try RawSocket(port: relay.port)
            let attachment = TestConversation().attachmentPath(EntryID(.random))
            let preflight = try socket.request("OPTIONS", attachment, headers: ["Origin: https://photos.example", "Access-Control-Request-Method: PUT"])
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == "https://photos.example")
            let foreign = try socket.request("OPTIONS", attachment, headers: ["Origin: https://evil.example"])
            #expect(foreign.status == 403)
            #expect(foreign.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func `a conversation's address tells a browser what it is for`() async throws {
        let path = path
        try await withRelay { relay in
            let answer = try RawSocket(port: relay.port).request("GET", path)
            #expect(answer.status == 426)
            #expect(answer.headers["hearth"] == "1")
        }
    }

    @Test func `an upgrade to HTTP 2 is not taken`() async throws {
        try await withRelay { relay in
            let socket = try RawSocket(port: relay.port)
            try socket.sendRequest("GET", "/healthz", headers: ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"])
            let bytes = try socket.readToEnd()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("101"))
            let other = try RawSocket(port: relay.port)
            try other.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            let answer = try other.readToEnd()
            #expect(!String(decoding: answer, as: UTF8.self).contains("200"))
        }
    }
}

@Suite struct ConnectionLimitTests {
    @Test func `beyond the limit connections are closed at once, and a place that is given up is free again`() async throws {
        try await withRelay(RelayPlan { $0.server.connectionCountLimit = 3 }) { relay in
            var held = try (0..<3).map { _ in try RawSocket(port: relay.port) }
            for socket in held { #expect(try socket.request("GET", "/healthz").status == 200) }
            #expect(throws: (any Error).self) { try RawSocket(port: relay.port).request("GET", "/healthz") }
            held.removeLast()
            try eventually("there is a place again") { (try? RawSocket(port: relay.port).request("GET", "/healthz").status) == 200 }
            #expect(try held[0].request("GET", "/metrics").text.contains("hearth_connections_refused_total"))
        }
    }

    @Test func `a participant who reads nothing is let go, and the others go on`() async throws {
        try await withRelay { relay in
            let conversation = TestConversation()
            let sender = try TestParticipant(conversation, port: relay.port)
            let deaf = try TestParticipant(conversation, port: relay.port, creates: false)
            deaf.client.socket.shrinkReceiveBuffer()
            let sealed = [UInt8](repeating: 5, count: 256_000)
            // Less than the burst of one participant, more than the outbox of another and what the kernel holds.
            for counter in 0..<62 {
                try sender.send([.record(session: .own, counter: UInt64(counter), recipients: [], sealed: sealed)])
                let sequence = try sender.wait { if case .ordered(_, let sequence, _, UInt64(counter), _, _) = $0 { sequence } else { nil } }
                try sender.send([.acknowledge(session: .own, sequence: sequence)])
            }
            let metrics = try RawSocket(port: relay.port)
            try eventually("the deaf one is let go") { try metrics.request("GET", "/metrics").text.contains("hearth_participant_connections 1\n") }
            try sender.pingIsAnswered()
        }
    }
}
