// Requests as a stranger writes them, after the network library has cut them into plain values: gate, routes, token, origin, answers.

import Relay
import Wire

@testable import RelayServer

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var lines = Lines(UnsafeRawBufferPointer(start: start, count: count))
    let head = lines.head()
    route(head.path)
    token(head.authorization.value)
    if let admitted = try? RequestGate.admit(head) { admit(admitted, head) } else { refuse(head) }
    return 0
}

/// The input as lines; the first byte of a value's line says how often the header stood there.
private struct Lines {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: UnsafeRawBufferPointer) { rest = Array(bytes)[...] }

    mutating func text() -> String {
        let line = rest.prefix { $0 != 10 }
        rest = rest.dropFirst(line.count + 1)
        return String(decoding: line, as: UTF8.self)
    }

    mutating func single() -> RequestHead.Single {
        let line = text()
        switch line.utf8.first {
        case nil: return .absent
        case UInt8(ascii: "2"): return .several
        default: return .one(String(line.dropFirst()))
        }
    }

    mutating func head() -> RequestHead {
        var head = RequestHead()
        let flags = text().utf8.first ?? 0
        head.method = [.get, .head, .put, .delete, .options, .other][Int(flags & 7) % 6]
        head.hasQuery = flags & 8 != 0
        head.hasTransferEncoding = flags & 16 != 0
        head.hasDisguisedFraming = flags & 128 != 0
        head.path = text()
        head.host = single()
        head.contentLength = single()
        head.authorization = single()
        head.origin = single()
        head.expect = single()
        head.version = text()
        if head.version.isEmpty { head.version = "HTTP/1.1" }
        head.ifNoneMatch = text()
        return head
    }
}

private func route(_ path: String) {
    let route = Route(path: path)
    let base = "/v1/conversations/"
    switch route {
    case .conversation(let name): precondition(path == base + name.base64URL, "two addresses for one conversation")
    case .attachment(let name): precondition(path == address(name), "two addresses for one attachment")
    case .part(let part):
        precondition(path == "\(address(part.attachment))/parts/\(part.number)" && part.number >= 0, "two addresses for one part")
    case .unknownResource: precondition(path.hasPrefix("/v1/"))
    case .page(let page): precondition(page == path)
    case .health, .metrics: break
    }
    precondition(!route.pattern.contains(where: \.isNewline), "a log line could be broken")
    if case .page = route {} else { precondition(route.pattern.count < 32, "a pattern shows no names") }
}

private func address(_ name: AttachmentName) -> String {
    "/v1/conversations/\(name.conversation.base64URL)/sessions/\(name.session.base64URL)/attachments/\(name.entry.base64URL)"
}

private func token(_ header: String?) {
    guard let token = BearerToken.read(header) else { return }
    precondition(token.count == BearerToken.lengthBytes)
}

private func admit(_ admitted: RequestGate.Admitted, _ head: RequestHead) {
    precondition((0...Limits.partSizeBytes).contains(admitted.bodyLengthBytes))
    precondition(head.method == .put || admitted.bodyLengthBytes == 0, "a body with another method than PUT")
    precondition(!head.hasTransferEncoding && head.contentLength != .several && head.path.utf8.first == UInt8(ascii: "/"))
    for isSecure in [false, true] {
        var answer = Answer.text(200, "x")
        answer.headers += SecurityHeaders.forPages(host: admitted.host, isSecure: isSecure)
        check(answer)
    }
    let policy = OriginPolicy(allowed: ["https://photos.example"])
    if policy.permits(head.origin.value, host: admitted.host), let origin = head.origin.value?.lowercased() {
        precondition(origin == "https://photos.example" || origin.hasSuffix("://" + admitted.host.lowercased()), "a page from elsewhere is let in")
    }
}

private func refuse(_ head: RequestHead) {
    do throws(RequestGate.Refusal) { _ = try RequestGate.admit(head) } catch {
        precondition((400..<600).contains(error.status))
        check(Answer.refusal(error))
    }
}

/// Nothing of a request may end a header of the answer.
private func check(_ answer: Answer) {
    let head = String(decoding: answer.head(isOfProtocol: true, closes: true), as: UTF8.self)
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    precondition(lines.count == answer.headers.count + 6, "an answer has more lines than headers")
    precondition(!head.contains("\0"))
}
