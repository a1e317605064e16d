// How people would sit around an activity on visionOS: values without effect, so that code that describes it can be built.

import Foundation
import Spatial

/// Apple: GroupActivities/SpatialTemplatePreference.
public struct SpatialTemplatePreference: CustomStringConvertible, Sendable {
    public let description: String

    public static let none = Self(description: "none")
    public static let sideBySide = Self(description: "sideBySide")
    public static let conversational = Self(description: "conversational")
    public static let surround = Self(description: "surround")
    public static func custom(_ spatialTemplate: any SpatialTemplate) -> SpatialTemplatePreference { Self(description: "custom") }
    public func contentExtent(_ contentExtent: CGFloat) -> SpatialTemplatePreference { self }
}

/// Apple: GroupActivities/SpatialTemplate.
public protocol SpatialTemplate: Sendable {
    var elements: [any SpatialTemplateElement] { get }
    var configuration: SpatialTemplateConfiguration { get }
}

extension SpatialTemplate {
    public var configuration: SpatialTemplateConfiguration { SpatialTemplateConfiguration() }
}

/// Apple: GroupActivities/SpatialTemplateConfiguration.
public struct SpatialTemplateConfiguration: Hashable, Sendable {
    public let defaultInitiatorRole: (any SpatialTemplateRole)?

    public init(defaultInitiatorRole: (any SpatialTemplateRole)? = nil) { self.defaultInitiatorRole = defaultInitiatorRole }

    public static func == (left: Self, right: Self) -> Bool { left.defaultInitiatorRole?.roleIdentifier == right.defaultInitiatorRole?.roleIdentifier }
    public func hash(into hasher: inout Hasher) { hasher.combine(defaultInitiatorRole?.roleIdentifier) }
}

/// Apple: GroupActivities/SpatialTemplateRole.
public protocol SpatialTemplateRole: Hashable, Sendable {
    var roleIdentifier: String { get }
}

extension SpatialTemplateRole where Self: RawRepresentable, RawValue == String {
    public var roleIdentifier: String { rawValue }
}

/// Apple: GroupActivities/SpatialTemplateElement.
public protocol SpatialTemplateElement: Hashable, Sendable {
    var position: SpatialTemplateElementPosition { get }
    var direction: SpatialTemplateElementDirection { get }
    var role: (any SpatialTemplateRole)? { get }
}

/// Apple: GroupActivities/SpatialTemplateSeatElement.
public struct SpatialTemplateSeatElement: SpatialTemplateElement {
    public let position: SpatialTemplateElementPosition
    public let direction: SpatialTemplateElementDirection
    public let role: (any SpatialTemplateRole)?

    public init(position: SpatialTemplateElementPosition, direction: SpatialTemplateElementDirection = .lookingAt(.app), role: (any SpatialTemplateRole)? = nil) {
        (self.position, self.direction, self.role) = (position, direction, role)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.position == right.position && left.direction == right.direction && left.role?.roleIdentifier == right.role?.roleIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(position)
        hasher.combine(direction)
        hasher.combine(role?.roleIdentifier)
    }
}

extension SpatialTemplateElement where Self == SpatialTemplateSeatElement {
    public static func seat(
        position: SpatialTemplateElementPosition, direction: SpatialTemplateElementDirection = .lookingAt(.app), role: (any SpatialTemplateRole)? = nil
    ) -> Self {
        SpatialTemplateSeatElement(position: position, direction: direction, role: role)
    }
}

/// Metres from the app. Apple: GroupActivities/SpatialTemplateElementPosition.
public struct SpatialTemplateElementPosition: Hashable, Sendable {
    let x: Double
    let z: Double

    public static var app: SpatialTemplateElementPosition { Self(x: 0, z: 0) }
    public func offsetBy(x: Double, z: Double) -> SpatialTemplateElementPosition { Self(x: self.x + x, z: self.z + z) }
}

/// Apple: GroupActivities/SpatialTemplateElementDirection.
public struct SpatialTemplateElementDirection: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case position(SpatialTemplateElementPosition)
        case axis(SpatialTemplateElementAxis)
    }
    let target: Target
    var turn = Angle2D.zero

    public func rotatedBy(_ rotationAngle: Angle2D) -> SpatialTemplateElementDirection { Self(target: target, turn: turn + rotationAngle) }
    public static func + (left: SpatialTemplateElementDirection, right: Angle2D) -> SpatialTemplateElementDirection { left.rotatedBy(right) }

    public static func lookingAt(_ position: SpatialTemplateElementPosition) -> SpatialTemplateElementDirection { Self(target: .position(position)) }
    public static func lookingAt(_ element: any SpatialTemplateElement) -> SpatialTemplateElementDirection { Self(target: .position(element.position)) }
    public static func alignedWith(appAxis: SpatialTemplateElementAxis) -> SpatialTemplateElementDirection { Self(target: .axis(appAxis)) }
}

/// Apple: GroupActivities/SpatialTemplateElementAxis.
public struct SpatialTemplateElementAxis: Hashable, Sendable {
    let name: String
    public static let x = Self(name: "x")
    public static let z = Self(name: "z")
}
