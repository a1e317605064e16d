// Places and turns in space.

import Foundation
import Spatial
import Testing

@Suite struct SpatialTests {
    @Test func `a pose comes back from JSON, with its place and its turn`() throws {
        let pose = Pose3D(position: Point3D(x: 1, y: -2, z: 3.5), rotation: Rotation3D(angle: .degrees(90), axis: .y))
        let copy = try JSONDecoder().decode(Pose3D.self, from: JSONEncoder().encode(pose))
        #expect(copy == pose && copy != .identity)
        #expect(abs(copy.rotation.angle.degrees - 90) < 1e-9 && abs(copy.rotation.axis.y - 1) < 1e-9)
        #expect(Set([pose, copy]).count == 1)
    }

    @Test func `a turn about no axis, or by no angle, is none`() {
        #expect(Rotation3D(angle: .degrees(90), axis: RotationAxis3D()).isIdentity)
        #expect(Rotation3D(angle: .radians(.nan), axis: .x).isIdentity)
        #expect(Pose3D(rotation: .identity).isIdentity)
    }

    @Test func `points and vectors are added and measured`() {
        let point = Point3D(x: 1) + Vector3D(y: 2) * 2
        #expect(point == Point3D(x: 1, y: 4))
        #expect(point.distance(to: Point3D(x: 4, y: 8)) == 5)
        #expect(Vector3D(z: -3).normalized == Vector3D(z: -1) && Vector3D.zero.normalized == .zero)
        #expect((Angle2D(degrees: 180) - .radians(.pi)).radians.magnitude < 1e-12 && Angle2D.degrees(1) < .degrees(2))
    }
}
