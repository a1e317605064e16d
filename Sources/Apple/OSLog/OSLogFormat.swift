// The older way to log: a format with `%` and its arguments, each written by what it is and not by what the format says it is.

import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a format with arguments: `os_log("%{public}@ has %d", log: log, type: .info, name, count)`. Text is private and numbers are public
/// unless the format says otherwise. An argument that does not fit its place is written as it is; one that is missing as `<missing>`.
/// Apple: os/os_log(_:dso:log:type:_:).
@_disfavoredOverload
public func os_log(_ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...) {
    if !log.isDisabled { Logger(log).log(level: type, OSLogFormat.message(message.description, args)) }
}

enum OSLogFormat {
    static func message(_ format: String, _ arguments: [any CVarArg]) -> OSLogMessage {
        var interpolation = OSLogInterpolation(literalCapacity: format.utf8.count, interpolationCount: arguments.count)
        var arguments = arguments[...]
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            interpolation.appendLiteral(String(rest[..<percent]))
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                interpolation.appendLiteral("%")
                rest = rest.dropFirst()
                continue
            }
            let place = Place(taking: &rest)
            for _ in 0..<place.starCount { arguments = arguments.dropFirst() }
            guard let argument = arguments.popFirst() else {
                interpolation.appendLiteral("<missing>")
                continue
            }
            place.append(argument, to: &interpolation)
        }
        interpolation.appendLiteral(String(rest))
        return OSLogMessage(stringInterpolation: interpolation)
    }

    /// One `%{options}flags.precision…conversion`.
    private struct Place {
        private var options: [Substring] = []
        private var flags = ""
        private var conversion: Character = "@"

        init(taking text: inout Substring) {
            if text.first == "{", let end = text.firstIndex(of: "}") {
                options = text[..<end].dropFirst().split(separator: ",").map { $0.drop { $0 == " " } }
                text = text[end...].dropFirst()
            }
            let head = text.prefix { "-+ #0123456789.*hlqLztj".contains($0) }
            flags = head.filter { !"hlqLztj".contains($0) }
            text = text[head.endIndex...]
            if let last = text.popFirst() { conversion = last }
        }

        var starCount: Int { flags.count { $0 == "*" } }

        func append(_ argument: any CVarArg, to interpolation: inout OSLogInterpolation) {
            let named: OSLogPrivacy? = options.contains("public") ? .public : options.contains("private") ? .private : options.contains("sensitive") ? .sensitive : nil
            if let text = number(argument) { return interpolation.appendInterpolation(text, privacy: named ?? .public) }
            let text = (argument as? UnsafePointer<CChar>).map { String(cString: $0) } ?? String(describing: argument)
            interpolation.appendInterpolation(text, privacy: named ?? .auto)
        }

        /// `nil` for what is no number. The conversion is used where it suits the argument.
        private func number(_ argument: any CVarArg) -> String? {
            let width = flags.replacing(".*", with: "").filter { $0 != "*" }
            // What C would be asked for beyond this is no format but a mistake.
            let isUsable = width.wholeMatch(of: /[-+ #0]{0,4}[0-9]{0,3}(\.[0-9]{0,3})?/) != nil
            switch argument {
            case let value as Bool: return "\(value)"
            case let value as any BinaryInteger:
                guard isUsable, "dDiuUxXoO".contains(conversion) else { return "\(value)" }
                if "dDi".contains(conversion) { return String(format: "%\(width)lld", Int64(truncatingIfNeeded: value)) }
                let unsigned = conversion == "X" ? "X" : conversion.lowercased()
                return String(format: "%\(width)ll\(unsigned)", UInt64(truncatingIfNeeded: value))
            case let value as any BinaryFloatingPoint:
                guard isUsable, "aAeEfFgG".contains(conversion) else { return "\(value)" }
                return String(format: "%\(width)\(conversion)", Double(value))
            default: return nil
            }
        }
    }
}
