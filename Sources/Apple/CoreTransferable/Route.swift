// What representations come down to: for each content type a way out of an item, a way back, or both.

import Foundation

/// What leaves an item.
package enum TransferredContent: Sendable {
    case data(Data)
    /// A file. With `isOriginal` it may be read where it is; without, it must be copied before the exporter goes on.
    case file(URL, isOriginal: Bool)
}

struct Route<Item>: Sendable {
    let contentType: UTType
    var visibility = TransferRepresentationVisibility.all
    var condition: @Sendable (Item) -> Bool = { _ in true }
    var fileName: @Sendable (Item) -> String? = { _ in nil }
    /// Throws `Passed` where the item cannot take this route, so that the next is tried.
    var export: (@Sendable (Item) async throws -> TransferredContent)?
    var importData: (@Sendable (Data) async throws -> Item)?
    var importFile: (@Sendable (ReceivedTransferredFile) async throws -> Item)?

    struct Passed: Error {}

    var isImporting: Bool { importData != nil || importFile != nil }

    static func all<R: TransferRepresentation>(of representation: R) -> [Route] where R.Item == Item {
        if let source = representation as? any RouteSource<Item> { return source.routes }
        // A representation that an app composed: its body is of the same item, by its builder.
        return any(of: representation.body)
    }

    /// The routes of a representation that a builder has checked to be of this item.
    static func any<R: TransferRepresentation>(of representation: R) -> [Route] {
        (Route<R.Item>.all(of: representation) as Any) as? [Route] ?? []
    }
}

protocol RouteSource<Item> {
    associatedtype Item
    var routes: [Route<Item>] { get }
}

extension Transferable {
    static var routes: [Route<Self>] { Route.any(of: transferRepresentation) }
}
