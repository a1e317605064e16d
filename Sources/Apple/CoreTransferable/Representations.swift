// The four ways to write an item: bytes, coded values, files, and another item that stands for it.

import Combine
import Foundation

/// An item as bytes in memory. Apple: CoreTransferable/DataRepresentation.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation, RouteSource {
    public typealias Body = Never
    let routes: [Route<Item>]

    public init(contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data, importing: @escaping @Sendable (Data) async throws -> Item) {
        routes = [Route(contentType: contentType, export: { .data(try await exporting($0)) }, importData: importing)]
    }

    public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
        routes = [Route(contentType: exportedContentType, export: { .data(try await exporting($0)) })]
    }

    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        routes = [Route(contentType: importedContentType, importData: importing)]
    }
}

/// An item that is `Codable`. Apple: CoreTransferable/CodableRepresentation.
public struct CodableRepresentation<Item: Transferable & Codable, Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>: TransferRepresentation, RouteSource
where Encoder.Output == Data, Decoder.Input == Data {
    public typealias Body = Never
    let routes: [Route<Item>]

    /// As JSON.
    public init(for itemType: Item.Type = Item.self, contentType: UTType) where Encoder == JSONEncoder, Decoder == JSONDecoder {
        self.init(for: itemType, contentType: contentType, encoder: JSONEncoder(), decoder: JSONDecoder())
    }

    public init(for itemType: Item.Type = Item.self, contentType: UTType, encoder: Encoder, decoder: Decoder) {
        let coder = Coder(encode: { try encoder.encode($0) }, decode: { try decoder.decode(Item.self, from: $0) })
        routes = [Route(contentType: contentType, export: { .data(try coder.encode($0)) }, importData: { try coder.decode($0) })]
    }
}

// Encoder and decoder are configured before and only used from here on.
private struct Coder<Item>: @unchecked Sendable {
    let encode: (Item) throws -> Data
    let decode: (Data) throws -> Item
}

/// An item as a file, which is never read as a whole. Apple: CoreTransferable/FileRepresentation.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation, RouteSource {
    public typealias Body = Never
    let routes: [Route<Item>]

    public init(
        contentType: UTType, shouldAttemptToOpenInPlace: Bool = false, exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        routes = [Route(contentType: contentType, export: Self.export(exporting), importFile: importing)]
    }

    public init(exportedContentType: UTType, shouldAllowToOpenInPlace: Bool = false, exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile) {
        routes = [Route(contentType: exportedContentType, export: Self.export(exporting))]
    }

    public init(importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false, importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item) {
        routes = [Route(contentType: importedContentType, importFile: importing)]
    }

    private static func export(_ exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile) -> @Sendable (Item) async throws -> TransferredContent {
        { item in
            let sent = try await exporting(item)
            return .file(sent.file, isOriginal: sent.allowAccessingOriginalFile)
        }
    }
}

/// A file that an item gives out. Apple: CoreTransferable/SentTransferredFile.
public struct SentTransferredFile: Sendable {
    public let file: URL
    /// The receiver may read the file where it is; otherwise it gets a copy.
    public let allowAccessingOriginalFile: Bool

    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        self.file = file
        self.allowAccessingOriginalFile = allowAccessingOriginalFile
    }
}

/// A file that an item is made from. It may be gone when the importing closure returns. Apple: CoreTransferable/ReceivedTransferredFile.
public struct ReceivedTransferredFile: Sendable {
    public let file: URL
    public let isOriginalFile: Bool

    package init(file: URL, isOriginalFile: Bool) {
        self.file = file
        self.isOriginalFile = isOriginalFile
    }
}

/// An item by way of another that is transferable. Apple: CoreTransferable/ProxyRepresentation.
public struct ProxyRepresentation<Item: Transferable, ProxyRepresentation: Transferable>: TransferRepresentation, RouteSource {
    public typealias Body = Never
    typealias Proxy = ProxyRepresentation
    private let exporting: (@Sendable (Item) async throws -> Proxy)?
    private let importing: (@Sendable (Proxy) async throws -> Item)?

    public init(importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item) { (exporting, self.importing) = (nil, importing) }
    public init(exporting: @escaping @Sendable (Item) async throws -> ProxyRepresentation) { (self.exporting, importing) = (exporting, nil) }
    public init(exporting: @escaping @Sendable (Item) async throws -> ProxyRepresentation, importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item) {
        (self.exporting, self.importing) = (exporting, importing)
    }

    var routes: [Route<Item>] {
        Proxy.routes.map(route).filter { $0.export != nil || $0.isImporting }
    }

    private func route(through inner: Route<Proxy>) -> Route<Item> {
        var route = Route<Item>(contentType: inner.contentType, visibility: inner.visibility)
        if let exporting, let export = inner.export {
            route.export = { item in
                let proxy = try await exporting(item)
                guard inner.condition(proxy) else { throw Route<Item>.Passed() }
                return try await export(proxy)
            }
        }
        if let importing {
            if let read = inner.importData { route.importData = { try await importing(try await read($0)) } }
            if let read = inner.importFile { route.importFile = { try await importing(try await read($0)) } }
        }
        return route
    }
}
