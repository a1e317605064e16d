// Where a group is in an item: one value that everybody holds, the newest version of which wins.

import CoreMedia
import Foundation

/// Orders the versions of a timeline the same way for everybody, in whatever order they arrive.
package struct TimelineVersion: Comparable, Hashable, Codable, Sendable {
    package var counter: UInt64
    package var author: UUID

    package static func < (left: Self, right: Self) -> Bool {
        left.counter == right.counter ? left.author.precedes(right.author) : left.counter < right.counter
    }
}

extension UUID {
    func precedes(_ other: UUID) -> Bool {
        withUnsafeBytes(of: uuid) { mine in withUnsafeBytes(of: other.uuid) { mine.lexicographicallyPrecedes($0) } }
    }
}

package struct GroupTimeline: Codable, Equatable, Sendable {
    package enum Phase: String, Codable, Sendable { case playing, waiting, paused }
    package enum Cause: String, Codable, Sendable {
        /// Nobody's wish yet: how the first on the item found it.
        case begin
        case play, pause, seek
        /// All were ready.
        case start
        /// Somebody is suspended for a reason that holds the others back.
        case hold
    }

    package var item: String
    package var phase: Phase
    package var cause: Cause
    /// The rate, or the one that is waited for; 0 where paused.
    package var rate: Double
    private var value: Int64
    private var timescale: Int32
    /// When `itemTime` is or was due, in nanoseconds of the clock of whoever tells it.
    package var instantNanoseconds: Int64
    /// Until when readiness is waited for, on the same clock; nil waits for ever.
    package var dueNanoseconds: Int64?
    /// Who caused it.
    package var originator: UUID
    package var version: TimelineVersion

    init(item: String, phase: Phase, cause: Cause, rate: Double, itemTime: CMTime, at instant: Int64, due: Int64? = nil, originator: UUID, version: TimelineVersion) {
        (self.item, self.phase, self.cause, self.rate) = (item, phase, cause, rate)
        (value, timescale) = itemTime.isNumeric ? (itemTime.value, itemTime.timescale) : (0, 1)
        (instantNanoseconds, dueNanoseconds, self.originator, self.version) = (instant, due, originator, version)
    }

    package var itemTime: CMTime { CMTime(value: value, timescale: timescale) }

    /// The position at an instant of the clock that this timeline is told in. Before its own instant a playing item stands still.
    package func itemTime(at instant: Int64) -> CMTime {
        guard phase == .playing, instant > instantNanoseconds else { return itemTime }
        return itemTime + CMTimeMultiplyByFloat64(CMTime(value: instant &- instantNanoseconds, timescale: 1_000_000_000), multiplier: rate)
    }

    /// The same, told on a clock that differs by `nanoseconds`.
    func shifted(by nanoseconds: Int64) -> GroupTimeline {
        var result = self
        result.instantNanoseconds &+= nanoseconds
        if let due = dueNanoseconds { result.dueNanoseconds = due &+ nanoseconds }
        return result
    }

    /// False for what no coordinator would say; such a timeline is ignored.
    var isAcceptable: Bool {
        item.utf8.count <= PlaybackLimits.itemIdentifierSizeBytes && rate.isFinite && abs(rate) <= PlaybackLimits.rate && (phase == .paused) == (rate == 0) && itemTime.isNumeric
            && PlaybackLimits.instants.contains(instantNanoseconds) && (dueNanoseconds.map(PlaybackLimits.instants.contains) ?? true) && version.counter <= PlaybackLimits.versionCounter
    }
}

/// What a coordinator takes from others, and how long it has patience.
package enum PlaybackLimits {
    package static let itemIdentifierSizeBytes = 2_048
    package static let itemCount = 64
    package static let suspensionCount = 16
    package static let suspensionReasonSizeBytes = 256
    package static let participantCount = 1_024
    static let rate = 64.0
    static let instants = -(Int64(1) << 60)...(Int64(1) << 60)
    static let versionCounter = UInt64(1) << 60

    /// How long a start waits for participants that are not ready.
    package static let readinessPatienceNanoseconds: Int64 = 3_000_000_000
    /// How long a newcomer waits to be told the group's state before it takes itself for the first.
    package static let welcomePatienceNanoseconds: Int64 = 3_000_000_000
    /// How long a participant may be silent while something plays before others take it for stalled.
    package static let silenceNanoseconds: Int64 = 1_800_000_000
    package static let heartbeatNanoseconds: Int64 = 500_000_000
    package static let idleHeartbeatNanoseconds: Int64 = 5_000_000_000
    static let firstHeartbeatNanoseconds: Int64 = 100_000_000
    static let resendNanoseconds: Int64 = 1_000_000_000
    /// A start is set this far ahead, plus the way to the farthest participant, so that all can begin together.
    static let leadNanoseconds: Int64 = 100_000_000
    static let leadLimitNanoseconds: Int64 = 1_000_000_000
    /// A better estimate of another's clock moves the player only if it is worth it.
    static let correctionNanoseconds: Int64 = 40_000_000
}
