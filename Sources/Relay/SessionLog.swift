// The ordered records of one session, written once into the buffers that go out, and held in them until everyone has acknowledged them.

import Wire

struct SessionLog {
    /// Consecutive frames that the same participants are to hear.
    struct Segment {
        let first: UInt64
        var count = 0
        /// `nil`: everyone. Otherwise these read `frames`, and all others read `skipped`, frame for frame.
        let audience: Set<ParticipantID>?
        var frames: Batch
        var skipped: Batch?

        var last: UInt64 { first + UInt64(count) - 1 }
        var sizeBytes: Int { frames.countBytes + (skipped?.countBytes ?? 0) }

        func batch(for participant: ParticipantID) -> Batch {
            guard let audience, let skipped, !audience.contains(participant) else { return frames }
            return skipped
        }
    }

    let headroomBytes: Int
    /// The place of the latest frame; 0 before the first.
    private(set) var last: UInt64 = 0
    private(set) var segments: [Segment] = []
    /// Segments before this index have been handed out and are never written again.
    private(set) var handedOutCount = 0
    private(set) var sizeBytes = 0
    private var sizeHintBytes = 512

    init(headroomBytes: Int) { self.headroomBytes = headroomBytes }

    var frameCount: Int { segments.first.map { Int(last - $0.first) + 1 } ?? 0 }
    var isOverLimit: Bool { sizeBytes > Limits.logSizeLimitBytes || frameCount > Limits.logFrameCountLimit }
    var waiting: ArraySlice<Segment> { segments[handedOutCount...] }
    var hasWaiting: Bool { handedOutCount < segments.count }

    /// Gives the next place in the order to a frame for everyone; the caller writes its `sizeBytes` at once.
    mutating func place(sizeBytes: Int) -> (sequence: UInt64, destination: UnsafeMutableRawPointer) {
        let index = openSegment(audience: nil, sizeBytes: sizeBytes)
        return (occupy(index, sizeBytes), segments[index].frames.extend(by: sizeBytes))
    }

    /// The same for a frame that only `audience` is to hear; `skipped` makes what stands in its place for all others.
    mutating func place(sizeBytes: Int, audience: Set<ParticipantID>, skipped: (UInt64) -> Frame) -> (sequence: UInt64, destination: UnsafeMutableRawPointer) {
        let index = openSegment(audience: audience, sizeBytes: sizeBytes)
        let substitute = Frame.encode([skipped(last + 1)])
        if let batch = segments[index].skipped, batch.freeBytes < substitute.count { segments[index].skipped = batch.grown(by: substitute.count) }
        substitute.withUnsafeBytes { segments[index].skipped?.append($0) }
        self.sizeBytes += substitute.count
        return (occupy(index, sizeBytes), segments[index].frames.extend(by: sizeBytes))
    }

    /// Gives the next place to a frame for everyone.
    @discardableResult
    mutating func append(_ frame: (UInt64) -> Frame) -> UInt64 {
        let encoded = Frame.encode([frame(last + 1)])
        let (sequence, destination) = place(sizeBytes: encoded.count)
        encoded.withUnsafeBytes { if let base = $0.baseAddress { destination.copyMemory(from: base, byteCount: encoded.count) } }
        return sequence
    }

    private mutating func occupy(_ index: Int, _ frameSizeBytes: Int) -> UInt64 {
        last += 1
        segments[index].count += 1
        sizeBytes += frameSizeBytes
        return last
    }

    private mutating func openSegment(audience: Set<ParticipantID>?, sizeBytes: Int) -> Int {
        if hasWaiting, let open = segments.last, open.audience == audience {
            let index = segments.count - 1
            if open.frames.freeBytes >= sizeBytes { return index }
            if open.frames.countBytes + sizeBytes <= Limits.batchSizeLimitBytes {
                segments[index].frames = open.frames.grown(by: sizeBytes)
                return index
            }
        }
        let frames = Batch(capacityBytes: max(sizeBytes, sizeHintBytes), headroomBytes: headroomBytes)
        let skipped = audience == nil ? nil : Batch(capacityBytes: 128, headroomBytes: headroomBytes)
        segments.append(Segment(first: last + 1, audience: audience, frames: frames, skipped: skipped))
        return segments.count - 1
    }

    /// What was waiting has been handed out.
    mutating func markHandedOut() {
        // A burst tells how large the next one may be; a buffer is never kept more than about half empty for long.
        if let latest = segments.last { sizeHintBytes = min(max(latest.frames.countBytes, 256), 65_536) }
        handedOutCount = segments.count
    }

    /// Forgets everything up to `sequence`, as far as whole segments go.
    mutating func trim(through sequence: UInt64) {
        var count = 0
        while count < handedOutCount, segments[count].last <= sequence {
            sizeBytes -= segments[count].sizeBytes
            count += 1
        }
        guard count > 0 else { return }
        segments.removeFirst(count)
        handedOutCount -= count
    }

    /// Whether everything behind `sequence` is still here.
    func reachesBack(to sequence: UInt64) -> Bool {
        sequence <= last && sequence + 1 >= (segments.first?.first ?? last + 1)
    }

    /// What `participant` has missed behind `sequence`; buffers are shared where they can be. Everything has been handed out before.
    func missed(by participant: ParticipantID, after sequence: UInt64) -> [Batch] {
        segments.drop { $0.last <= sequence }.map { segment in
            let batch = segment.batch(for: participant)
            guard segment.first <= sequence else { return batch }
            return Self.tail(of: batch, skippingFrames: Int(sequence - segment.first) + 1)
        }
    }

    private static func tail(of batch: Batch, skippingFrames count: Int) -> Batch {
        let bytes = batch.bytes
        var offset = 0
        for _ in 0..<count { offset += 5 + Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let copy = Batch(capacityBytes: rest.count, headroomBytes: batch.headroomBytes)
        copy.append(rest)
        return copy
    }
}
