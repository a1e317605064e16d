// How logged values are written.

import Foundation

/// Apple: os/OSLogIntegerFormatting.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let prefix: String
    private let isUppercase: Bool
    private let hasSign: Bool
    private let minDigits: Int

    public static var decimal: Self { .decimal() }
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 1) -> Self {
        .init(radix: 10, prefix: "", isUppercase: false, hasSign: explicitPositiveSign, minDigits: minDigits)
    }
    public static var hex: Self { .hex() }
    public static func hex(explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 1) -> Self {
        .init(radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase, hasSign: explicitPositiveSign, minDigits: minDigits)
    }
    public static var octal: Self { .octal() }
    public static func octal(explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 1) -> Self {
        .init(radix: 8, prefix: includePrefix ? "0o" : "", isUppercase: uppercase, hasSign: explicitPositiveSign, minDigits: minDigits)
    }

    func text<T: BinaryInteger>(_ value: T) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        return (value < 0 ? "-" : hasSign ? "+" : "") + prefix + String(repeating: "0", count: max(0, minDigits - digits.count)) + digits
    }
}

/// Apple: os/OSLogFloatFormatting.
public struct OSLogFloatFormatting: Sendable {
    private let conversion: String
    private let precision: Int
    private let hasSign: Bool

    public static var fixed: Self { .fixed(precision: 6) }
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self { .init(conversion: "f", precision: precision, hasSign: explicitPositiveSign) }
    public static var exponential: Self { .exponential(precision: 6) }
    public static func exponential(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
        .init(conversion: uppercase ? "E" : "e", precision: precision, hasSign: explicitPositiveSign)
    }
    public static var hybrid: Self { .hybrid(precision: 6) }
    public static func hybrid(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
        .init(conversion: uppercase ? "G" : "g", precision: precision, hasSign: explicitPositiveSign)
    }

    func text(_ value: Double) -> String { String(format: "%\(hasSign ? "+" : "").\(min(max(0, precision), 100))\(conversion)", value) }
}

/// Apple: os/OSLogBoolFormat.
public enum OSLogBoolFormat: Sendable { case truth, answer }

/// Apple: os/OSLogStringAlignment.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isLeft: Bool

    public static var none: Self { .init(columns: 0, isLeft: true) }
    public static func left(columns: Int) -> Self { .init(columns: columns, isLeft: true) }
    public static func right(columns: Int) -> Self { .init(columns: columns, isLeft: false) }

    func pad(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, min(columns, 1_000) - text.count))
        return isLeft ? text + space : space + text
    }
}
