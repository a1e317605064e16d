// Many connections, many requests, and people who do not read: what one stranger does costs the others nothing that they notice.

import Glibc
import Testing
import Wire

@testable import RelayServer

@Suite struct AbuseTests {
    private let second: UInt64 = 1_000_000_000

    @Test func `an address has its bursts and its rate, and no other's`() {
        var allowances = AddressAllowances(.init(perSecond: 2, burst: 3))
        let now = second
        #expect((0..<5).map { _ in allowances.spend("192.0.2.1", nowNanoseconds: now) } == [true, true, true, false, false])
        let other = allowances.spend("192.0.2.2", nowNanoseconds: now)
        let later = (0..<3).map { _ in allowances.spend("192.0.2.1", nowNanoseconds: now + second) }
        #expect(other && later == [true, true, false])
        allowances.forgetFull(nowNanoseconds: 60 * second)
        #expect(allowances.addressCount == 0)
    }

    @Test func `a million addresses take no more memory than a few thousand, and share what is left`() {
        var allowances = AddressAllowances(.init(perSecond: 1, burst: 2))
        var permitted = 0
        for number in 0..<100_000 where allowances.spend("2001:db8::\(number)", nowNanoseconds: second) { permitted += 1 }
        #expect(allowances.addressCount <= AddressAllowances.addressCountLimit + 1)
        #expect(permitted == AddressAllowances.addressCountLimit + 2)
    }

    @Test func `too many requests or joins from one address are answered with 429 until time has passed`() async throws {
        let plan = RelayPlan { plan in
            plan.server.limitsOwnAddresses = true
            plan.server.requestRatePerAddress = .init(perSecond: 1, burst: 5)
            plan.server.joinRatePerAddress = .init(perSecond: 0, burst: 1)
        }
        try await withRelay(plan) { relay in
            _ = try TestParticipant(TestConversation(), port: relay.port)
            let socket = try RawSocket(port: relay.port)
            try WebSocketClient.sendHandshake(socket, path: "/v1/conversations/\(TestConversation().id.base64URL)", headers: ["Sec-WebSocket-Protocol: hearth.v1"])
            let refused = try socket.readAnswer()
            #expect(refused.status == 429 && refused.headers["retry-after"] == "1" && refused.headers["hearth"] == "1")
            let statuses = try (0..<20).map { _ in try RawSocket(port: relay.port).request("GET", "/healthz").status }
            #expect(statuses.prefix(5) == [200, 200, 200, 200, 200])
            #expect(statuses.contains(429))
            try eventually("the allowance has filled") { try RawSocket(port: relay.port).request("GET", "/healthz").status == 200 }
        }
    }

    @Test func `a message in pieces may not be long before the welcome`() async throws {
        try await withRelay { relay in
            let client = try WebSocketClient(port: relay.port, conversation: TestConversation().id)
            try client.sendFrame(opcode: 2, isLast: false, [UInt8](repeating: 0x80, count: 4_000))
            try client.sendFrame(opcode: 0, isLast: false, [UInt8](repeating: 0, count: 200))
            #expect(try client.next() == .closed(4108))
        }
    }

    @Test func `a message over the limit is told to the operator with its size and the limit, and the ones after it once a minute`() async throws {
        let lines = Lines()
        try await withRelay(RelayPlan { $0.log = Log { lines.add($0) } }) { relay in
            for _ in 0..<3 {
                let client = try WebSocketClient(port: relay.port, conversation: TestConversation().id)
                try client.sendFrame(opcode: 2, [UInt8](repeating: 0x80, count: 300_000))
                #expect(try client.next() == .closed(4108))
            }
            try eventually("it is in the log") { !lines.all.isEmpty }
            #expect(lines.all == ["a message of 300000 bytes or more is over the limit of 4096; its connection is closed with 4108"])
        }
    }

    @Test func `thousands of connections on which nothing is said leave others alone, and their room is given back`() async throws {
        let hearth = try HearthProcess(["serve", "--host", "127.0.0.1", "--port", "0", "--data", temporaryDirectory(), "--quiet", "--max-connections", "6000"])
        let port = hearth.port
        try await onThread {
            Result {
                let bystander = try TestParticipant(TestConversation(), port: port)
                let before = try ProcessWatch.figures(port)
                var idle: [RawSocket] = []
                for _ in 0..<5_000 { idle.append(try RawSocket(port: port)) }
                try eventually("all are connected") { try ProcessWatch.figures(port).connections >= 5_000 }
                try bystander.pingIsAnswered()
                #expect(try RawSocket(port: port).request("GET", "/healthz").status == 200)
                #expect(try ProcessWatch.figures(port).residentBytes - before.residentBytes < ProcessWatch.allowanceBytes(64 << 20))
                idle = []
                try eventually("the connections are gone") { try ProcessWatch.figures(port).descriptors <= before.descriptors + 4 }
                try bystander.pingIsAnswered()
            }
        }.get()
    }

    @Test func `who does not read is closed, the others hear everything, and the memory comes back`() async throws {
        let hearth = try HearthProcess(["serve", "--host", "127.0.0.1", "--port", "0", "--data", temporaryDirectory(), "--quiet"])
        let port = hearth.port
        try await onThread {
            Result {
                let conversation = TestConversation()
                let sender = try TestParticipant(conversation, port: port)
                try sender.beginSession()
                let reader = try TestParticipant(conversation, port: port, creates: false)
                let deaf = try TestParticipant(conversation, port: port, creates: false)
                for participant in [reader, deaf] {
                    try participant.send([.enter(session: conversation.session)])
                    try participant.wait { if case .complete(conversation.session, _) = $0 { () } else { nil } }
                }
                deaf.client.socket.shrinkReceiveBuffer()
                let before = try ProcessWatch.figures(port)
                let sealed = [UInt8](repeating: 1, count: 200_000)
                for counter in 0..<75 {
                    try sender.send([.record(session: conversation.session, counter: UInt64(counter), recipients: [], sealed: sealed)])
                    for listener in [sender, reader] {
                        let place: UInt64 = try listener.wait { if case .ordered(_, let place, _, UInt64(counter), _, _) = $0 { place } else { nil } }
                        try listener.send([.acknowledge(session: conversation.session, sequence: place)])
                    }
                }
                try eventually("the deaf one is closed") { try ProcessWatch.metric("hearth_closed_total{code=\"4201\"}", port) == 1 }
                try deaf.client.socket.send([])
                try sender.pingIsAnswered()
                try reader.pingIsAnswered()
                #expect(try ProcessWatch.figures(port).residentBytes - before.residentBytes < ProcessWatch.allowanceBytes(64 << 20))
            }
        }.get()
    }
}
