// All declared types: those that everybody knows, and those that the program has declared.

import Foundation

struct TypeDeclaration: Sendable {
    let identifier: String
    var parents: [String]
    var extensions: [String] = []
    var mimeTypes: [String] = []
}

final class TypeRegistry: @unchecked Sendable {
    static let shared = TypeRegistry()

    private let lock = NSLock()
    private var declarations: [String: TypeDeclaration] = [:]
    private var byTag: [UTTagClass: [String: [String]]] = [:]

    private init() {
        for line in KnownTypes.table.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map { field in field.split(separator: " ").map(String.init) }
            guard let identifier = fields.first?.first, fields.count == 4 else { continue }
            add(TypeDeclaration(identifier: identifier, parents: fields[1], extensions: fields[2], mimeTypes: fields[3]))
        }
    }

    func declaration(of identifier: String) -> TypeDeclaration? {
        lock.withLock { declarations[identifier] }
    }

    func identifiers(tagged tag: String, in tagClass: UTTagClass) -> [String] {
        lock.withLock { byTag[tagClass]?[tag] ?? [] }
    }

    /// Declares a type, or adds a parent to one that is declared. A parent that would make a circle is left out.
    func declare(_ identifier: String, conformingTo parent: String?) -> String {
        lock.withLock {
            guard var known = declarations[identifier] else {
                declarations[identifier] = TypeDeclaration(identifier: identifier, parents: [parent ?? "public.data"])
                return identifier
            }
            if let parent, parent != identifier, !known.parents.contains(parent), !KnownTypes.isKnown(identifier) {
                known.parents.append(parent)
                declarations[identifier] = known
            }
            return identifier
        }
    }

    private func add(_ declaration: TypeDeclaration) {
        declarations[declaration.identifier] = declaration
        for tag in declaration.extensions { byTag[.filenameExtension, default: [:]][tag, default: []].append(declaration.identifier) }
        for tag in declaration.mimeTypes { byTag[.mimeType, default: [:]][tag, default: []].append(declaration.identifier) }
    }
}
