// Values that can leave a program as bytes or files and come back in another.

@_exported import Foundation
@_exported import UniformTypeIdentifiers

/// A type that says how it is written as bytes or files, in the order of preference. Apple: CoreTransferable/Transferable.
@preconcurrency
public protocol Transferable: Sendable {
    associatedtype Representation: TransferRepresentation
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

/// One way to write an item, or several. Leaf types have `Never` as their body. Apple: CoreTransferable/TransferRepresentation.
public protocol TransferRepresentation<Item>: Sendable {
    associatedtype Item: Transferable
    associatedtype Body: TransferRepresentation
    @TransferRepresentationBuilder<Item> var body: Body { get }
}

extension TransferRepresentation where Body == Never {
    public var body: Never { preconditionFailure("a leaf has no body") }
}

extension Never: Transferable, TransferRepresentation {
    public typealias Item = Never
    public typealias Body = Never
    public static var transferRepresentation: Never { preconditionFailure("there is no value of Never to transfer") }
}

/// Puts representations together, one after the other. Apple: CoreTransferable/TransferRepresentationBuilder.
@resultBuilder
public struct TransferRepresentationBuilder<Item: Transferable> {
    public static func buildExpression<Content: TransferRepresentation>(_ content: Content) -> Content where Content.Item == Item { content }

    public static func buildPartialBlock<Content: TransferRepresentation>(first content: Content) -> Content where Content.Item == Item { content }

    public static func buildPartialBlock<First: TransferRepresentation, Next: TransferRepresentation>(accumulated first: First, next: Next)
        -> TupleTransferRepresentation<Item, (First, Next)> where First.Item == Item, Next.Item == Item
    {
        TupleTransferRepresentation(value: (first, next), routes: Route.all(of: first) + Route.all(of: next))
    }
}

/// Several representations. Apple: CoreTransferable/TupleTransferRepresentation.
public struct TupleTransferRepresentation<Item: Transferable, Value>: TransferRepresentation, RouteSource, @unchecked Sendable {
    public typealias Body = Never
    let value: Value
    let routes: [Route<Item>]
}

/// Who may see a representation. Apple: CoreTransferable/TransferRepresentationVisibility.
public struct TransferRepresentationVisibility: Equatable, Sendable {
    let reach: Int
    public static let all = TransferRepresentationVisibility(reach: 3)
    public static let team = TransferRepresentationVisibility(reach: 2)
    public static let group = TransferRepresentationVisibility(reach: 1)
    public static let ownProcess = TransferRepresentationVisibility(reach: 0)

    /// True when somebody at `place` sees what has this visibility.
    func isVisible(to place: TransferRepresentationVisibility) -> Bool { reach >= place.reach }
}

/// What goes wrong between an item and its bytes.
public enum TransferError: Error, Equatable, LocalizedError {
    /// The type has no representation that may be exported as asked for.
    case notExportable(item: String, contentType: String?)
    /// The type has no representation that takes this content type.
    case notImportable(item: String, contentType: String?)
    /// The bytes are not what their content type says.
    case malformed(contentType: String)

    public var errorDescription: String? {
        switch self {
        case .notExportable(let item, let type): "\(item) has no representation to export\(type.map { " as \($0)" } ?? "")"
        case .notImportable(let item, let type): "\(item) has no representation that imports \(type ?? "this content")"
        case .malformed(let type): "the content is not valid \(type)"
        }
    }
}
