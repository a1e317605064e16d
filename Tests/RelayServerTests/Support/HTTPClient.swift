// Requests and answers over a raw socket.

import Glibc

struct HTTPAnswer {
    let status: Int
    let headers: [String: String]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    init(head: String) throws {
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)) else { throw RawSocketError.brokenOff }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = headers
    }
}

extension RawSocket {
    func sendRequest(_ method: String, _ path: String, headers: [String] = [], body: [UInt8]? = nil) throws {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: relay.test\r\n"
        for header in headers { text += header + "\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        try send(Array((text + "\r\n").utf8) + (body ?? []))
    }

    func readAnswer(toHead isHead: Bool = false) throws -> HTTPAnswer {
        var answer = try HTTPAnswer(head: try readHead())
        if !isHead, let length = answer.headers["content-length"].flatMap({ Int($0) }) { answer.body = try read(length) }
        return answer
    }

    func request(_ method: String, _ path: String, headers: [String] = [], body: [UInt8]? = nil) throws -> HTTPAnswer {
        try sendRequest(method, path, headers: headers, body: body)
        return try readAnswer(toHead: method == "HEAD")
    }
}
