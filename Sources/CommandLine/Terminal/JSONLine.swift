// JSON on one line, in the order in which it was said, with nothing in it that a terminal would obey.

enum JSONLine: Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    case null
    case bool(Bool)
    case int(Int)
    case string(String)
    case array([JSONLine])
    case object([(String, JSONLine)])
    /// Is JSON already.
    case raw(String)

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let fields): "{" + fields.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        case .raw(let json): Self.plain(json)
        }
    }

    static func == (left: JSONLine, right: JSONLine) -> Bool { left.text == right.text }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || ShownText.isInvisible(scalar): quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Line breaks of JSON mean nothing outside strings and cannot stand inside.
    private static func plain(_ json: String) -> String {
        var plain = ""
        for scalar in json.unicodeScalars {
            if scalar.value < 0x20 { plain += " " } else if ShownText.isInvisible(scalar) { plain += escape(scalar) } else { plain.unicodeScalars.append(scalar) }
        }
        return plain
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
