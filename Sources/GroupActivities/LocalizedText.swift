// `String(localized:)`, which Foundation on Linux lacks and activities name themselves with.

import Foundation

extension String {
    /// Text that stands for itself until a bundle has a translation of it. Apple: Foundation/String/LocalizationValue.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        /// What is looked up: the text, with `%@`, `%lld`, `%llu`, `%lf` in the places of its values.
        let key: String
        let values: [String]

        public init(_ value: String) { (key, values) = (value, []) }
        public init(stringLiteral value: String) { self.init(value) }

        public init(stringInterpolation: StringInterpolation) {
            values = stringInterpolation.values
            key = values.isEmpty ? stringInterpolation.key.replacing("%%", with: "%") : stringInterpolation.key
        }

        /// Apple: Foundation/String/LocalizationValue/StringInterpolation.
        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            var key = ""
            var values: [String] = []

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) { key += literal.replacing("%", with: "%%") }

            @_disfavoredOverload
            public mutating func appendInterpolation<T>(_ value: T) { append("\(value)", as: "%@") }
            public mutating func appendInterpolation(_ value: String) { append(value, as: "%@") }
            public mutating func appendInterpolation<T: SignedInteger>(_ value: T) { append("\(value)", as: "%lld") }
            public mutating func appendInterpolation<T: UnsignedInteger>(_ value: T) { append("\(value)", as: "%llu") }
            /// As C writes it: six decimals.
            public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T) { append(String(format: "%lf", Double(value)), as: "%lf") }
            /// The specifier stands in the key, and says how the value is written where it is one for numbers.
            public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T, specifier: String) {
                let isUsable = specifier.wholeMatch(of: /%[-+ #0]{0,4}[0-9]{0,3}(\.[0-9]{0,3})?l?[aAeEfFgG]/) != nil
                append(isUsable ? String(format: specifier, Double(value)) : "\(value)", as: isUsable ? specifier : "%@")
            }

            private mutating func append(_ value: String, as place: String) {
                key += place
                values.append(value)
            }
        }

        /// The values put into a text that has places for them, in order or by number (`%2$@`). A place without a value is left empty.
        func filled(into text: String) -> String {
            guard !values.isEmpty else { return text }
            var next = 0
            return text.replacing(/%(?:%|(?:([0-9]{1,3})\$)?[-+ #0-9.]*(?:hh|h|ll|l|q|L|z|t|j)?[@a-zA-Z])/) { match in
                if match.output.0 == "%%" { return "%" }
                let place = match.output.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
                next += 1
                return values.indices.contains(place) ? values[place] : ""
            }
        }
    }

    /// The translation that a bundle (without one, the program's) has of a text, else the text itself. Apple: Foundation, String.init(localized:table:bundle:locale:comment:).
    public init(localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil) {
        self = keyAndValue.filled(into: (bundle ?? .main).localizedString(forKey: keyAndValue.key, value: nil, table: table))
    }

    /// The translation by a key of its own, else the default value. Apple: Foundation, String.init(localized:defaultValue:table:bundle:locale:comment:).
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = defaultValue.filled(into: (bundle ?? .main).localizedString(forKey: key.description, value: defaultValue.key, table: table))
    }
}
