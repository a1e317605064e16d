// Where everything in a sealed body stands: header, records and parts are cut at different lengths.

import Wire

public struct BodyLayout: Equatable, Sendable {
    /// An RFC 8188 record, sealed.
    public static let recordSizeBytes = 65_536
    /// What a record adds to its plaintext: the delimiter and the tag.
    static let recordOverheadBytes = 1 + tagSizeBytes
    /// The plaintext of a full record.
    public static let recordPlainSizeBytes = recordSizeBytes - recordOverheadBytes
    /// RFC 8188's header with a keyid of 16 bytes.
    static let headerSizeBytes = 37

    public let plainSizeBytes: Int

    public init(plainSizeBytes: Int) { self.plainSizeBytes = plainSizeBytes }

    public var recordCount: Int { max(1, (plainSizeBytes + Self.recordPlainSizeBytes - 1) / Self.recordPlainSizeBytes) }
    /// The length of the sealed body.
    public var bodySizeBytes: Int { Self.headerSizeBytes + plainSizeBytes + Self.recordOverheadBytes * recordCount }
    public var partCount: Int { (bodySizeBytes + Limits.partSizeBytes - 1) / Limits.partSizeBytes }

    public func partSizeBytes(_ number: Int) -> Int { min(Limits.partSizeBytes, bodySizeBytes - number * Limits.partSizeBytes) }

    func recordPlainSize(_ record: Int) -> Int { min(Self.recordPlainSizeBytes, plainSizeBytes - record * Self.recordPlainSizeBytes) }
    func recordSize(_ record: Int) -> Int { recordPlainSize(record) + Self.recordOverheadBytes }
    func recordStart(_ record: Int) -> Int { Self.headerSizeBytes + record * Self.recordSizeBytes }
    func delimiter(_ record: Int) -> UInt8 { record == recordCount - 1 ? 2 : 1 }

    /// The records of which a part holds something.
    func records(inPart number: Int) -> ClosedRange<Int> {
        let start = number * Limits.partSizeBytes
        let end = start + partSizeBytes(number)
        let first = max(0, start - Self.headerSizeBytes) / Self.recordSizeBytes
        return first...max(first, (end - 1 - Self.headerSizeBytes) / Self.recordSizeBytes)
    }
}
