// What is logged: text from the program, which is public, and values, which say for themselves whether they may be shown.

import Foundation

/// A message with values, written as a string literal. Apple: os/OSLogMessage.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    private let interpolation: OSLogInterpolation

    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

    public init(stringLiteral value: String) {
        var interpolation = OSLogInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.interpolation = interpolation
    }

    /// A private value is replaced by `<private>`; line breaks and other controls in values are written as escapes, so that a value cannot forge a line.
    func text(showsPrivate: Bool) -> String {
        interpolation.pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .value(let text, let privacy, let align): align.pad(privacy.shown(text, showsPrivate: showsPrivate))
            }
        }.joined()
    }
}

/// Apple: os/OSLogInterpolation.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    enum Piece: Sendable {
        case literal(String)
        case value(String, OSLogPrivacy, OSLogStringAlignment)
    }

    var pieces: [Piece] = []

    public init(literalCapacity: Int, interpolationCount: Int) { pieces.reserveCapacity(2 * interpolationCount + 1) }

    public mutating func appendLiteral(_ literal: String) { pieces.append(.literal(literal)) }

    public mutating func appendInterpolation(_ value: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) { append(value, privacy, align) }

    // Numbers are convertible too, and have formats of their own.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(_ value: T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) {
        append(value.description, privacy, align)
    }

    public mutating func appendInterpolation<T: BinaryInteger>(_ value: T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) {
        append(format.text(value), privacy.forScalars, align)
    }

    public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) {
        append(format.text(Double(value)), privacy.forScalars, align)
    }

    public mutating func appendInterpolation(_ value: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto) {
        append(format == .truth ? "\(value)" : value ? "yes" : "no", privacy.forScalars, .none)
    }

    public mutating func appendInterpolation(_ value: any Error, privacy: OSLogPrivacy = .auto) { append("\(value)", privacy, .none) }

    public mutating func appendInterpolation(_ value: Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) {
        append(String(describing: value), privacy.forScalars, align)
    }

    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: Any?, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto) {
        append(value.map { "\($0)" } ?? "nil", privacy, align)
    }

    private mutating func append(_ text: String, _ privacy: OSLogPrivacy, _ align: OSLogStringAlignment) { pieces.append(.value(text, privacy, align)) }
}

/// Whether a value may be shown. Left to itself, text is private and numbers are public. Apple: os/OSLogPrivacy.
public struct OSLogPrivacy: Sendable {
    public enum Mask: Sendable { case hash, none }

    private enum Kind { case auto, isPublic, isPrivate, sensitive }

    private let kind: Kind
    private let mask: Mask

    public static var auto: OSLogPrivacy { .init(kind: .auto, mask: .none) }
    public static var `public`: OSLogPrivacy { .init(kind: .isPublic, mask: .none) }
    public static var `private`: OSLogPrivacy { .init(kind: .isPrivate, mask: .none) }
    public static var sensitive: OSLogPrivacy { .init(kind: .sensitive, mask: .none) }
    public static func auto(mask: Mask) -> OSLogPrivacy { .init(kind: .auto, mask: mask) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { .init(kind: .isPrivate, mask: mask) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(kind: .sensitive, mask: mask) }

    var forScalars: OSLogPrivacy { kind == .auto ? .public : self }

    func shown(_ text: String, showsPrivate: Bool) -> String {
        let isShown =
            switch kind {
            case .isPublic: true
            case .auto, .isPrivate: showsPrivate
            case .sensitive: false
            }
        if isShown { return Self.escaped(text) }
        guard mask == .hash else { return kind == .sensitive ? "<sensitive>" : "<private>" }
        // Hasher is seeded for each process: equal values can be seen to be equal, and nothing can be looked up.
        var hasher = Hasher()
        hasher.combine(text)
        return "<mask.hash: '\(String(UInt(bitPattern: hasher.finalize()), radix: 36))'>"
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return text.unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: false) : String($0) }.joined()
    }
}
