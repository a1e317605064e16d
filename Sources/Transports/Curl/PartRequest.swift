// One request for a part, in the words of docs/protocol/attachments.md.

import CCurl
import Conversations
import Synchronization
import Wire

final class PartRequest: Sendable {
    enum Method: Sendable {
        case get
        case put([UInt8])
    }

    /// Parts are large: libcurl's own 16 KiB would mean a call and a hop to another thread for each.
    private static let transferSizeBytes = 262_144

    private struct State {
        var sentBytes = 0
        var receivedBytes = 0
        var isOfRelay = false
        var isCancelled = false
    }

    let method: Method
    let url: String
    let token: [UInt8]
    /// No answer is longer.
    let sizeLimitBytes: Int
    private let receive: @Sendable ([UInt8]) -> Void
    private let state = Mutex(State())

    /// - Parameter receive: hears the body of an answer 200 of the relay as it comes.
    init(method: Method, url: String, token: [UInt8], sizeLimitBytes: Int, receive: @escaping @Sendable ([UInt8]) -> Void) {
        self.method = method
        self.url = url
        self.token = token
        self.sizeLimitBytes = sizeLimitBytes
        self.receive = receive
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Does it on this thread. Throws `unreachable` for whatever is not an answer of the relay, whole, but for a refusal that would come again.
    func perform(on curl: OpaquePointer, certificateAuthorityPath: String?) throws(PartFailure) -> Int {
        guard let result = transfer(on: curl, certificateAuthorityPath: certificateAuthorityPath, timeLimitSeconds: nil, message: nil) else { throw .unreachable }
        let status = Int(ccurl_status(UnsafeMutableRawPointer(curl)))
        guard isOfRelay else { throw status == 411 || status == 413 ? .refusedByProxy(status: status) : .unreachable }
        // A relay that has refused need not have read all that was sent.
        guard result == CURLE_OK || (status >= 400 && result == CURLE_SEND_ERROR) else { throw .unreachable }
        return status
    }

    /// Does it on this thread and returns what libcurl says of it.
    /// - Parameter message: room for `CURL_ERROR_SIZE` characters.
    func probe(on curl: OpaquePointer, certificateAuthorityPath: String?, message: UnsafeMutablePointer<CChar>) -> CURLcode {
        transfer(on: curl, certificateAuthorityPath: certificateAuthorityPath, timeLimitSeconds: 20, message: message) ?? CURLE_FAILED_INIT
    }

    /// Whether the answer carries `Hearth: 1`.
    var isOfRelay: Bool { state.withLock(\.isOfRelay) }

    /// `nil`: it could not even begin.
    private func transfer(on curl: OpaquePointer, certificateAuthorityPath: String?, timeLimitSeconds: Int?, message: UnsafeMutablePointer<CChar>?) -> CURLcode? {
        let handle = UnsafeMutableRawPointer(curl)
        curl_easy_reset(handle)
        var headers: UnsafeMutablePointer<curl_slist>?
        // The pause in which an answer to `Expect` would be waited for is never worth it for a part.
        for header in ["Authorization: Bearer \(Self.base64URL(token))", "Expect:", "Content-Type: application/octet-stream"] { headers = curl_slist_append(headers, header) }
        defer { curl_slist_free_all(headers) }
        let user = Unmanaged.passUnretained(self).toOpaque()
        var isSet = ccurl_set_text(handle, CURLOPT_URL, url) == 1
        func set(_ result: Int32) { isSet = isSet && result == 1 }
        set(ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers))
        set(ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
        set(ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1))
        set(ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
        set(ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 15))
        set(ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1))
        set(ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, 40))
        set(ccurl_set_long(handle, CURLOPT_NOPROGRESS, 0))
        set(ccurl_set_long(handle, CURLOPT_BUFFERSIZE, Self.transferSizeBytes))
        set(ccurl_set_long(handle, CURLOPT_UPLOAD_BUFFERSIZE, Self.transferSizeBytes))
        // One rule for the WebSocket and for parts: libcurl's own view of the environment is another one.
        let proxy = RelayAddress(origin: url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//"))?.proxy()
        set(ccurl_set_text(handle, CURLOPT_PROXY, proxy.map { "http://\($0)" } ?? ""))
        set(ccurl_set_text(handle, CURLOPT_NOPROXY, ""))
        set(ccurl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, proxy == nil ? 0 : 1))
        set(ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
        if let timeLimitSeconds { set(ccurl_set_long(handle, CURLOPT_TIMEOUT, timeLimitSeconds)) }
        if let message { set(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)) }
        if let certificateAuthorityPath {
            set(ccurl_set_text(handle, CURLOPT_CAINFO, certificateAuthorityPath))
            set(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
        }
        set(ccurl_set_transfer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in PartRequest.of(user).header(bytes, size * count) })
        set(ccurl_set_pointer(handle, CURLOPT_HEADERDATA, user))
        set(ccurl_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in PartRequest.of(user).body(bytes, size * count) })
        set(ccurl_set_pointer(handle, CURLOPT_WRITEDATA, user))
        set(ccurl_set_progress(handle) { user, _, _, _, _ in PartRequest.of(user).isCancelled ? 1 : 0 })
        set(ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, user))
        if case .put(let bytes) = method {
            set(ccurl_set_long(handle, CURLOPT_UPLOAD, 1))
            set(ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, bytes.count))
            set(ccurl_set_transfer(handle, CURLOPT_READFUNCTION) { bytes, size, count, user in PartRequest.of(user).read(bytes, size * count) })
            set(ccurl_set_pointer(handle, CURLOPT_READDATA, user))
        }
        guard isSet, !isCancelled else { return nil }
        return curl_easy_perform(handle)
    }

    private static func of(_ user: UnsafeMutableRawPointer?) -> PartRequest { Unmanaged<PartRequest>.fromOpaque(user!).takeUnretainedValue() }

    /// An answer without `Hearth: 1` comes from something in between.
    private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self).lowercased()
        state.withLock { state in
            // The status line begins an answer; a proxy may give one before the relay's.
            if line.hasPrefix("http/") { state.isOfRelay = false }
            if line.hasPrefix("hearth:"), line.dropFirst(7).filter({ !$0.isWhitespace }) == "1" { state.isOfRelay = true }
        }
        return count
    }

    private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let isWanted = state.withLock { state in
            state.receivedBytes += count
            return state.isOfRelay && !state.isCancelled && state.receivedBytes <= sizeLimitBytes
        }
        guard isWanted else { return 0 }
        receive(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        return count
    }

    private func read(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard case .put(let bytes) = method, let buffer else { return 0 }
        return state.withLock { state in
            let size = min(count, bytes.count - state.sentBytes)
            bytes.withUnsafeBytes { UnsafeMutableRawPointer(buffer).copyMemory(from: $0.baseAddress! + state.sentBytes, byteCount: size) }
            state.sentBytes += size
            return size
        }
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
