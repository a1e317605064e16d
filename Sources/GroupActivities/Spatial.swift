// Declarations of visionOS that code mentions: they can be named and set, and nothing follows from them.

import Foundation
import Spatial

extension GroupSession {
    /// Always `nil`: there are no spatial participants here. Apple: GroupActivities/GroupSession/systemCoordinator.
    public nonisolated(nonsending) var systemCoordinator: SystemCoordinator? { get async { nil } }
}

/// Never handed out. Apple: GroupActivities/SystemCoordinator.
public final class SystemCoordinator: @unchecked Sendable {
    public var configuration = Configuration()
    public var localParticipantState: ParticipantState { ParticipantState(isSpatial: false, pose: nil, seat: nil, role: nil) }
    public var localParticipantStates: ParticipantStates { ParticipantStates() }
    public var remoteParticipantStates: [Participant: ParticipantState] { [:] }
    public var groupImmersionStyle: GroupImmersionStyles { GroupImmersionStyles() }

    init() {}

    public func assignRole(_ role: some SpatialTemplateRole) {}
    public func resignRole() {}

    /// Apple: GroupActivities/SystemCoordinator/Configuration.
    public struct Configuration: Sendable {
        public var spatialTemplatePreference = SpatialTemplatePreference.none
        public var supportsGroupImmersiveSpace = false
        public init() {}
    }

    /// Apple: GroupActivities/SystemCoordinator/ParticipantState.
    public struct ParticipantState: Equatable, Sendable {
        public let isSpatial: Bool
        public let pose: Pose3D?
        public let seat: Seat?
        public let role: (any SpatialTemplateRole)?

        public static func == (left: ParticipantState, right: ParticipantState) -> Bool {
            left.isSpatial == right.isSpatial && left.pose == right.pose && left.seat == right.seat && left.role?.roleIdentifier == right.role?.roleIdentifier
        }

        /// Apple: GroupActivities/SystemCoordinator/ParticipantState/Seat.
        public struct Seat: Hashable, Sendable {
            public let pose: Pose3D
            public let role: (any SpatialTemplateRole)?

            public static func == (left: Seat, right: Seat) -> Bool { left.pose == right.pose && left.role?.roleIdentifier == right.role?.roleIdentifier }
            public func hash(into hasher: inout Hasher) {
                hasher.combine(pose)
                hasher.combine(role?.roleIdentifier)
            }
        }
    }

    /// Ends at once. Apple: GroupActivities/SystemCoordinator/ParticipantStates.
    public struct ParticipantStates: AsyncSequence, Sendable {
        public typealias Element = ParticipantState
        public func makeAsyncIterator() -> Iterator { Iterator() }

        public struct Iterator: AsyncIteratorProtocol, Sendable {
            public mutating func next() async -> ParticipantState? { nil }
        }
    }

    /// Ends at once; SwiftUI's styles do not exist here. Apple: GroupActivities/SystemCoordinator/GroupImmersionStyles.
    public struct GroupImmersionStyles: AsyncSequence, Sendable {
        public typealias Element = Never?
        public func makeAsyncIterator() -> Iterator { Iterator() }

        public struct Iterator: AsyncIteratorProtocol, Sendable {
            public mutating func next() async -> Never?? { nil }
        }
    }
}

/// Apple: GroupActivities/GroupActivityAssociationKind.
public struct GroupActivityAssociationKind: Hashable, Sendable {
    let identifier: String
    public static func primary(_ identifier: String) -> GroupActivityAssociationKind { Self(identifier: identifier) }
}
