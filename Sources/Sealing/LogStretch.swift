// What the sender of a record says of the log that it has taken in, so that whoever was shown another one finds out.

import Wire

/// The places behind `from` up to `to`, in one incarnation.
public struct LogStretch: Equatable, Sendable {
    static let sizeBytes = 3 * 8 + digestSizeBytes
    private static let digestSizeBytes = 32
    /// As of every place in a frame.
    private static let placeLimit: UInt64 = 1 << 53 - 1

    public let incarnation: UInt64
    public let from: UInt64
    public let to: UInt64
    let digest: [UInt8]

    /// Of a sender that has no place in the session yet.
    public static let nothing = LogStretch(incarnation: 0, from: 0, to: 0, digest: [UInt8](repeating: 0, count: digestSizeBytes))

    private init(incarnation: UInt64, from: UInt64, to: UInt64, digest: [UInt8]) {
        self.incarnation = incarnation
        self.from = from
        self.to = to
        self.digest = digest
    }

    /// - Parameter links: of the places behind `from` up to `to`, in order.
    public init(of links: some Sequence<LogLink>, in session: SessionID, incarnation: UInt64, from: UInt64, to: UInt64) throws(SealingError) {
        var value = session.bytes.array
        value.appendInteger(incarnation)
        value.appendInteger(from)
        value.appendInteger(to)
        for link in links { value += link.bytes }
        self.init(incarnation: incarnation, from: from, to: to, digest: try Labels.hearth.refHash("log", value))
    }

    init(_ reader: inout FieldReader) throws(SealingError) {
        incarnation = try reader.integer(UInt64.self)
        from = try reader.integer(UInt64.self)
        to = try reader.integer(UInt64.self)
        guard from <= Self.placeLimit, to <= Self.placeLimit else { throw .malformed }
        digest = Array(try reader.take(Self.digestSizeBytes))
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.sizeBytes)
        bytes.appendInteger(incarnation)
        bytes.appendInteger(from)
        bytes.appendInteger(to)
        return bytes + digest
    }
}
