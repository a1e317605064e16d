// Places in space, for code that describes where people sit: values that can be named, compared and sent.

@_exported import Foundation

/// Apple: Spatial/Point3D.
public struct Point3D: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
    public init(_ vector: Vector3D) { self.init(x: vector.x, y: vector.y, z: vector.z) }
    public init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

    public static let zero = Point3D()
    public var vector: SIMD3<Double> { .init(x, y, z) }

    public func distance(to other: Point3D) -> Double { (self - other).length }

    public static func + (left: Point3D, right: Vector3D) -> Point3D { Point3D(left.vector + right.vector) }
    public static func - (left: Point3D, right: Vector3D) -> Point3D { Point3D(left.vector - right.vector) }
    public static func - (left: Point3D, right: Point3D) -> Vector3D { Vector3D(left.vector - right.vector) }
}

/// Apple: Spatial/Vector3D.
public struct Vector3D: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
    public init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

    public static let zero = Vector3D()
    public static let forward = Vector3D(z: 1)
    public static let up = Vector3D(y: 1)
    public static let right = Vector3D(x: 1)
    public var vector: SIMD3<Double> { .init(x, y, z) }

    public var length: Double { (vector * vector).sum().squareRoot() }
    /// Of length one; zero where this has no direction.
    public var normalized: Vector3D { length > 0 ? Vector3D(vector / length) : .zero }

    public static func + (left: Vector3D, right: Vector3D) -> Vector3D { Vector3D(left.vector + right.vector) }
    public static func - (left: Vector3D, right: Vector3D) -> Vector3D { Vector3D(left.vector - right.vector) }
    public static func * (left: Vector3D, right: Double) -> Vector3D { Vector3D(left.vector * right) }
}

/// Apple: Spatial/Size3D.
public struct Size3D: Hashable, Codable, Sendable {
    public var width: Double
    public var height: Double
    public var depth: Double

    public init(width: Double = 0, height: Double = 0, depth: Double = 0) { (self.width, self.height, self.depth) = (width, height, depth) }

    public static let zero = Size3D()
    public static let one = Size3D(width: 1, height: 1, depth: 1)
}
