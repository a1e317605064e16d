// The one callback of the network library: turns its reasons into calls of the front and the hub.

import CLws
import Glibc
import Relay
import Wire

/// On the loop's thread only.
final class LwsCallback {
    static let protocolName = "hearth.v1"

    let front: Front
    /// Of the connection that was let in last; the library makes its handle right after.
    private var arrivingAddress = ""
    private(set) var socketCount = 0

    init(front: Front) { self.front = front }

    /// What the library wants to hear: 0 to go on, -1 to close.
    fileprivate func handle(_ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ length: Int) -> Int32 {
        switch reason {
        case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return admit(descriptor: Int32(truncatingIfNeeded: Int(bitPattern: input)))
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: _ = connection(wsi)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(wsi, input)
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return connection(wsi).conversation == nil ? -1 : 0
        case LWS_CALLBACK_ESTABLISHED: return established(wsi)
        case LWS_CALLBACK_RECEIVE: return received(wsi, UnsafeRawBufferPointer(start: input, count: length))
        case LWS_CALLBACK_SERVER_WRITEABLE: return socketWritable(wsi)
        case LWS_CALLBACK_HTTP: return request(wsi)
        case LWS_CALLBACK_HTTP_BODY:
            guard let exchange = attached(wsi)?.exchange else { return -1 }
            return step(wsi, exchange.received(UnsafeRawBufferPointer(start: input, count: length)))
        case LWS_CALLBACK_HTTP_BODY_COMPLETION:
            guard let exchange = attached(wsi)?.exchange else { return -1 }
            clws_no_timeout(wsi)
            return step(wsi, exchange.receivedEnd())
        case LWS_CALLBACK_HTTP_WRITEABLE:
            guard let exchange = attached(wsi)?.exchange else { return 0 }
            return step(wsi, exchange.writable())
        // After CONNECT the library would pass anything on, with no time limit.
        case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED, LWS_CALLBACK_RAW_RX: return -1
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP: end(wsi)
        case LWS_CALLBACK_WSI_DESTROY: destroy(wsi)
        default: break
        }
        return 0
    }

    // MARK: Connections

