// What an attachment's entry says: the keys to its body, how long it is, what its parts are, and the app's metadata.

import Wire

public struct Manifest: Equatable, Sendable {
    /// Keying material and salt of the body: 16 bytes each, fresh for each attachment.
    public let keyingMaterial: [UInt8]
    public let salt: [UInt8]
    /// Bytes of the attachment before sealing.
    public let plainSizeBytes: Int
    /// The SHA-256 of each part; empty while the upload runs.
    public let partHashes: [[UInt8]]
    /// JSON, the app's.
    public let metadata: [UInt8]

    public var layout: BodyLayout { BodyLayout(plainSizeBytes: plainSizeBytes) }

    /// - Throws: `tooLarge`, for the attachment or for its metadata.
    public init(keyingMaterial: [UInt8], salt: [UInt8], plainSizeBytes: Int, partHashes: [[UInt8]] = [], metadata: [UInt8]) throws(SealingError) {
        guard keyingMaterial.count == keySizeBytes, salt.count == keySizeBytes, plainSizeBytes >= 0 else { throw .malformed }
        guard plainSizeBytes <= Limits.attachmentSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.attachmentSizeLimitBytes, valueBytes: plainSizeBytes) }
        guard metadata.count <= Limits.metadataSizeLimitBytes else { throw .tooLarge(limitBytes: Limits.metadataSizeLimitBytes, valueBytes: metadata.count) }
        guard partHashes.isEmpty || partHashes.count == BodyLayout(plainSizeBytes: plainSizeBytes).partCount, partHashes.allSatisfy({ $0.count == hashSizeBytes }) else { throw .malformed }
        self.keyingMaterial = keyingMaterial
        self.salt = salt
        self.plainSizeBytes = plainSizeBytes
        self.partHashes = partHashes
        self.metadata = metadata
    }

    /// That of a new attachment, with keys of its own.
    public init(plainSizeBytes: Int, metadata: [UInt8]) throws(SealingError) {
        try self.init(keyingMaterial: randomBytes(count: keySizeBytes), salt: randomBytes(count: keySizeBytes), plainSizeBytes: plainSizeBytes, metadata: metadata)
    }

    /// The final form.
    public func with(partHashes: [[UInt8]]) throws(SealingError) -> Manifest {
        try Manifest(keyingMaterial: keyingMaterial, salt: salt, plainSizeBytes: plainSizeBytes, partHashes: partHashes, metadata: metadata)
    }

    /// Whether `next` may stand where this stood: the same body, and hashes that were given are not taken back or changed.
    public func mayBeReplaced(by next: Manifest) -> Bool {
        keyingMaterial == next.keyingMaterial && salt == next.salt && plainSizeBytes == next.plainSizeBytes && (partHashes.isEmpty || !next.partHashes.isEmpty)
    }

    var encoded: [UInt8] {
        var bytes = keyingMaterial + salt
        bytes.appendInteger(UInt32(BodyLayout.recordSizeBytes))
        bytes.appendInteger(UInt64(plainSizeBytes))
        bytes.appendVector(partHashes.joined().map { $0 })
        bytes.appendVector(metadata)
        return bytes
    }

    init(_ reader: inout FieldReader) throws(SealingError) {
        let keyingMaterial = Array(try reader.take(keySizeBytes))
        let salt = Array(try reader.take(keySizeBytes))
        guard try reader.integer(UInt32.self) == UInt32(BodyLayout.recordSizeBytes) else { throw .malformed }
        let plainSize = try reader.integer(UInt64.self)
        guard plainSize <= UInt64(Limits.attachmentSizeLimitBytes) else { throw .malformed }
        let hashes = try reader.vector()
        guard hashes.count % hashSizeBytes == 0 else { throw .malformed }
        let partHashes = stride(from: hashes.startIndex, to: hashes.endIndex, by: hashSizeBytes).map { Array(hashes[$0..<$0 + hashSizeBytes]) }
        let metadata = Array(try reader.vector())
        do {
            try self.init(keyingMaterial: keyingMaterial, salt: salt, plainSizeBytes: Int(plainSize), partHashes: partHashes, metadata: metadata)
        } catch {
            throw .malformed
        }
    }
}
