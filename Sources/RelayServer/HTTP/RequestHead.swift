// The head of a request as the network library kept it: a plain value, so that the rules about it can be tested without a socket.

/// Values are decoded (%xx, dots); the raw target and the list of unknown headers are not to be had.
struct RequestHead: Equatable, Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
        case other = "OTHER"
    }

    /// A header of which one is expected.
    enum Single: Equatable, Sendable {
        case absent
        case one(String)
        case several

        var value: String? {
            if case .one(let value) = self { value } else { nil }
        }
    }

    var method = Method.get
    var path = ""
    var hasQuery = false
    var version = "HTTP/1.1"
    var isHTTP1 = true
    var host = Single.absent
    var contentLength = Single.absent
    var hasTransferEncoding = false
    /// A header whose name is Content-Length or Transfer-Encoding but for white space before the colon: another reader would take it for the real one.
    var hasDisguisedFraming = false
    var authorization = Single.absent
    var origin = Single.absent
    var expect = Single.absent
    var ifNoneMatch: String?
}
