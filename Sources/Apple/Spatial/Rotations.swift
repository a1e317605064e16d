// Directions in space, and poses, which are places with directions.

import Foundation

/// Apple: Spatial/Angle2D.
public struct Angle2D: Hashable, Comparable, Codable, Sendable {
    public var radians: Double
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    public init() { radians = 0 }
    public init(radians: Double) { self.radians = radians }
    public init(degrees: Double) { radians = degrees * .pi / 180 }

    public static let zero = Angle2D()
    public static func radians(_ radians: Double) -> Angle2D { .init(radians: radians) }
    public static func degrees(_ degrees: Double) -> Angle2D { .init(degrees: degrees) }

    public static func < (left: Angle2D, right: Angle2D) -> Bool { left.radians < right.radians }
    public static func + (left: Angle2D, right: Angle2D) -> Angle2D { .init(radians: left.radians + right.radians) }
    public static func - (left: Angle2D, right: Angle2D) -> Angle2D { .init(radians: left.radians - right.radians) }
    public static prefix func - (angle: Angle2D) -> Angle2D { .init(radians: -angle.radians) }
}

/// Apple: Spatial/RotationAxis3D.
public struct RotationAxis3D: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
    public init(_ vector: Vector3D) { self.init(x: vector.x, y: vector.y, z: vector.z) }

    public static let x = RotationAxis3D(x: 1)
    public static let y = RotationAxis3D(y: 1)
    public static let z = RotationAxis3D(z: 1)
}

/// A turn about an axis. Apple: Spatial/Rotation3D.
public struct Rotation3D: Hashable, Codable, Sendable {
    /// The quaternion: three imaginary parts, then the real one.
    public let vector: SIMD4<Double>

    /// No turn.
    public init() { vector = .init(0, 0, 0, 1) }

    /// No turn where the axis has no direction.
    public init(angle: Angle2D, axis: RotationAxis3D) {
        let direction = Vector3D(x: axis.x, y: axis.y, z: axis.z).normalized
        let turns = direction != .zero && angle.radians.isFinite
        vector = turns ? .init(direction.vector * sin(angle.radians / 2), cos(angle.radians / 2)) : .init(0, 0, 0, 1)
    }

    public static let identity = Rotation3D()
    public var isIdentity: Bool { self == .identity }
    public var angle: Angle2D { .init(radians: 2 * acos(min(max(vector.w, -1), 1))) }
    public var axis: RotationAxis3D { .init(Vector3D(.init(vector.x, vector.y, vector.z)).normalized) }
}

/// Apple: Spatial/Pose3D.
public struct Pose3D: Hashable, Codable, Sendable {
    public var position: Point3D
    public var rotation: Rotation3D

    public init() { self.init(position: .zero, rotation: .identity) }
    public init(position: Point3D = .zero, rotation: Rotation3D) { (self.position, self.rotation) = (position, rotation) }

    public static let identity = Pose3D()
    public var isIdentity: Bool { self == .identity }
}
