// A door as it is kept: what the members have said of it, and the digest of what lets past it.

import Wire

public struct StoredDoor: Equatable, Sendable {
    public var door: Door
    /// SHA-256 of the pass.
    public var passDigest: [UInt8]

    public init(door: Door, passDigest: [UInt8]) {
        self.door = door
        self.passDigest = passDigest
    }
}
