// Input that no honest client sends: it costs that connection and nothing else.

import Testing
import Wire

@testable import RelayServer

@Suite struct HostileInputTests {
    /// Runs `attack` while another conversation goes on, and shows that it still does.
    private func besideAnother(_ attack: @escaping @Sendable (RunningRelay) throws -> Void) async throws {
        try await withRelay(RelayPlan { $0.server.headTimeLimitSeconds = 2 }) { relay in
            let bystander = try TestParticipant(TestConversation(), port: relay.port)
            try attack(relay)
            try bystander.pingIsAnswered()
            #expect(try RawSocket(port: relay.port).request("GET", "/healthz").status == 200)
        }
    }

    /// The same with a relay in a process of its own, whose memory and descriptors are nobody else's. The attack lasts long: it lets the bystander speak now and then.
    private func besideAnotherAlone(_ attack: @escaping @Sendable (RunningRelay, TestParticipant) throws -> Void) async throws {
        let hearth = try ProcessWatch.relay()
        let relay = RunningRelay(port: hearth.port, directory: "")
        try await onThread {
            Result {
                let bystander = try TestParticipant(TestConversation(), port: relay.port)
                try attack(relay, bystander)
                try bystander.pingIsAnswered()
            }
        }.get()
        hearth.kill()
    }

    private struct RawCase: CustomStringConvertible, Sendable {
        let description: String
        let bytes: [UInt8]
        /// What is answered; empty for a close without an answer.
        let statuses: Set<Int>

        init(_ description: String, _ text: String, _ statuses: Set<Int>) {
            self.description = description
            bytes = Array(text.utf8)
            self.statuses = statuses
        }
    }

