// Frames on their way to the connection: what is said together travels together, and never faster than a relay lets one participant speak.

import Wire

struct OutgoingFrames: Sendable {
    // A little below the relay's limits, whose clock is not ours.
    private static let framesPerSecond = Double(Limits.framesPerSecondLimit) * 0.9
    private static let burst = Double(Limits.frameBurstLimit) * 0.8
    private static let bytesPerSecond = Double(Limits.bytesPerSecondLimit) * 0.9
    private static let byteBurst = Double(Limits.byteBurstLimit) * 0.8
    private static let messageSizeLimitBytes = Limits.socketMessageSizeLimitBytes / 2

    private var queue: [[UInt8]] = []
    private var first = 0
    private var tokens = Self.burst
    private var byteTokens = Self.byteBurst
    private var filledAt: Duration?

    var isEmpty: Bool { first == queue.count }
    var count: Int { queue.count - first }
    /// Frames wait because there were too many of them.
    private(set) var isHeldBack = false

    mutating func add(_ frame: Frame) { queue.append(Frame.encode([frame])) }

    /// The messages that may go now.
    mutating func take(_ now: Duration) -> [[UInt8]] {
        let elapsed = now - (filledAt ?? now)
        filledAt = now
        tokens = min(Self.burst, tokens + elapsed.inSeconds * Self.framesPerSecond)
        byteTokens = min(Self.byteBurst, byteTokens + elapsed.inSeconds * Self.bytesPerSecond)
        var messages: [[UInt8]] = []
        var message: [UInt8] = []
        while first < queue.count, tokens >= 1, byteTokens >= Double(queue[first].count) {
            let frame = queue[first]
            if !message.isEmpty, message.count + frame.count > Self.messageSizeLimitBytes {
                messages.append(message)
                message = []
            }
            if message.isEmpty { message = frame } else { message += frame }
            first += 1
            tokens -= 1
            byteTokens -= Double(frame.count)
        }
        if !message.isEmpty { messages.append(message) }
        isHeldBack = first < queue.count
        if first == queue.count {
            queue.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 1024 {
            queue.removeFirst(first)
            first = 0
        }
        return messages
    }

    /// When `take` gives more.
    func wakeAt(_ now: Duration) -> Duration? { isEmpty ? nil : now + .milliseconds(20) }

    /// The connection is gone, and with it what was to go over it. The relay does not forget how much was said.
    mutating func clear() {
        queue = []
        first = 0
        isHeldBack = false
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
