// What kind of data something is: a name, and the names that it is a special case of.

import Foundation

/// A type of data. Two are equal when their identifiers are. Apple: UniformTypeIdentifiers/UTType-swift.struct.
public struct UTType: Hashable, Codable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The name, such as `public.jpeg`.
    public let identifier: String

    /// A declared type, by its identifier in any case; nil for one that nobody has declared. Dynamic identifiers (`dyn.…`) are taken.
    public init?(_ identifier: String) {
        let name = identifier.lowercased()
        if let declaration = TypeRegistry.shared.declaration(of: name) {
            self.identifier = declaration.identifier
        } else if DynamicType(identifier: name) != nil {
            self.identifier = name
        } else {
            return nil
        }
    }

    init(known identifier: String) { self.identifier = identifier }

    /// The type for a file name extension without its dot, a dynamic one where none is declared.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type for a media type such as `image/jpeg`; what follows a semicolon is left out.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let essence = mimeType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        self.init(tag: essence, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type for a tag of a class, among those that conform to `supertype`; a dynamic one where none is declared.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        let tag = tag.lowercased()
        guard !tag.isEmpty, tag.utf8.count <= DynamicType.tagLimitBytes else { return nil }
        let candidates = TypeRegistry.shared.identifiers(tagged: tag, in: tagClass).map(UTType.init(known:))
        if let found = candidates.first(where: { candidate in supertype.map { candidate.conforms(to: $0) } ?? true }) {
            self = found
        } else {
            guard let dynamic = DynamicType(tag: tag, tagClass: tagClass, conformingTo: supertype ?? .data) else { return nil }
            identifier = dynamic.identifier
        }
    }

    /// A type that this program defines. There is no Info.plist here, so this declares it.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaring: identifier, conformingTo: parentType)
    }

    /// A type that another program defines and this one uses.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaring: identifier, conformingTo: parentType)
    }

    private init(declaring identifier: String, conformingTo parentType: UTType?) {
        self.identifier = TypeRegistry.shared.declare(identifier.lowercased(), conformingTo: parentType?.identifier)
    }

    /// Written as the identifier alone.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard !name.isEmpty, name.utf8.count <= 1024 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a type identifier has 1 to 1024 bytes, this one has \(name.utf8.count)")
        }
        self = UTType(name) ?? UTType(importedAs: name)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }

    public var description: String { identifier }
    public var debugDescription: String { "<UTType \(identifier)>" }
}

extension UTType {
    private var declaration: TypeDeclaration? { TypeRegistry.shared.declaration(of: identifier) }
    private var dynamic: DynamicType? { DynamicType(identifier: identifier) }

    /// All tags by their classes.
    public var tags: [UTTagClass: [String]] {
        if let dynamic { return [dynamic.tagClass: [dynamic.tag]] }
        var tags: [UTTagClass: [String]] = [:]
        if let extensions = declaration?.extensions, !extensions.isEmpty { tags[.filenameExtension] = extensions }
        if let types = declaration?.mimeTypes, !types.isEmpty { tags[.mimeType] = types }
        return tags
    }

    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }
    public var preferredMIMEType: String? { tags[.mimeType]?.first }
    public var isDynamic: Bool { dynamic != nil }
    public var isDeclared: Bool { declaration != nil }
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// A name for people, in English.
    public var localizedDescription: String? {
        guard let declaration else { return preferredFilenameExtension.map { "\($0.uppercased()) file" } }
        return declaration.identifier.split(separator: ".").last.map { String($0).replacingOccurrences(of: "-", with: " ") }
    }

    /// All types that this one is a special case of, itself left out.
    public var supertypes: Set<UTType> {
        var found: Set<String> = []
        var pending = parents
        while let next = pending.popLast() {
            if found.insert(next).inserted { pending += UTType(known: next).parents }
        }
        found.remove(identifier)
        return Set(found.map(UTType.init(known:)))
    }

    private var parents: [String] { dynamic.map { [$0.supertype] } ?? declaration?.parents ?? [] }

    /// True for itself and for every supertype.
    public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }
    public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    /// The types of a tag, declared ones only.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        TypeRegistry.shared.identifiers(tagged: tag.lowercased(), in: tagClass).map(UTType.init(known:)).filter { type in supertype.map { type.conforms(to: $0) } ?? true }
    }
}

/// A kind of tag by which a type is known elsewhere. Apple: UniformTypeIdentifiers/UTTagClass.
public struct UTTagClass: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension URL {
    /// The URL with the preferred extension of a type, unless it has one of the type's already. Apple: Foundation/URL/appendingPathExtension(for:).
    public func appendingPathExtension(for type: UTType) -> URL {
        if UTType.types(tag: pathExtension, tagClass: .filenameExtension, conformingTo: type).contains(type) { return self }
        return type.preferredFilenameExtension.map { appendingPathExtension($0) } ?? self
    }

    public func appendingPathComponent(_ partialName: String, conformingTo type: UTType) -> URL {
        appendingPathComponent(partialName).appendingPathExtension(for: type)
    }
}
