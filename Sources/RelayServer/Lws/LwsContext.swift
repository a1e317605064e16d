// Sets the network library up: one context on our loop, one virtual host, plain or TLS, HTTP/1.1 only.

import CLws
import Glibc

/// On the loop's thread only. The library keeps pointers into what is given to it, so these live until `destroy`.
final class LwsContext {
    private let context: OpaquePointer
    private let ticker: UnsafeMutablePointer<clws_ticker>
    private let strings: CStrings
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let retry: UnsafeMutablePointer<lws_retry_bo_t>
    private let loops: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let callback: LwsCallback
    private var meansToCall: OpaquePointer?
    let port: Int

    enum Failure: Error { case context, listener }

    init(settings: ServerSettings, loop: OpaquePointer, callback: LwsCallback) throws(Failure) {
        self.callback = callback
        let strings = CStrings()
        self.strings = strings
        protocols = .allocate(capacity: 3)
        protocols.initialize(repeating: lws_protocols(), count: 3)
        protocols[0].name = strings.copy("http")
        protocols[0].callback = heardFromLws
        protocols[0].rx_buffer_size = 4_096
        protocols[0].tx_packet_size = 1 << 20  // above the largest batch: the library sends it as one frame
        protocols[1] = protocols[0]
        protocols[1].name = strings.copy(LwsCallback.protocolName)
        retry = .allocate(capacity: 1)
        retry.initialize(to: lws_retry_bo_t())
        // The library's own pings find connections whose other end is gone without a word; the protocol's heartbeats find programs that are stuck.
        retry.pointee.secs_since_valid_ping = 60
        retry.pointee.secs_since_valid_hangup = 90
        loops = .allocate(capacity: 1)
        loops.initialize(to: UnsafeMutableRawPointer(loop))

        var info = lws_context_creation_info()
        info.protocols = UnsafePointer(protocols)
        info.retry_and_idle_policy = UnsafePointer(retry)
        info.foreign_loops = loops
        info.user = Unmanaged.passUnretained(callback).toOpaque()
        info.gid = .init(truncatingIfNeeded: -1)
        info.uid = .init(truncatingIfNeeded: -1)
        info.server_string = strings.copy("hearth")
        info.pt_serv_buf_size = 65_536
        info.max_http_header_data = 4_096
        info.timeout_secs = .init(settings.headTimeLimitSeconds)
        info.timeout_secs_ah_idle = .init(settings.headTimeLimitSeconds)
        info.keepalive_timeout = .init(settings.keepAliveSeconds)
        info.options = UInt64(LWS_SERVER_OPTION_LIBEV) | UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS) | UInt64(LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME)
        if settings.tls != nil { info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT) }
        info.port = Int32(settings.port)
        if let host = settings.host { info.iface = strings.copy(host) }
        if settings.host?.contains(".") == true || !ListeningSocket.isIPv6Possible { info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_IPV6) }
        info.vhost_name = strings.copy("hearth")
        guard let context = lws_create_context(&info) else { throw .context }
        self.context = context
        info.options |= UInt64(LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND)
        if let tls = settings.tls {
            info.alpn = strings.copy("http/1.1")
            meansToCall = clws_means_to_call()
            info.provided_client_ssl_ctx = meansToCall
            info.ssl_cert_filepath = strings.copy(tls.certificatePath)
            info.ssl_private_key_filepath = strings.copy(tls.keyPath)
            info.ssl_cipher_list = strings.copy("ECDHE+AESGCM:ECDHE+CHACHA20")
        }
        guard let host = lws_create_vhost(context, &info) else {
            lws_context_destroy(context)
            throw .listener
        }
        port = Int(lws_get_vhost_listen_port(host))
        ticker = clws_start_ticker(context)
    }

    /// Closes every connection, once.
    func destroy() {
        clws_stop_ticker(ticker)
        lws_context_destroy(context)
        clws_free_means_to_call(meansToCall)
        protocols.deallocate()
        retry.deallocate()
        loops.deallocate()
    }
}

/// C strings that live as long as this does.
final class CStrings {
    private var pointers: [UnsafeMutablePointer<CChar>] = []

    func copy(_ text: String) -> UnsafePointer<CChar> {
        let pointer = strdup(text)!
        pointers.append(pointer)
        return UnsafePointer(pointer)
    }

    deinit { for pointer in pointers { free(pointer) } }
}
