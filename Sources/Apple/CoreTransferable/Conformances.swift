// Foundation's own types that can be transferred.

import Foundation

/// Any bytes; takes every content type.
extension Data: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .data, exporting: { $0 }, importing: { $0 })
    }
}

/// UTF-8 text; takes every kind of text.
extension String: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .utf8PlainText, exporting: { Data($0.utf8) }, importing: String.decoded)
        DataRepresentation(importedContentType: .utf16PlainText) { data in
            guard let text = String(data: data, encoding: .utf16) else { throw TransferError.malformed(contentType: UTType.utf16PlainText.identifier) }
            return text
        }
        DataRepresentation(importedContentType: .text, importing: String.decoded)
    }

    @Sendable private static func decoded(_ data: Data) throws -> String {
        guard let text = String(validating: data, as: UTF8.self) else { throw TransferError.malformed(contentType: UTType.utf8PlainText.identifier) }
        return text
    }
}

/// The address itself, not what is there.
extension URL: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .url, exporting: { Data($0.absoluteString.utf8) }, importing: URL.decoded)
        ProxyRepresentation(exporting: { (url: URL) in url.absoluteString })
        DataRepresentation(importedContentType: .fileURL, importing: URL.decoded)
    }

    @Sendable private static func decoded(_ data: Data) throws -> URL {
        guard let text = String(validating: data, as: UTF8.self), let url = URL(string: text), url.scheme != nil else { throw TransferError.malformed(contentType: UTType.url.identifier) }
        return url
    }
}

/// The text without its attributes, which Foundation on Linux cannot code.
extension AttributedString: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { (text: AttributedString) in String(text.characters) }, importing: { AttributedString($0) })
    }
}
