// An answer held in memory: status, headers, body.

struct Answer: Equatable, Sendable {
    var status: Int
    var headers: [Header]
    var body: [UInt8]
    /// The length told when no body follows (HEAD, 304), else the body's.
    var statedLengthBytes: Int?

    struct Header: Equatable, Sendable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func text(_ status: Int, _ text: String, type: String = "text/plain; charset=utf-8") -> Answer {
        let headers = [Header("Content-Type", type), Header("Cache-Control", "no-store"), Header("X-Content-Type-Options", "nosniff")]
        return Answer(status: status, headers: headers, body: Array(text.utf8))
    }

    static func json(_ status: Int, _ json: String) -> Answer { .text(status, json, type: "application/json") }

    /// The protocol's error body. `error` is the short fixed name, `message` a sentence; neither repeats what the request said.
    static func error(_ status: Int, _ error: String, _ message: String, limit: Int? = nil, value: Int? = nil) -> Answer {
        var json = "{\"error\":\"\(error)\",\"message\":\"\(message)\""
        if let limit { json += ",\"limit\":\(limit)" }
        if let value { json += ",\"value\":\(value)" }
        return .json(status, json + "}\n")
    }

    static func refusal(_ refusal: RequestGate.Refusal) -> Answer {
        let answer = error(refusal.status, reasonPhrase(refusal.status).lowercased(), refusal.message, limit: refusal.limit, value: refusal.value)
        return refusal.status == 429 ? answer.with("Retry-After", "1") : answer
    }

    func with(_ name: String, _ value: String) -> Answer {
        var answer = self
        answer.headers.append(Header(name, value))
        return answer
    }

    /// The same head without the body, as HEAD wants it.
    var withoutBody: Answer {
        var answer = self
        answer.statedLengthBytes = statedLengthBytes ?? body.count
        answer.body = []
        return answer
    }

    func head(isOfProtocol: Bool, closes: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reasonPhrase(status))\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        if isOfProtocol { text += "Hearth: 1\r\n" }
        if status != 304 && status != 204 { text += "Content-Length: \(statedLengthBytes ?? body.count)\r\n" }
        if closes { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 417: "Expectation Failed"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Answer"
        }
    }
}
