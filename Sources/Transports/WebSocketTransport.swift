// The way to a relay over the network: frames by WebSocket, parts by HTTP on connections of their own.

import Conversations
import Wire

/// May be used from any thread. Certificates are always verified.
public final class WebSocketTransport: RelayTransport {
    public struct Options: Sendable {
        /// Certificates in PEM that are trusted in place of the system's: for a relay with a certificate of its own.
        public var certificateAuthorityPath: String?
        /// Parts that travel at once, each way.
        public var parallelPartLimit = 4

        public init() {}
    }

    private let address: RelayAddress
    private let loop: ClientLoop
    private let uploads: CurlWorkers
    private let downloads: CurlWorkers

    /// - Parameter origin: of the relay, as in `Invitation.origin`. `nil` for what is no http or https address.
    public init?(origin: String, options: Options = Options()) {
        guard let address = RelayAddress(origin: origin) else { return nil }
        self.address = address
        loop = ClientLoop(address: address, certificateAuthorityPath: options.certificateAuthorityPath)
        uploads = CurlWorkers(count: options.parallelPartLimit, certificateAuthorityPath: options.certificateAuthorityPath)
        downloads = CurlWorkers(count: options.parallelPartLimit, certificateAuthorityPath: options.certificateAuthorityPath)
    }

    deinit {
        loop.stop()
        uploads.stop()
        downloads.stop()
    }

    public func connect(to conversation: ConversationID) -> any RelayConnection {
        let socket = ClientSocket(path: "/v1/conversations/\(conversation.base64URL)", loop: loop)
        loop.connect(socket)
        return socket
    }

    public func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure) {
        let request = PartRequest(method: .put(bytes), url: "\(url(of: attachment))/parts/\(part)", token: relayToken, sizeLimitBytes: 65_536) { _ in }
        let status = try await uploads.perform(request)
        guard status == 200 || status == 201 else { throw PartFailure(status: status) }
    }

    public func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            let request = PartRequest(method: .get, url: "\(url(of: attachment))/parts/\(part)", token: relayToken, sizeLimitBytes: Limits.partSizeBytes) { continuation.yield($0) }
            let task = Task { [downloads] in
                do throws(PartFailure) {
                    let status = try await downloads.perform(request)
                    continuation.finish(throwing: status == 200 ? nil : PartFailure(status: status))
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    public func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding {
        let answer = AnswerText()
        let request = PartRequest(method: .get, url: url(of: attachment), token: relayToken, sizeLimitBytes: 65_536, receive: answer.append)
        let status = try await uploads.perform(request)
        guard status == 200 else { throw PartFailure(status: status) }
        guard let standing = answer.standing else { throw .unreachable }
        return standing
    }

    private func url(of attachment: AttachmentAddress) -> String {
        "\(address.origin)/v1/conversations/\(attachment.conversation.base64URL)/sessions/\(attachment.session.base64URL)/attachments/\(attachment.entry.base64URL)"
    }
}

extension PartFailure {
    /// What the relay's status says.
    init(status: Int) {
        switch status {
        case 401: self = .notInvited
        case 404: self = .gone
        case 409: self = .beingStored
        case 429, 503: self = .notYetThere
        case 507: self = .diskFull
        case 500...: self = .unreachable
        default: self = .refused(status: status)
        }
    }
}
