// The thread on which the network library lives for one transport.

import CLws
import Glibc
import Synchronization

final class ClientLoop: Sendable {
    private enum Order {
        case connect(ClientSocket)
        case nudge(ClientSocket)
    }

    private struct State {
        var orders: [Order] = []
        /// The library's context, for waking its thread.
        var context: UInt = 0
        var isStarted = false
        var isStopping = false
    }

    private let address: RelayAddress
    private let certificateAuthorityPath: String?
    private let state = Mutex(State())
    // On the loop's thread only; keeps each socket as long as the library knows it.
    private nonisolated(unsafe) var sockets: [ObjectIdentifier: ClientSocket] = [:]

    init(address: RelayAddress, certificateAuthorityPath: String?) {
        self.address = address
        self.certificateAuthorityPath = certificateAuthorityPath
    }

    func connect(_ socket: ClientSocket) { order(.connect(socket)) }
    func wantsToWrite(_ socket: ClientSocket) { order(.nudge(socket)) }
    func wantsToClose(_ socket: ClientSocket) { order(.nudge(socket)) }

    /// Every socket is closed, and the thread ends.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            wake(state)
        }
    }

    /// On the loop's thread.
    func forget(_ socket: ClientSocket) { sockets[ObjectIdentifier(socket)] = nil }

    private func order(_ order: Order) {
        let mustStart = state.withLock { state -> Bool in
            state.orders.append(order)
            wake(state)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { start() }
    }

    private func wake(_ state: borrowing State) {
        if let context = OpaquePointer(bitPattern: state.context) { lws_cancel_service(context) }
    }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<ClientLoop>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread for the network")
        pthread_detach(thread)
    }

    // MARK: On the loop's thread

    private func run() {
        signal(SIGPIPE, SIG_IGN)
        lws_set_log_level(0, nil)
        let name = strdup("hearth.v1")
        let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        protocols[0].name = UnsafePointer(name)
        protocols[0].callback = { wsi, reason, _, input, count in clientCallback(wsi, reason, input, count) }
        protocols[0].rx_buffer_size = 65_536
        protocols[0].tx_packet_size = 1 << 20
        let authority = certificateAuthorityPath.map { strdup($0) } ?? nil
        let noProxy = strdup("")
        let trust = address.isSecure ? clws_trust(authority) : nil
        defer {
            clws_free_trust(trust)
            free(name)
            free(authority)
            free(noProxy)
            protocols.deallocate()
        }
        var info = lws_context_creation_info()
        info.port = -1
        info.gid = -1
        info.uid = -1
        info.protocols = UnsafePointer(protocols)
        info.timeout_secs = 15
        info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
        // An address that is empty keeps the library from taking its own view of the environment.
        info.http_proxy_address = UnsafePointer(noProxy)
        guard !address.isSecure || trust != nil, let context = lws_create_context(&info) else { return abandonAll() }
        if address.isSecure {
            // Only now: for a context it would change what the whole process looks by for its connections, in the midst of others' handshakes.
            info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
            info.provided_client_ssl_ctx = trust
        }
        guard let vhost = lws_create_vhost(context, &info) else {
            lws_context_destroy(context)
            return abandonAll()
        }
        if let proxy = address.proxy() { lws_set_proxy(vhost, proxy) }
        state.withLock { $0.context = UInt(bitPattern: context) }
        while true {
            let (orders, isStopping) = state.withLock { state in
                defer { state.orders = [] }
                return (state.orders, state.isStopping)
            }
            if isStopping { break }
            for order in orders { carryOut(order, context, vhost) }
            if lws_service(context, 0) < 0 { break }
        }
        state.withLock { $0.context = 0 }
        lws_context_destroy(context)
        abandonAll()
    }

    private func abandonAll() {
        for socket in sockets.values { socket.over() }
        let orders = state.withLock { state in
            state.isStopping = true
            return state.orders
        }
        for case .connect(let socket) in orders { socket.over() }
    }

    private func carryOut(_ order: Order, _ context: OpaquePointer, _ vhost: OpaquePointer) {
        switch order {
        case .nudge(let socket): socket.nudge()
        case .connect(let socket):
            sockets[ObjectIdentifier(socket)] = socket
            if !connect(socket, context, vhost) { socket.over() }
        }
    }

    private func connect(_ socket: ClientSocket, _ context: OpaquePointer, _ vhost: OpaquePointer) -> Bool {
        let texts = [address.host, address.hostHeader, socket.path, "hearth.v1", "http/1.1"].map { (text: String) in strdup(text) }
        defer { for text in texts { free(text) } }
        var info = lws_client_connect_info()
        info.context = context
        info.vhost = vhost
        info.address = UnsafePointer(texts[0])
        info.host = UnsafePointer(texts[1])
        info.path = UnsafePointer(texts[2])
        info.protocol = UnsafePointer(texts[3])
        info.alpn = UnsafePointer(texts[4])
        info.port = Int32(address.port)
        info.ssl_connection = address.isSecure ? Int32(LCCSCF_USE_SSL.rawValue) : 0
        info.opaque_user_data = Unmanaged.passUnretained(socket).toOpaque()
        guard let wsi = lws_client_connect_via_info(&info) else { return false }
        // What failed at once has been told already.
        if sockets[ObjectIdentifier(socket)] != nil { socket.wsi = wsi }
        socket.nudge()
        return true
    }
}

private func clientCallback(_ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let wsi, let data = lws_get_opaque_user_data(wsi) else { return 0 }
    let socket = Unmanaged<ClientSocket>.fromOpaque(data).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR, LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_WSI_DESTROY:
        // The last time that the socket may be reached from here.
        lws_set_opaque_user_data(wsi, nil)
    case LWS_CALLBACK_CLIENT_ESTABLISHED: socket.wsi = wsi
    default: break
    }
    return socket.handle(reason, input, count)
}
