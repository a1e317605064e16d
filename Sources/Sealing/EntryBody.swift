// What an entry can hold: an introduction, the announcement of an activity, an attachment's manifest.

import Wire

public enum EntryBody: Equatable, Sendable {
    case introduction(name: String)
    case activity(Announcement)
    case attachment(Manifest)
    /// Of no ledger: what the members know of their door.
    case door(SealedDoor)
    /// A kind that this version does not know.
    case unknown(kind: UInt8)

    /// A session's activity, as it is announced in the own session. The two JSON texts are the app's.
    public struct Announcement: Equatable, Sendable {
        public var activityIdentifier: String
        public var activity: [UInt8]
        public var metadata: [UInt8]

        public init(activityIdentifier: String, activity: [UInt8], metadata: [UInt8]) {
            self.activityIdentifier = activityIdentifier
            self.activity = activity
            self.metadata = metadata
        }
    }

    /// How a door stands, until when (seconds since 1970; 0: for good), and the 32 bytes that let a member back in past it.
    public struct SealedDoor: Equatable, Sendable {
        public var mode: DoorMode
        public var closesAtSeconds: UInt64
        public var pass: [UInt8]

        public init(mode: DoorMode, closesAtSeconds: UInt64, pass: [UInt8]) {
            self.mode = mode
            self.closesAtSeconds = closesAtSeconds
            self.pass = pass
        }
    }

    /// - Throws: `tooLarge` for a name of more than 64 bytes, `malformed` for an empty one.
    public static func introduction(checking name: String) throws(SealingError) -> EntryBody {
        let size = name.utf8.count
        guard size > 0 else { throw .malformed }
        guard size <= Limits.displayNameSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.displayNameSizeLimitBytes, valueBytes: size) }
        return .introduction(name: name)
    }

    var kind: UInt8 {
        switch self {
        case .introduction: 1
        case .activity: 2
        case .attachment: 3
        case .door: 4
        case .unknown(let kind): kind
        }
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .introduction(let name): bytes.appendVector(name.utf8)
        case .activity(let announcement):
            bytes.appendVector(announcement.activityIdentifier.utf8)
            bytes.appendVector(announcement.activity)
            bytes.appendVector(announcement.metadata)
        case .attachment(let manifest): bytes = manifest.encoded
        case .door(let door):
            bytes = [door.mode.rawValue]
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: door.closesAtSeconds >> UInt64(shift))) }
            bytes += door.pass
        case .unknown: break
        }
        return bytes
    }

    /// Bytes behind the fields of a known kind are ignored.
    init(kind: UInt8, _ body: ArraySlice<UInt8>) throws(SealingError) {
        var reader = FieldReader(body)
        switch kind {
        case 1:
            let name = try reader.text()
            guard (1...Limits.displayNameSizeLimitBytes).contains(name.utf8.count) else { throw .malformed }
            self = .introduction(name: name)
        case 2:
            self = .activity(Announcement(activityIdentifier: try reader.text(), activity: Array(try reader.vector()), metadata: Array(try reader.vector())))
        case 3: self = .attachment(try Manifest(&reader))
        case 4:
            let mode = DoorMode(rawValue: try reader.integer(UInt8.self))
            let closesAtSeconds = try reader.integer(UInt64.self)
            self = .door(SealedDoor(mode: mode, closesAtSeconds: closesAtSeconds, pass: Array(try reader.take(Hello.passSizeBytes))))
        default: self = .unknown(kind: kind)
        }
    }
}
