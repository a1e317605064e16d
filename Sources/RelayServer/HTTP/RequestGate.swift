// What a request must be before anything looks at what it asks for: strict about framing, so that nobody in front of the relay
// can read a request differently.

import Wire

enum RequestGate {
    /// Answered with `status`, after which the connection is closed: its framing is not to be trusted any more.
    struct Refusal: Error, Equatable {
        let status: Int
        let message: String
        var limit: Int?
        var value: Int?
    }

    /// What has passed the gate.
    struct Admitted: Equatable, Sendable {
        let host: String
        /// Bytes of the body that follows; 0 for none.
        let bodyLengthBytes: Int
        let expectsContinue: Bool
    }

    static func admit(_ head: RequestHead) throws(Refusal) -> Admitted {
        guard head.isHTTP1, head.version == "HTTP/1.1" else { throw Refusal(status: 505, message: "only HTTP/1.1 is spoken here") }
        guard head.method != .other else { throw Refusal(status: 405, message: "GET, HEAD, PUT, DELETE and OPTIONS are understood") }
        guard case .one(let host) = head.host, isPlausibleHost(host) else { throw Refusal(status: 400, message: "exactly one Host is needed") }
        guard !head.hasTransferEncoding else { throw Refusal(status: 411, message: "Transfer-Encoding is not taken; send Content-Length") }
        guard !head.hasDisguisedFraming else { throw Refusal(status: 400, message: "white space before a colon") }
        guard head.origin != .several, head.authorization != .several else { throw Refusal(status: 400, message: "a header stands there twice") }
        guard head.path.utf8.first == UInt8(ascii: "/") else { throw Refusal(status: 400, message: "the target must be a path") }
        let length = try bodyLength(head)
        return Admitted(host: host, bodyLengthBytes: length, expectsContinue: try expectsContinue(head))
    }

    private static func bodyLength(_ head: RequestHead) throws(Refusal) -> Int {
        switch head.contentLength {
        case .several: throw Refusal(status: 400, message: "Content-Length stands there twice")
        case .absent:
            guard head.method != .put else { throw Refusal(status: 411, message: "Content-Length is needed") }
            return 0
        case .one(let text):
            guard let length = decimal(text) else { throw Refusal(status: 400, message: "Content-Length is not a number") }
            guard head.method == .put || length == 0 else {
                throw Refusal(status: 400, message: "a body is taken with PUT only", limit: 0, value: length)
            }
            guard length <= Limits.partSizeBytes else {
                throw Refusal(status: 413, message: "a part is at most \(Limits.partSizeBytes) bytes", limit: Limits.partSizeBytes, value: length)
            }
            return length
        }
    }

    private static func expectsContinue(_ head: RequestHead) throws(Refusal) -> Bool {
        switch head.expect {
        case .absent: return false
        case .one(let text) where text.lowercased() == "100-continue": return true
        default: throw Refusal(status: 417, message: "only 100-continue can be expected")
        }
    }

    /// Digits and nothing else, at most 15 of them.
    private static func decimal(_ text: String) -> Int? {
        let digits = text.utf8
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text)
    }

    /// A name or address with or without a port. Nothing that could break out of a header that repeats it.
    private static func isPlausibleHost(_ host: String) -> Bool {
        (1...255).contains(host.utf8.count)
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): true
                default: false
                }
            }
    }
}
