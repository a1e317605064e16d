// An app's own description of something that people do together.

import Foundation

/// A value that describes one shareable experience. Its encoded form goes to every participant, who starts from a copy; it should hold
/// identifiers and addresses, not content: with its metadata it may have 128 KiB when sealed. Apple: GroupActivities/GroupActivity.
public protocol GroupActivity: Decodable, Encodable {
    /// Equal in every program that takes part. The default is the program's identifier (`HEARTH_APP_IDENTIFIER`, else the bundle's, else the
    /// process's name) and the type's name, joined by a full stop.
    static var activityIdentifier: String { get }
    /// Read when the activity is announced.
    var metadata: GroupActivityMetadata { get async }
    static func _identifiable(by activityIdentifier: String) -> Bool
    static func _identifiable(by activityIdentifier: String, staticIdentifier: String?) -> Bool
}

extension GroupActivity {
    public typealias Sessions = GroupSession<Self>.Sessions

    public static var activityIdentifier: String { "\(ProgramIdentity.identifier).\(self)" }

    public static func _identifiable(by activityIdentifier: String) -> Bool { activityIdentifier == Self.activityIdentifier }

    public static func _identifiable(by activityIdentifier: String, staticIdentifier: String?) -> Bool { _identifiable(by: staticIdentifier ?? activityIdentifier) }

    /// The sessions of this activity: those that run, then those to come, each once, as long as the loop goes on. Two loops see the same
    /// objects. What changes in a session is told by the session itself.
    public static func sessions() -> GroupSession<Self>.Sessions { GroupSession<Self>.Sessions(provider: .current) }
}

enum ProgramIdentity {
    static let identifier: String = {
        let environment = ProcessInfo.processInfo.environment
        return environment["HEARTH_APP_IDENTIFIER"] ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }()
}
