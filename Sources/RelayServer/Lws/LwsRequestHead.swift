// Fills the plain request head from what the network library has kept of a request.

import CLws

extension RequestHead {
    init(_ wsi: OpaquePointer) {
        self.init()
        isHTTP1 = clws_is_plain_http1(wsi) != 0
        let methods: [(lws_token_indexes, Method)] = [
            (WSI_TOKEN_GET_URI, .get), (WSI_TOKEN_PUT_URI, .put), (WSI_TOKEN_HEAD_URI, .head), (WSI_TOKEN_DELETE_URI, .delete),
            (WSI_TOKEN_OPTIONS_URI, .options),
        ]
        if let (token, method) = methods.first(where: { Self.isPresent(wsi, $0.0) }) {
            self.method = method
            path = Self.text(wsi, token, limitBytes: 1_024) ?? ""
        } else {
            method = .other
        }
        hasQuery = Self.isPresent(wsi, WSI_TOKEN_HTTP_URI_ARGS)
        version = Self.text(wsi, WSI_TOKEN_HTTP, limitBytes: 16) ?? ""
        host = Self.single(wsi, WSI_TOKEN_HOST)
        contentLength = Self.single(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH)
        hasTransferEncoding = Self.isPresent(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING)
        hasDisguisedFraming = clws_has_disguised_framing(wsi) != 0
        authorization = Self.single(wsi, WSI_TOKEN_HTTP_AUTHORIZATION)
        origin = Self.single(wsi, WSI_TOKEN_ORIGIN)
        expect = Self.single(wsi, WSI_TOKEN_HTTP_EXPECT)
        ifNoneMatch = Self.text(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, limitBytes: 512)
    }

    /// Whether the client offers the sub-protocol, in a list separated by commas.
    static func offersProtocol(_ wsi: OpaquePointer, _ name: String) -> Bool {
        guard let offered = text(wsi, WSI_TOKEN_PROTOCOL, limitBytes: 512) else { return false }
        return offered.split(whereSeparator: { $0 == "," || $0 == " " }).contains { $0 == name }
    }

    private static func isPresent(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> Bool {
        lws_hdr_total_length(wsi, token) > 0 || lws_hdr_fragment_length(wsi, token, 0) > 0
    }

    private static func single(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> Single {
        guard isPresent(wsi, token) else { return .absent }
        if lws_hdr_fragment_length(wsi, token, 1) > 0 { return .several }
        // What is longer than anything allowed counts as unusable, as two of them would.
        return text(wsi, token, limitBytes: 512).map { .one($0) } ?? .several
    }

    /// `nil` when there is none, or when it is longer than the limit. Not read as a C string: a NUL must be seen.
    private static func text(_ wsi: OpaquePointer, _ token: lws_token_indexes, limitBytes: Int) -> String? {
        let length = Int(lws_hdr_total_length(wsi, token))
        guard length > 0, length <= limitBytes else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limitBytes + 2) { buffer in
            buffer.initialize(repeating: 0)
            let copied = buffer.withMemoryRebound(to: CChar.self) { lws_hdr_copy(wsi, $0.baseAddress!, Int32(limitBytes + 1), token) }
            return copied < 0 ? nil : String(decoding: buffer[0..<length], as: UTF8.self)
        }
    }
}
