// What each route gives: docs/protocol/attachments.md, health, metrics and the web client.

import Relay
import Wire

extension Front {
    func makeExchange(_ head: RequestHead, _ route: Route, _ request: RequestGate.Admitted, _ port: any ExchangePort) -> Exchange {
        func plain(_ work: @escaping (PlainExchange) -> Void) -> Exchange {
            PlainExchange(front: self, port: port, head: head, route: route, request: request, work: work)
        }
        func answering(_ answer: Answer) -> Exchange { plain { $0.answer(answer) } }

        if route.isOfProtocol {
            if head.method == .options { return answering(preflight(head)) }
            if head.hasQuery { return answering(.error(404, "not found", "there is nothing here")) }
        }
        switch route {
        case .health: return answering(readOnly(head) { .text(200, isDraining ? "draining\n" : "ok\n") })
        case .metrics: return answering(readOnly(head) { .text(200, metricsText(), type: "text/plain; version=0.0.4; charset=utf-8") })
        case .page(let path): return answering(readOnly(head) { page(path, head, request) })
        case .unknownResource: return answering(.error(404, "not found", "there is nothing here"))
        case .conversation: return answering(.error(426, "upgrade required", "a conversation is reached by WebSocket").with("Upgrade", "websocket"))
        case .attachment(let name):
            if let refusal = unauthorized(head, name.conversation) { return answering(refusal) }
            return attachmentExchange(name, head, plain)
        case .part(let part):
            if let refusal = unauthorized(head, part.attachment.conversation) { return answering(refusal) }
            return partExchange(part, head, route, request, port)
        }
    }

    private func readOnly(_ head: RequestHead, _ answer: () -> Answer) -> Answer {
        guard head.method == .get || head.method == .head else { return .error(405, "method not allowed", "only GET and HEAD").with("Allow", "GET, HEAD") }
        return answer()
    }

    private func page(_ path: String, _ head: RequestHead, _ request: RequestGate.Admitted) -> Answer {
        // A browser that was told to insist on https for localhost would do so for every program there.
        let isSecure = settings.tls.map { !$0.isSelfSigned } ?? false && !request.host.lowercased().hasPrefix("localhost")
        if let found = site?.answer(path: path, ifNoneMatch: head.ifNoneMatch, host: request.host, isSecure: isSecure) { return found }
        if site == nil && path == "/" { return .text(200, "Hearth's relay is running. It was started without a web client (--web).\n") }
        return .text(404, "not found\n")
    }

    private func unauthorized(_ head: RequestHead, _ conversation: ConversationID) -> Answer? {
        guard let token = BearerToken.read(head.authorization.value) else {
            return .error(401, "unauthorized", "the relay token is missing or malformed").with("WWW-Authenticate", "Bearer")
        }
        // Who is refused by WebSocket is told the same two things apart (4104, 4103).
        guard hub.assumeIsolated({ $0.holds(conversation) }) else { return .error(404, "not found", "no such conversation: it has ended or never was") }
        guard hub.assumeIsolated({ $0.authorizes(token, for: conversation) }) else {
            return .error(401, "unauthorized", "not this conversation's relay token").with("WWW-Authenticate", "Bearer")
        }
        return nil
    }

    private func attachmentExchange(_ name: AttachmentName, _ head: RequestHead, _ plain: (@escaping (PlainExchange) -> Void) -> Exchange) -> Exchange {
        guard let found = hub.assumeIsolated({ $0.attachment(name) }) else { return plain { $0.answer(.noAttachment) } }
        switch head.method {
        case .get, .head:
            let missing = (0..<found.partCount).filter { !found.heldParts.contains($0) }.map(String.init).joined(separator: ",")
            let json = "{\"bodyLength\":\(found.bodyLengthBytes),\"partCount\":\(found.partCount),\"missing\":[\(missing)]}\n"
            return plain { $0.answer(.json(200, json)) }
        case .delete: return plain { [hub, loop] exchange in Self.remove(name, hub, loop, exchange) }
        default: return plain { $0.answer(.error(405, "method not allowed", "GET, HEAD and DELETE").with("Allow", "GET, HEAD, DELETE")) }
        }
    }

    private static func remove(_ name: AttachmentName, _ hub: RelayHub, _ loop: LoopExecutor, _ exchange: PlainExchange) {
        Task {
            let answer: Answer
            do throws(StoreError) {
                answer = try await hub.removeAttachment(name) ? Answer(status: 204) : .noAttachment
            } catch { answer = .error(500, "storage failed", "the attachment could not be removed; it still stands") }
            loop.perform { exchange.answer(answer) }
        }
    }

    private func partExchange(_ part: PartName, _ head: RequestHead, _ route: Route, _ request: RequestGate.Admitted, _ port: any ExchangePort) -> Exchange {
        func answering(_ answer: Answer) -> Exchange {
            PlainExchange(front: self, port: port, head: head, route: route, request: request) { $0.answer(answer) }
        }
        guard let found = hub.assumeIsolated({ $0.attachment(part.attachment) }), part.number < found.partCount else { return answering(.noAttachment) }
        let length = min(Limits.partSizeBytes, found.bodyLengthBytes - part.number * Limits.partSizeBytes)
        let isHeld = found.heldParts.contains(part.number)
        switch head.method {
        case .put:
            guard request.bodyLengthBytes == length else {
                return answering(.error(400, "wrong length", "this part has exactly \(length) bytes", limit: length, value: request.bodyLengthBytes))
            }
            if isHeld { return answering(.json(200, "{}\n")) }
            if coming.uploads[part] != nil { return answering(.error(409, "being stored", "this part is being stored by another request")) }
            if isDraining { return answering(.draining) }
            return UploadExchange(front: self, port: port, head: head, route: route, request: request, part: part)
        case .get, .head:
            return DownloadExchange(front: self, port: port, head: head, route: route, request: request, part: part, lengthBytes: length)
        default: return answering(.error(405, "method not allowed", "GET, HEAD and PUT").with("Allow", "GET, HEAD, PUT"))
        }
    }

    /// Pages of allowed origins may use the attachment routes too.
    private func preflight(_ head: RequestHead) -> Answer {
        guard origins.allowedForeign(head.origin.value) != nil else { return .error(403, "forbidden", "pages of this origin may not use this relay") }
        return Answer(
            status: 204,
            headers: [
                .init("Access-Control-Allow-Methods", "GET, HEAD, PUT, DELETE"), .init("Access-Control-Allow-Headers", "Authorization, Content-Type"),
                .init("Access-Control-Max-Age", "86400"),
            ])
    }
}

extension Answer {
    static let noAttachment = Answer.error(404, "not found", "no such attachment or part: removed, ended or never announced")
    static let draining = Answer.error(503, "shutting down", "the relay is being stopped; ask again").with("Retry-After", "2")
}