    private static let host = "Host: relay.test\r\n"
    private static let part = TestConversation().partPath(EntryID(.zero), 0)
    private static let cases: [RawCase] = [
        .init("chunked", "PUT \(part) HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", [411]),
        .init("length and chunked", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc", [411]),
        .init("two transfer codings", "PUT \(part) HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", [411]),
        .init("two lengths", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", [400]),
        .init("two equal lengths", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", [400]),
        .init("negative length", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: -3\r\n\r\nabc", [400]),
        .init("signed length", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: +3\r\n\r\nabc", [400]),
        .init("hexadecimal length", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 0x3\r\n\r\nabc", [400]),
        .init("length with a NUL", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 3\u{0}4\r\n\r\nabc", [400]),
        .init("huge length", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\nabc", [400]),
        .init("too large", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 1048577\r\n\r\n", [413]),
        .init("a space before the colon", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length : 3\r\n\r\nabc", [400, 411]),
        .init("no Host", "GET /healthz HTTP/1.1\r\n\r\n", [400]),
        .init("two Hosts", "GET /healthz HTTP/1.1\r\n\(host)\(host)\r\n", [400]),
        .init("HTTP/1.0", "GET /healthz HTTP/1.0\r\n\(host)\r\n", [505]),
        .init("HTTP/1.2", "GET /healthz HTTP/1.2\r\n\(host)\r\n", [505]),
        .init("lower-case version", "GET /healthz http/1.1\r\n\(host)\r\n", [505]),
        .init("a body with GET", "GET /healthz HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", [400]),
        .init("POST", "POST /healthz HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", [405]),
        .init("PATCH", "PATCH /healthz HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", [405]),
        .init("an expectation", "PUT \(part) HTTP/1.1\r\n\(host)Content-Length: 3\r\nExpect: foo\r\n\r\nabc", [417]),
        .init("a header of 64 KiB", "GET /healthz HTTP/1.1\r\n\(host)X-Long: \(String(repeating: "a", count: 65_536))\r\n\r\n", []),
        .init("a target of 64 KiB", "GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1\r\n\(host)\r\n", []),
        .init("2,000 headers", "GET /healthz HTTP/1.1\r\n\(host)\((0..<2_000).map { "X-\($0): 1\r\n" }.joined())\r\n", []),
        .init("the start of TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", []),
        .init("no request at all", "\u{0}\u{0}\u{0}\u{0}\r\n\r\n", []),
        .init("a second method line", "GET /healthz HTTP/1.1\r\nPUT /x: 1\r\n\(host)\r\n", []),
    ]

    @Test func `requests that could be read in two ways, or are too large, are refused and closed`() async throws {
        try await besideAnother { relay in
            for item in Self.cases {
                let socket = try RawSocket(port: relay.port)
                do {
                    try socket.send(item.bytes)
                    let answer = try HTTPAnswer(head: try socket.readHead())
                    #expect(item.statuses.contains(answer.status), "\(item.description): \(answer.status)")
                    #expect(answer.headers["connection"] == "close", "\(item.description)")
                    _ = try socket.readToEnd()
                } catch RawSocketError.brokenOff {
                    #expect(item.statuses.isEmpty, "\(item.description): closed without an answer")
                }
            }
        }
    }

    @Test func `heads that never end are cut`() async throws {
        try await besideAnother { relay in
            for text in ["", "GET /healthz", "GET /healthz HTTP/1.1\r\nHost: relay"] {
                let socket = try RawSocket(port: relay.port)
                try socket.send(text)
                #expect(try socket.readToEnd().isEmpty, "\(text)")
            }
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await besideAnother { relay in
            let socket = try RawSocket(port: relay.port)
            let one = "GET /healthz HTTP/1.1\r\nHost: relay.test\r\n\r\n"
            let other = "GET /v1/x HTTP/1.1\r\nHost: relay.test\r\n\r\n"
            try socket.send(one + other + one)
            #expect(try socket.readAnswer().status == 200)
            #expect(try socket.readAnswer().status == 404)
            #expect(try socket.readAnswer().status == 200)
        }
    }

    // MARK: WebSocket

    private static func closeCode(_ relay: RunningRelay, _ attack: (WebSocketClient) throws -> Void) throws -> Int {
        let participant = try TestParticipant(TestConversation(), port: relay.port)
        do { try attack(participant.client) } catch RawSocketError.brokenOff {}
        return try participant.closeCode()
    }

    private static func expect(
        _ code: Int, _ relay: RunningRelay, at location: SourceLocation = #_sourceLocation, _ attack: (WebSocketClient) throws -> Void
    ) throws {
        let found = try closeCode(relay, attack)
        #expect(found == code, sourceLocation: location)
    }

    @Test func `text, garbage and frames that are too large get their numbers`() async throws {
        try await besideAnother { relay in
            try Self.expect(4100, relay) { try $0.sendFrame(opcode: 1, Array("hello".utf8)) }
            try Self.expect(4100, relay) { try $0.sendFrame(opcode: 2, [5, 0, 0]) }
            try Self.expect(4100, relay) { try $0.sendFrame(opcode: 2, [5, 0xff, 0xff, 0xff, 0xff]) }
            try Self.expect(4107, relay) { try $0.sendFrame(opcode: 2, [0x70, 0, 0, 0, 0]) }
            let large = [UInt8](repeating: 0x80, count: Limits.socketMessageSizeLimitBytes + 1)
            try Self.expect(4108, relay) { try $0.sendFrame(opcode: 2, large) }
        }
    }

    @Test func `a large message in pieces counts as one`() async throws {
        try await besideAnother { relay in
            let code = try Self.closeCode(relay) { client in
                try client.sendFrame(opcode: 2, isLast: false, [UInt8](repeating: 0x80, count: 65_536))
                for _ in 0..<16 { try client.sendFrame(opcode: 0, isLast: false, [UInt8](repeating: 0, count: 65_536)) }
            }
            #expect(code == 4108)
        }
    }

    @Test func `a message in pieces is joined`() async throws {
        try await besideAnother { relay in
            let participant = try TestParticipant(TestConversation(), port: relay.port)
            let bytes = Frame.encode([.ping(token: 77), .ping(token: 78)])
            for (index, byte) in bytes.enumerated() {
                try participant.client.sendFrame(opcode: index == 0 ? 2 : 0, isLast: index == bytes.count - 1, [byte])
            }
            try participant.wait { if case .pong(78) = $0 { () } else { nil } }
        }
    }

    @Test func `frames that break WebSocket's own rules cost the connection`() async throws {
        try await besideAnother { relay in
            for attack: @Sendable (WebSocketClient) throws -> Void in [
                { try $0.sendFrame(opcode: 2, reserved: 4, [1]) }, { try $0.sendFrame(opcode: 3, [1]) }, { try $0.sendFrame(opcode: 11, [1]) },
                { try $0.sendFrame(opcode: 0, [1]) }, { try $0.sendFrame(opcode: 9, isLast: false, [1]) },
                {
                    try $0.sendFrame(opcode: 2, isLast: false, [1])
                    try $0.sendFrame(opcode: 2, [1])
                },
                { try $0.sendFrame(opcode: 9, [UInt8](repeating: 1, count: 126)) },
                { try $0.socket.send([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]) },
            ] {
                let code = try Self.closeCode(relay, attack)
                #expect([1002, 1006, 1009].contains(code))
            }
        }
    }

    @Test func `a message that is announced with a terabyte is not waited for in memory`() async throws {
        try await besideAnotherAlone { relay, _ in
            let before = try ProcessWatch.figures(relay.port).residentBytes
            let code = try Self.closeCode(relay) { client in
                try client.socket.send([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
                for _ in 0..<32 { try client.socket.send([UInt8](repeating: 0, count: 65_536)) }
            }
            #expect([4100, 4108, 1006].contains(code))
            #expect(try ProcessWatch.figures(relay.port).residentBytes - before < ProcessWatch.allowanceBytes(8 << 20))
        }
    }

    @Test func `a flood of empty pieces and of pings leaves the others alone`() async throws {
        try await besideAnother { relay in
            let participant = try TestParticipant(TestConversation(), port: relay.port)
            try participant.client.sendFrame(opcode: 2, isLast: false, [])
            for _ in 0..<5_000 { try participant.client.sendFrame(opcode: 0, isLast: false, []) }
            for _ in 0..<500 { try participant.client.sendFrame(opcode: 9, [1]) }
        }
    }

    @Test func `who never says hello is cut`() async throws {
        try await besideAnother { relay in
            let client = try WebSocketClient(port: relay.port, conversation: TestConversation().id)
            guard case .closed(let code) = try client.next() else {
                Issue.record("a message before hello")
                return
            }
            #expect(code == 4100 || code == 4202)
        }
    }

    @Test func `ten thousand refused joins leave nothing behind`() async throws {
        try await besideAnotherAlone { relay, bystander in
            let conversation = bystander.conversation
            func join(_ index: Int) throws -> Int {
                // Half of them to a conversation that does not exist, half with a wrong token.
                let target = index % 2 == 0 ? TestConversation().id : conversation.id
                let client = try WebSocketClient(port: relay.port, conversation: target)
                try client.send([.hello(Hello(participant: ParticipantID(.random), secret: .random, relayToken: [UInt8](repeating: 0, count: 32)))])
                guard case .closed(let code) = try client.next() else { return 0 }
                return code
            }
            for index in 0..<500 { #expect(try join(index) == (index % 2 == 0 ? 4104 : 4103)) }
            let before = try ProcessWatch.figures(relay.port)
            for index in 0..<9_500 {
                #expect(try join(index) == (index % 2 == 0 ? 4104 : 4103))
                if index % 100 == 0 { try bystander.pingIsAnswered() }
            }
            try eventually("descriptors are given back") { try ProcessWatch.figures(relay.port).descriptors <= before.descriptors + 4 }
            #expect(try ProcessWatch.figures(relay.port).residentBytes - before.residentBytes < ProcessWatch.allowanceBytes(8 << 20))
        }
    }
}
