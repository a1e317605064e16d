// One plain request to whatever answers at an address, told in every detail: for finding out what stands between a person and a relay.

import CCurl
import Glibc

public struct Probe: Equatable, Sendable {
    public enum Failure: Equatable, Sendable {
        case nameUnknown
        case proxyUnusable
        /// The proxy let nothing through, and said so by an HTTP status.
        case proxyRefused(status: Int)
        case refused
        case timedOut
        /// The other side does not speak TLS, or not with us.
        case tlsFailed(String)
        case certificateWrong(String)
        case other(String)
    }

    public enum Result: Equatable, Sendable {
        /// - Parameter isOfRelay: the answer carries `Hearth: 1`, so nothing in between gave it.
        case answered(status: Int, isOfRelay: Bool)
        case failed(Failure)
    }

    /// Blocks the calling thread, for 20 s at most.
    /// - Parameter body: is sent by PUT; without one it is a GET.
    public static func request(_ url: String, body: [UInt8]? = nil, certificateAuthorityPath: String? = nil) -> Result {
        guard ccurl_start() == 1, let handle = curl_easy_init() else { return .failed(.other("libcurl does not start")) }
        defer { curl_easy_cleanup(handle) }
        let request = PartRequest(method: body.map { .put($0) } ?? .get, url: url, token: [0], sizeLimitBytes: 65_536) { _ in }
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = message.withUnsafeMutableBufferPointer { buffer in
            request.probe(on: OpaquePointer(handle), certificateAuthorityPath: certificateAuthorityPath, message: buffer.baseAddress!)
        }
        let status = Int(ccurl_status(handle))
        let connectStatus = Int(ccurl_connect_status(handle))
        if code != CURLE_OK, connectStatus >= 300 { return .failed(.proxyRefused(status: connectStatus)) }
        if status > 0 { return .answered(status: status, isOfRelay: request.isOfRelay) }
        return .failed(failure(code, String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)))
    }

    private static func failure(_ code: CURLcode, _ message: String) -> Failure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameUnknown
        case CURLE_COULDNT_RESOLVE_PROXY: .proxyUnusable
        case CURLE_COULDNT_CONNECT: .refused
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR: .tlsFailed(message)
        case CURLE_PEER_FAILED_VERIFICATION: .certificateWrong(message)
        default: .other(message)
        }
    }
}
