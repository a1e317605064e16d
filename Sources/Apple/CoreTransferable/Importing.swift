// From bytes or a file to an item.

import Foundation

extension Transferable {
    /// The content types that an item of this type can be made from. Apple: CoreTransferable/Transferable/importedContentTypes().
    public static func importedContentTypes() -> [UTType] { unique(routes.filter(\.isImporting).map(\.contentType)) }
    public func importedContentTypes() -> [UTType] { Self.importedContentTypes() }

    /// Makes an item from bytes; without a type by the first representation that imports. Apple: CoreTransferable/Transferable/init(importing:contentType:).
    public init(importing data: Data, contentType: UTType?) async throws {
        let route = try Self.importRoute(for: contentType)
        if let importData = route.importData {
            self = try await importData(data)
        } else if let importFile = route.importFile {
            let directory = try TemporaryDirectory.make()
            defer { TemporaryDirectory.remove(directory) }
            let file = directory.appendingPathComponent("content").appendingPathExtension(for: contentType ?? route.contentType)
            try data.write(to: file)
            self = try await importFile(ReceivedTransferredFile(file: file, isOriginalFile: false))
        } else {
            throw TransferError.notImportable(item: "\(Self.self)", contentType: contentType?.identifier)
        }
    }

    /// Makes an item from a file, which is handed on as it is where a representation takes files, and stays where it is. Apple: CoreTransferable/Transferable/init(importing:contentType:).
    public init(importing file: URL, contentType: UTType?) async throws {
        let type = contentType ?? UTType(filenameExtension: file.pathExtension).flatMap { $0.isDynamic ? nil : $0 }
        let route = try Self.importRoute(for: type, isAsked: contentType != nil)
        if let importFile = route.importFile {
            self = try await importFile(ReceivedTransferredFile(file: file, isOriginalFile: false))
        } else if let importData = route.importData {
            self = try await importData(try Data(contentsOf: file, options: .mappedIfSafe))
        } else {
            throw TransferError.notImportable(item: "\(Self.self)", contentType: contentType?.identifier)
        }
    }

    /// The same type first, then one that it is a special case of, then plain data, which takes everything.
    private static func importRoute(for contentType: UTType?, isAsked: Bool = true) throws -> Route<Self> {
        let importing = routes.filter(\.isImporting)
        guard let contentType else {
            guard let first = importing.first else { throw TransferError.notImportable(item: "\(Self.self)", contentType: nil) }
            return first
        }
        let fitting =
            importing.first { $0.contentType == contentType } ?? importing.first { contentType.conforms(to: $0.contentType) }
            ?? importing.first { $0.contentType == .data } ?? (isAsked ? nil : importing.first)
        guard let fitting else { throw TransferError.notImportable(item: "\(Self.self)", contentType: contentType.identifier) }
        return fitting
    }
}
