// From an item to bytes or a file.

import Foundation

/// An item on its way out. A temporary file belongs to whoever holds this and is removed by `discard()`.
package struct ExportedItem: Sendable {
    package enum Body: Sendable {
        case data(Data)
        case file(URL)
    }

    package let contentType: UTType
    /// A name for the file, without a path; nil where the item suggests none.
    package let suggestedFileName: String?
    package let body: Body
    private let temporaryDirectory: URL?

    init(contentType: UTType, suggestedFileName: String?, content: TransferredContent) throws {
        self.contentType = contentType
        switch content {
        case .data(let data):
            (body, temporaryDirectory) = (.data(data), nil)
        case .file(let file, isOriginal: true):
            (body, temporaryDirectory) = (.file(file), nil)
        case .file(let file, isOriginal: false):
            // The exporter may change or remove its file as soon as it has been asked; a copy does not pass through memory.
            let directory = try TemporaryDirectory.make()
            let copy = directory.appendingPathComponent(file.lastPathComponent)
            do { try FileManager.default.copyItem(at: file, to: copy) } catch {
                TemporaryDirectory.remove(directory)
                throw error
            }
            (body, temporaryDirectory) = (.file(copy), directory)
        }
        let name = suggestedFileName ?? { if case .file(let file, _) = content { file.lastPathComponent } else { nil } }()
        self.suggestedFileName = name.map { String($0.split(separator: "/").last ?? "") }.flatMap { ["", ".", ".."].contains($0) ? nil : $0 }
    }

    package func discard() {
        if let temporaryDirectory { TemporaryDirectory.remove(temporaryDirectory) }
    }
}

enum TemporaryDirectory {
    static func make() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("transfer-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return directory
    }

    // It may be gone already; there is nobody to tell.
    static func remove(_ directory: URL) { try? FileManager.default.removeItem(at: directory) }
}

extension Transferable {
    /// Exports by the first representation that `place` may see and that fits; by its order of preference where no type is asked for.
    package func exportedItem(as contentType: UTType? = nil, visibleTo place: TransferRepresentationVisibility = .team) async throws -> ExportedItem {
        for route in Self.exportRoutes(as: contentType, visibleTo: place) where route.condition(self) {
            guard let export = route.export else { continue }
            do {
                return try ExportedItem(contentType: route.contentType, suggestedFileName: route.fileName(self), content: try await export(self))
            } catch is Route<Self>.Passed { continue }
        }
        throw TransferError.notExportable(item: "\(Self.self)", contentType: contentType?.identifier)
    }

    private static func exportRoutes(as contentType: UTType?, visibleTo place: TransferRepresentationVisibility) -> [Route<Self>] {
        let visible = routes.filter { $0.export != nil && $0.visibility.isVisible(to: place) }
        guard let contentType else { return visible }
        return visible.filter { $0.contentType == contentType } + visible.filter { $0.contentType.isSubtype(of: contentType) }
    }

    /// The content types that an item of this type can become. Apple: CoreTransferable/Transferable/exportedContentTypes(visibility:).
    public static func exportedContentTypes(visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        unique(exportRoutes(as: nil, visibleTo: visibility).map(\.contentType))
    }

    /// The content types that this item can become.
    public func exportedContentTypes(_ visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        Self.unique(Self.exportRoutes(as: nil, visibleTo: visibility).filter { $0.condition(self) }.map(\.contentType))
    }

    static func unique(_ types: [UTType]) -> [UTType] {
        var seen: Set<UTType> = []
        return types.filter { seen.insert($0).inserted }
    }

    /// The item as bytes; nil asks for the preferred type. Apple: CoreTransferable/Transferable/exported(as:).
    public func exported(as contentType: UTType?) async throws -> Data {
        let item = try await exportedItem(as: contentType, visibleTo: .ownProcess)
        defer { item.discard() }
        switch item.body {
        case .data(let data): return data
        case .file(let file): return try Data(contentsOf: file)
        }
    }

    /// Writes the item as a new file into a directory, under a name that is free there. Apple: CoreTransferable/Transferable/export(to:contentType:).
    public func export(to destinationDirectory: URL, contentType: UTType?) async throws -> URL {
        let item = try await exportedItem(as: contentType, visibleTo: .ownProcess)
        defer { item.discard() }
        let destination = Self.freeName(for: item, in: destinationDirectory)
        switch item.body {
        case .data(let data): try data.write(to: destination, options: .withoutOverwriting)
        case .file(let file): try FileManager.default.copyItem(at: file, to: destination)
        }
        return destination
    }

    /// Gives the item as a file that lives until the handler returns. Apple: CoreTransferable/Transferable/withExportedFile(contentType:fileHandler:).
    public func withExportedFile<Result>(contentType: UTType?, fileHandler: (URL) async throws -> Result) async throws -> Result {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        return try await fileHandler(try await export(to: directory, contentType: contentType))
    }

    /// A name for the file that the item becomes. Apple: CoreTransferable/Transferable/suggestedFilename.
    public var suggestedFilename: String? {
        Self.routes.lazy.filter { $0.export != nil && $0.condition(self) }.compactMap { $0.fileName(self) }.first
    }

    private static func freeName(for item: ExportedItem, in directory: URL) -> URL {
        let name = item.suggestedFileName ?? "\(Self.self)"
        var first = directory.appendingPathComponent(name)
        if first.pathExtension.isEmpty { first = first.appendingPathExtension(for: item.contentType) }
        var candidate = first
        var count = 1
        while FileManager.default.fileExists(atPath: candidate.path) {
            count += 1
            let stem = first.deletingPathExtension().lastPathComponent
            candidate = directory.appendingPathComponent("\(stem) \(count)")
            if !first.pathExtension.isEmpty { candidate = candidate.appendingPathExtension(first.pathExtension) }
        }
        return candidate
    }
}