    private func attached(_ wsi: OpaquePointer) -> LwsConnection? {
        lws_get_opaque_user_data(wsi).map { Unmanaged<LwsConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connection(_ wsi: OpaquePointer) -> LwsConnection {
        if let attached = attached(wsi) { return attached }
        let connection = LwsConnection(wsi, address: arrivingAddress)
        lws_set_opaque_user_data(wsi, Unmanaged.passRetained(connection).toOpaque())
        front.census.add(connection.address)
        return connection
    }

    private func admit(descriptor: Int32) -> Int32 {
        arrivingAddress = PeerAddress.text(descriptor)
        if front.isAdmitting && !front.isDraining && front.census.admits(arrivingAddress) { return 0 }
        front.figures.connectionsRefused += 1
        return -1
    }

    /// The connection's HTTP or WebSocket life is over. Called by whichever of the library's three endings comes first.
    private func end(_ wsi: OpaquePointer) {
        guard let connection = attached(wsi) else { return }
        if let exchange = connection.exchange {
            connection.exchange = nil
            front.finished(exchange)
        }
        if let socket = connection.socket {
            connection.socket = nil
            socket.detach()
            socketCount -= 1
            if let id = socket.id { front.hub.assumeIsolated { hub in hub.disconnected(id) } }
            if let conversation = connection.conversation {
                front.count(
                    method: .get, route: .conversation(conversation), status: Int(socket.closing?.rawValue ?? 1006), bytes: 0, since: socket.startedNanoseconds)
            }
        }
    }

    private func destroy(_ wsi: OpaquePointer) {
        end(wsi)
        guard let user = lws_get_opaque_user_data(wsi) else { return }
        lws_set_opaque_user_data(wsi, nil)
        let connection = Unmanaged<LwsConnection>.fromOpaque(user).takeRetainedValue()
        connection.detach()
        front.census.remove(connection.address)
    }

    // MARK: HTTP

    private func request(_ wsi: OpaquePointer) -> Int32 {
        let connection = connection(wsi)
        guard connection.exchange == nil, connection.socket == nil else { return -1 }
        clws_no_timeout(wsi)
        let head = RequestHead(wsi)
        do throws(RequestGate.Refusal) {
            connection.exchange = try front.open(head, from: connection.address, on: connection)
            return 0
        } catch {
            return refuse(connection, head, error)
        }
    }

    /// Answers and closes: what follows on this connection is not to be trusted.
    private func refuse(_ connection: LwsConnection, _ head: RequestHead, _ refusal: RequestGate.Refusal) -> Int32 {
        let route = Route(path: head.path)
        let answer = Answer.refusal(refusal)
        _ = connection.write(head: answer.head(isOfProtocol: route.isOfProtocol, closes: true) + (head.method == .head ? [] : answer.body))
        front.count(method: head.method, route: route, status: refusal.status, bytes: answer.body.count, since: connection.startedNanoseconds)
        return -1
    }

    private func step(_ wsi: OpaquePointer, _ step: ExchangeStep) -> Int32 {
        switch step {
        case .goOn: return 0
        case .close: return -1
        case .finished:
            if let connection = attached(wsi), let exchange = connection.exchange {
                connection.exchange = nil
                front.finished(exchange)
            }
            return lws_http_transaction_completed(wsi) != 0 ? -1 : 0
        }
    }

    // MARK: WebSocket

    private func confirmUpgrade(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?) -> Int32 {
        let connection = connection(wsi)
        guard let input, strcasecmp(input.assumingMemoryBound(to: CChar.self), "websocket") == 0 else { return -1 }
        let head = RequestHead(wsi)
        do throws(RequestGate.Refusal) {
            connection.conversation = try front.admitSocket(head, from: connection.address, offersProtocol: RequestHead.offersProtocol(wsi, Self.protocolName))
            return 0
        } catch {
            return refuse(connection, head, error)
        }
    }

    private func established(_ wsi: OpaquePointer) -> Int32 {
        let connection = connection(wsi)
        guard let conversation = connection.conversation, connection.socket == nil else { return -1 }
        let socket = LwsSocket(wsi)
        connection.socket = socket
        socketCount += 1
        socket.id = front.hub.assumeIsolated { hub in hub.connected(socket, to: conversation) }
        return 0
    }

    private func received(_ wsi: OpaquePointer, _ piece: UnsafeRawBufferPointer) -> Int32 {
        guard let socket = attached(wsi)?.socket, let id = socket.id else { return -1 }
        guard socket.closing == nil else { return 0 }
        guard lws_frame_is_binary(wsi) != 0 else {
            front.hub.assumeIsolated { hub in hub.receivedGarbage(on: id) }
            return 0
        }
        let isLast = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
        let hub = front.hub
        let limit = hub.assumeIsolated { hub in hub.messageSizeLimitBytes(on: id) }
        let incoming = socket.join(piece, isLast: isLast, limitBytes: limit) { message in
            nonisolated(unsafe) let message = message
            hub.assumeIsolated { hub in hub.received(message, on: id) }
        }
        if case .tooLarge(let sizeBytes) = incoming {
            front.refusedMessage(sizeBytes: sizeBytes + Int(clamping: lws_remaining_packet_payload(wsi)), limitBytes: limit)
            hub.assumeIsolated { hub in hub.receivedTooLarge(on: id) }
        }
        return 0
    }

    private func socketWritable(_ wsi: OpaquePointer) -> Int32 {
        guard let socket = attached(wsi)?.socket, let id = socket.id else { return 0 }
        if let reason = socket.closing {
            clws_close_reason(wsi, Int32(reason.rawValue))
            return -1
        }
        front.hub.assumeIsolated { hub in hub.becameWritable(id) }
        return 0
    }
}

/// The library calls this with nothing captured: it finds the rest through the context's user pointer.
func heardFromLws(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let callback = lws_context_user(context) else { return 0 }
    return Unmanaged<LwsCallback>.fromOpaque(callback).takeUnretainedValue().handle(wsi, reason, input, length)
}
