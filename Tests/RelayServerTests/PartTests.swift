// Parts over HTTP: docs/protocol/attachments.md, sentence by sentence.

import Testing
import Wire

@testable import RelayServer

/// A body of two whole parts and a short one, announced by a participant.
struct AnnouncedBody {
    let participant: TestParticipant
    let entry = EntryID(.random)
    let parts: [[UInt8]]

    init(port: Int, lastPartLength: Int = 1_000) throws {
        participant = try TestParticipant(TestConversation(), port: port)
        parts = [Limits.partSizeBytes, Limits.partSizeBytes, lastPartLength].map { length in
            let seed = UInt64.random(in: 0...UInt64.max)
            return (0..<length).map { UInt8(truncatingIfNeeded: (UInt64($0) &* 0x9e37_79b9_7f4a_7c15 &+ seed) >> 32) }
        }
        try participant.beginSession()
        try putEntry()
    }

    func putEntry(isComplete: Bool = false) throws {
        try participant.put(entry, in: participant.conversation.session, bodyLength: lengthBytes, isBodyComplete: isComplete)
    }

    var lengthBytes: Int { parts.reduce(0) { $0 + $1.count } }
    var authorization: String { participant.conversation.authorization }
    func path(_ number: Int) -> String { participant.conversation.partPath(entry, number) }
    var path: String { participant.conversation.attachmentPath(entry) }

    func put(_ socket: RawSocket, _ number: Int) throws -> HTTPAnswer {
        try socket.request("PUT", path(number), headers: [authorization], body: parts[number])
    }

    func get(_ socket: RawSocket, _ number: Int) throws -> HTTPAnswer { try socket.request("GET", path(number), headers: [authorization]) }

    func startPut(_ socket: RawSocket, _ number: Int, sends countBytes: Int) throws {
        try socket.send("PUT \(path(number)) HTTP/1.1\r\nHost: relay.test\r\n\(authorization)\r\nContent-Length: \(parts[number].count)\r\n\r\n")
        try socket.send(Array(parts[number][..<countBytes]))
    }
}

