// Frames that go out together: one buffer, shared by everyone who is to hear them.

import Wire

/// Whole frames, contiguous, with `headroomBytes` spare bytes in front for the transport's framing. Written once, then shared;
/// freed when the last outbox lets go of it. Used on the hub's executor only.
public final class Batch {
    private let base: UnsafeMutableRawPointer
    public let capacityBytes: Int
    public let headroomBytes: Int
    public private(set) var countBytes = 0

    public init(capacityBytes: Int, headroomBytes: Int) {
        self.capacityBytes = capacityBytes
        self.headroomBytes = headroomBytes
        base = .allocate(byteCount: headroomBytes + capacityBytes, alignment: 16)
    }

    deinit { base.deallocate() }

    /// The first frame's first byte. The `headroomBytes` before it may be overwritten by the transport.
    public var payload: UnsafeMutableRawPointer { base + headroomBytes }

    var freeBytes: Int { capacityBytes - countBytes }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: payload, count: countBytes) }

    /// The place for `count` further bytes, which the caller writes at once. It has checked that they fit.
    func extend(by count: Int) -> UnsafeMutableRawPointer {
        precondition(count <= freeBytes, "a batch grows by replacement, never past its capacity")
        defer { countBytes += count }
        return payload + countBytes
    }

    /// The same frames with room for `count` more bytes.
    func grown(by count: Int) -> Batch {
        let larger = Batch(capacityBytes: max(capacityBytes * 2, countBytes + count), headroomBytes: headroomBytes)
        larger.append(bytes)
        return larger
    }

    convenience init(_ frames: [Frame], headroomBytes: Int) {
        let encoded = Frame.encode(frames)
        self.init(capacityBytes: encoded.count, headroomBytes: headroomBytes)
        encoded.withUnsafeBytes { append($0) }
    }

    /// Copies `bytes` behind what is there. The caller has checked that they fit.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(countBytes + bytes.count <= capacityBytes, "a batch grows by replacement, never past its capacity")
        guard let source = bytes.baseAddress else { return }
        (payload + countBytes).copyMemory(from: source, byteCount: bytes.count)
        countBytes += bytes.count
    }
}
