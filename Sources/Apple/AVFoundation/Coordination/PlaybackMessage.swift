// What coordinators tell each other. Positions are never told, only wishes: a player that lags or stalls cannot pull the others back.

import Foundation

package enum PlaybackMessage: Codable, Equatable, Sendable {
    case status(PlaybackStatus)
    case timelines(PlaybackTimelines)

    /// False for what no coordinator would say; such a message is ignored.
    var isAcceptable: Bool {
        switch self {
        case .status(let status): status.isAcceptable
        case .timelines(let timelines): timelines.timelines.count <= PlaybackLimits.itemCount && PlaybackLimits.instants.contains(timelines.sentAt)
        }
    }
}

/// How one participant is doing. Also the sign of life, and one half of a round trip that compares clocks.
package struct PlaybackStatus: Codable, Equatable, Sendable {
    package struct Echo: Codable, Equatable, Sendable {
        /// What the other's last status said of its own clock.
        var sentAt: Int64
        /// How long ago that was received, by the sender's clock.
        var age: Int64
    }

    package var item: String?
    package var suspensions: [String]
    /// The timeline that this participant is ready to start.
    package var ready: TimelineVersion?
    /// The newest timeline of its item that it holds.
    package var held: TimelineVersion?
    package var isSynchronized: Bool
    /// Asks to be told the group's state.
    package var asks: Bool
    /// In nanoseconds of the sender's clock.
    package var sentAt: Int64
    package var echoes: [UUID: Echo]

    var isAcceptable: Bool {
        (item?.utf8.count ?? 0) <= PlaybackLimits.itemIdentifierSizeBytes && suspensions.count <= PlaybackLimits.suspensionCount
            && suspensions.allSatisfy { $0.utf8.count <= PlaybackLimits.suspensionReasonSizeBytes } && PlaybackLimits.instants.contains(sentAt)
            && echoes.count <= PlaybackLimits.participantCount && echoes.values.allSatisfy { PlaybackLimits.instants.contains($0.sentAt) && PlaybackLimits.instants.contains($0.age) }
    }
}

package struct PlaybackTimelines: Codable, Equatable, Sendable {
    package var timelines: [GroupTimeline]
    /// All that the group knows, for one who asked.
    package var isWelcome: Bool
    package var sentAt: Int64
}
