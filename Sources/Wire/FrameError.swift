// Why bytes are not frames.

public enum FrameError: Error, Equatable, Sendable {
    /// The message ends inside a frame, a length does not fit, or the message is empty.
    case cutShort
    /// A type below 0x80 that is not in the protocol.
    case unknownType(UInt8)
    case unsupportedVersion(UInt8)
    /// A list longer than its limit.
    case tooMany(limit: Int, value: Int)
    /// A count, sequence, version or length above 2^53 - 1, which not every client can hold.
    case numberTooLarge(UInt64)

    /// With what a relay closes the connection that sent it.
    public var closeReason: CloseReason {
        switch self {
        case .unknownType: .unknownFrame
        case .unsupportedVersion: .unsupportedVersion
        case .cutShort, .tooMany, .numberTooLarge: .malformed
        }
    }
}