@Suite struct PartTests {
    @Test func `parts come back as they were sent, in any order, and the body is complete then`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            for number in [2, 0, 1] {
                let answer = try body.put(socket, number)
                #expect(answer.status == 201)
                #expect(answer.headers["hearth"] == "1")
            }
            for number in 0..<3 {
                let answer = try body.get(socket, number)
                #expect(answer.status == 200)
                #expect(answer.headers["hearth"] == "1")
                #expect(answer.body == body.parts[number])
            }
            try body.putEntry(isComplete: true)
        }
    }

    @Test func `the status lists what is missing, and a part that is held is not asked for again`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            #expect(try body.put(socket, 1).status == 201)
            let status = try socket.request("GET", body.path, headers: [body.authorization])
            #expect(status.text == "{\"bodyLength\":\(body.lengthBytes),\"partCount\":3,\"missing\":[0,2]}\n")
            #expect(try body.put(socket, 1).status == 200)
            #expect(throws: TestParticipant.Refused.self) { try body.putEntry(isComplete: true) }
        }
    }

    @Test func `every refusal has its status, its JSON, and leaves the connection usable`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            let short = try socket.request("PUT", body.path(0), headers: [body.authorization], body: [1, 2, 3])
            #expect(short.status == 400)
            #expect(short.text.contains("\"limit\":1048576,\"value\":3"))
            #expect(try socket.request("PUT", body.path(3), headers: [body.authorization], body: [1]).status == 404)
            #expect(try socket.request("GET", body.path(3), headers: [body.authorization]).status == 404)
            #expect(try socket.request("GET", body.path(0)).status == 401)
            #expect(try socket.request("GET", body.path(0), headers: [TestConversation().authorization]).status == 401)
            #expect(try socket.request("PUT", body.path(0), body: body.parts[0]).status == 401)
            #expect(try socket.request("GET", TestConversation().partPath(body.entry, 0), headers: [body.authorization]).status == 404)
            let unknown = body.participant.conversation.partPath(EntryID(.random), 0)
            #expect(try socket.request("PUT", unknown, headers: [body.authorization], body: [1]).status == 404)
            #expect(try socket.request("GET", body.path(0) + "?x=1", headers: [body.authorization]).status == 404)
            #expect(try socket.request("DELETE", body.path(0), headers: [body.authorization]).status == 405)
            #expect(try body.put(socket, 0).status == 201)
        }
    }

    @Test func `who waits for a word before sending gets it`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            let headers = [body.authorization, "Content-Length: 1000", "Expect: 100-continue"]
            try socket.sendRequest("PUT", body.path(2), headers: headers)
            #expect(try HTTPAnswer(head: try socket.readHead()).status == 100)
            try socket.send(body.parts[2])
            #expect(try socket.readAnswer().status == 201)
            try socket.sendRequest("PUT", body.path(2), headers: headers)
            let held = try socket.readAnswer()
            #expect(held.status == 200)
            #expect(held.headers["connection"] == "close")
        }
    }

    @Test func `a part is loaded while it still comes in`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let sender = try RawSocket(port: relay.port)
            let readers = try (0..<3).map { _ in try RawSocket(port: relay.port) }
            // Two ask before it begins, one in its middle.
            for reader in readers[..<2] { try reader.sendRequest("GET", body.path(0), headers: [body.authorization]) }
            try body.startPut(sender, 0, sends: 400_000)
            try readers[2].sendRequest("GET", body.path(0), headers: [body.authorization])
            for reader in readers {
                let head = try HTTPAnswer(head: try reader.readHead())
                #expect(head.status == 200)
                #expect(head.headers["content-length"] == "1048576")
                #expect(try reader.read(400_000) == Array(body.parts[0][..<400_000]))
            }
            // Another upload of the same part is turned away meanwhile.
            #expect(try body.put(try RawSocket(port: relay.port), 0).status == 409)
            try sender.send(Array(body.parts[0][400_000...]))
            for reader in readers { #expect(try reader.read(1_048_576 - 400_000) == Array(body.parts[0][400_000...])) }
            #expect(try sender.readAnswer().status == 201)
            #expect(try body.get(readers[0], 0).status == 200)
        }
    }

    @Test func `an upload that breaks off breaks its readers off, and can be sent again`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            var sender: RawSocket? = try RawSocket(port: relay.port)
            let reader = try RawSocket(port: relay.port)
            try reader.sendRequest("GET", body.path(0), headers: [body.authorization])
            try body.startPut(sender!, 0, sends: 300_000)
            #expect(try HTTPAnswer(head: try reader.readHead()).status == 200)
            sender = nil
            #expect(try reader.readToEnd().count < 1_048_576)
            let next = try RawSocket(port: relay.port)
            try eventually("the broken upload is forgotten") { try body.put(next, 0).status == 201 }
            #expect(try body.get(next, 0).body == body.parts[0])
            #expect(relay.bodyFiles.count == 1)
        }
    }

    @Test func `a part that does not begin is answered after a while with when to ask again`() async throws {
        try await withRelay(RelayPlan { $0.server.parkingTimeLimitSeconds = 1 }) { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            let answer = try body.get(socket, 0)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            #expect(try socket.request("HEAD", body.path(0), headers: [body.authorization]).status == 503)
        }
    }

    @Test func `a body that comes too slowly is cut`() async throws {
        try await withRelay(RelayPlan { $0.server.partTimeLimitSeconds = 1 }) { relay in
            let body = try AnnouncedBody(port: relay.port)
            let sender = try RawSocket(port: relay.port)
            try body.startPut(sender, 0, sends: 10)
            #expect(throws: (any Error).self) { try sender.readAnswer() }
            #expect(try body.put(try RawSocket(port: relay.port), 0).status == 201)
        }
    }

    @Test func `a reader that takes nothing is cut, and holds nobody up`() async throws {
        try await withRelay(RelayPlan { $0.server.stalledReaderTimeLimitSeconds = 1 }) { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            #expect(try body.put(socket, 0).status == 201)
            let stalled = try RawSocket(port: relay.port)
            stalled.shrinkReceiveBuffer()
            // Enough requests that no buffer of the system holds all the answers.
            for _ in 0..<16 { try stalled.sendRequest("GET", body.path(0), headers: [body.authorization]) }
            #expect(try body.get(socket, 0).body == body.parts[0])
            try eventually("the stalled reader is cut") {
                let metrics = try socket.request("GET", "/metrics").text
                return metrics.contains("hearth_requests_total{method=\"GET\",route=\"/v1/…/parts/…\",status=\"200\"}") && metrics.contains("hearth_exchanges 1\n")
            }
        }
    }

    @Test func `removal erases the body, cuts who reads or sends it, and gives 404 after that`() async throws {
        try await withRelay { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            #expect(try body.put(socket, 1).status == 201)
            let (sender, reader, parked) = (try RawSocket(port: relay.port), try RawSocket(port: relay.port), try RawSocket(port: relay.port))
            try body.startPut(sender, 0, sends: 300_000)
            try reader.sendRequest("GET", body.path(0), headers: [body.authorization])
            #expect(try HTTPAnswer(head: try reader.readHead()).status == 200)
            try parked.sendRequest("GET", body.path(2), headers: [body.authorization])
            try eventually("the request is parked") { try socket.request("GET", "/metrics").text.contains("hearth_parked_requests 1\n") }
            #expect(try socket.request("DELETE", body.path, headers: [body.authorization]).status == 204)
            #expect(try reader.readToEnd().count < 1_048_576)
            #expect(try parked.readAnswer().status == 404)
            try? sender.send(Array(body.parts[0][300_000...]))
            if let answer = try? sender.readAnswer() { #expect(answer.status == 404) }
            #expect(try body.get(socket, 1).status == 404)
            #expect(try socket.request("DELETE", body.path, headers: [body.authorization]).status == 404)
            try body.participant.wait { if case .removed(_, _, _, body.entry, _) = $0 { () } else { nil } }
            #expect(relay.bodyFiles.isEmpty)
        }
    }

    @Test func `when the last participant has left and the grace time is over nothing is left on the disk`() async throws {
        try await withRelay(RelayPlan { $0.relay.graceSeconds = 1 }) { relay in
            let body = try AnnouncedBody(port: relay.port)
            let socket = try RawSocket(port: relay.port)
            for number in 0..<3 {
                let answer = try body.put(socket, number)
                #expect(answer.status == 201, "\(answer.text)")
            }
            try body.putEntry(isComplete: true)
            #expect(relay.bodyFiles.count == 3)
            try body.participant.client.send([.leave])
            #expect(try body.participant.closeCode() == 4000)
            try eventually("the conversation is erased") { relay.bodyFiles.isEmpty && names(in: relay.directory + "/bodies").isEmpty }
            #expect(try body.get(socket, 0).status == 404)
        }
    }
}
