// The system log for programs that expect Apple's: lines on standard error.

@_exported import Foundation

/// Writes lines to standard error: time, subsystem and category, level, message. Debug and info lines are written only when the
/// environment's `OS_ACTIVITY_MODE` is `debug` or `info`; `disable` silences all. Apple: os/Logger.
public struct Logger: Sendable {
    let subsystem: String
    let category: String

    public init() { self.init(subsystem: "", category: "") }
    public init(subsystem: String, category: String) { (self.subsystem, self.category) = (subsystem, category) }
    public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    public func log(level: OSLogType, _ message: OSLogMessage) { LogOutput.write(message, level: level, subsystem: subsystem, category: category) }
    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }

    public static func == (left: Logger, right: Logger) -> Bool { left.subsystem == right.subsystem && left.category == right.category }
}

/// How weighty a line is. Apple: os/OSLogType.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(rawValue: 0x00)
    public static let info = OSLogType(rawValue: 0x01)
    public static let debug = OSLogType(rawValue: 0x02)
    public static let error = OSLogType(rawValue: 0x10)
    public static let fault = OSLogType(rawValue: 0x11)

    var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}

/// A subsystem and category, for the older functions. Apple: os/OSLog.
public final class OSLog: Sendable {
    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "", isDisabled: true)
    let subsystem: String
    let category: String
    let isDisabled: Bool

    public convenience init(subsystem: String, category: String) { self.init(subsystem: subsystem, category: category, isDisabled: false) }

    private init(subsystem: String, category: String, isDisabled: Bool) { (self.subsystem, self.category, self.isDisabled) = (subsystem, category, isDisabled) }

    public func isEnabled(type: OSLogType) -> Bool { !isDisabled && LogOutput.isWritten(type) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple: os/os_log(_:).
public func os_log(_ message: OSLogMessage) { Logger().log(message) }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func os_log(_ type: OSLogType, _ message: OSLogMessage) { Logger().log(level: type, message) }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func os_log(_ type: OSLogType, log: OSLog, _ message: OSLogMessage) {
    if !log.isDisabled { Logger(log).log(level: type, message) }
}
