// A WebSocket client that can also break every rule.

import Wire

final class WebSocketClient {
    enum Event: Equatable {
        case message([UInt8])
        case closed(Int)
    }

    let socket: RawSocket

    init(port: Int, conversation: ConversationID, headers: [String] = ["Sec-WebSocket-Protocol: hearth.v1"]) throws {
        socket = try RawSocket(port: port)
        try Self.sendHandshake(socket, path: "/v1/conversations/\(conversation.base64URL)", headers: headers)
        let answer = try HTTPAnswer(head: try socket.readHead())
        guard answer.status == 101, answer.headers["sec-websocket-protocol"] == "hearth.v1" else { throw RawSocketError.brokenOff }
    }

    static func sendHandshake(_ socket: RawSocket, path: String, headers: [String]) throws {
        try socket.sendRequest(
            "GET", path, headers: ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] + headers)
    }

    func send(_ frames: [Frame]) throws { try sendFrame(opcode: 2, Frame.encode(frames)) }

    /// `first` may carry any bits; the payload is masked unless told otherwise.
    func sendFrame(opcode: UInt8, isLast: Bool = true, reserved: UInt8 = 0, _ payload: [UInt8], isMasked: Bool = true) throws {
        var bytes: [UInt8] = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65_536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        // Zeros leave a payload as it is: masking megabytes byte by byte would take minutes under a sanitizer.
        let key: [UInt8] = payload.count < 65_536 ? [0x12, 0x34, 0x56, 0x78] : [0, 0, 0, 0]
        if isMasked { bytes += key }
        bytes += isMasked && key[0] != 0 ? payload.enumerated().map { $1 ^ key[$0 & 3] } : payload
        try socket.send(bytes)
    }

    /// The next message or the end. Pings of the WebSocket layer are answered.
    func next() throws -> Event {
        var message: [UInt8] = []
        while true {
            let head: [UInt8]
            do { head = try socket.read(2) } catch RawSocketError.brokenOff { return .closed(1006) }
            var length = Int(head[1] & 0x7f)
            if length == 126 { length = try socket.read(2).reduce(0) { $0 << 8 | Int($1) } } else if length == 127 { length = try socket.read(8).reduce(0) { $0 << 8 | Int($1) } }
            let payload = try socket.read(length)
            switch head[0] & 0x0f {
            case 8: return .closed(payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 1005)
            case 9: try sendFrame(opcode: 10, payload)
            case 10: continue
            default:
                message += payload
                if head[0] & 0x80 != 0 { return .message(message) }
            }
        }
    }
}
