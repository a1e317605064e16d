// Seals and opens the ledger's entries: each under a key of its own, each signed by its maker.

import Wire

/// What was in an entry whose signature is its maker's.
public struct OpenedEntry: Equatable, Sendable {
    /// The maker's, 32 bytes.
    public let publicKey: [UInt8]
    /// Follows from the key. An introduction is true only if this is its entry's name.
    public let maker: ParticipantID
    public let body: EntryBody
}

/// Where an entry stands; it opens nowhere else.
public struct EntryPlace: Hashable, Sendable {
    public var session: SessionID
    public var entry: EntryID

    public init(session: SessionID, entry: EntryID) {
        self.session = session
        self.entry = entry
    }
}

extension EpochKeys {
    private static let randomSizeBytes = 16
    private static let makerSizeBytes = signatureSizeBytes + publicKeySizeBytes

    /// Seals an entry for its place.
    /// - Parameter random: 16 bytes never used before; only worked examples choose them.
    /// - Throws: `tooLarge` above `Limits.entrySizeLimitBytes`.
    public func seal(_ body: EntryBody, by identity: Identity, at place: EntryPlace, random: [UInt8]? = nil) throws(SealingError) -> [UInt8] {
        let random = if let random { random } else { try randomBytes(count: Self.randomSizeBytes) }
        precondition(random.count == Self.randomSizeBytes)
        let encoded = body.encoded
        let contentSize = padmeSize(Self.makerSizeBytes + 1 + vectorPrefixSize(encoded.count) + encoded.count)
        let sealedSize = Self.randomSizeBytes + contentSize + tagSizeBytes
        guard sealedSize <= Limits.entrySizeLimitBytes else { throw .tooLarge(limitBytes: Limits.entrySizeLimitBytes, valueBytes: sealedSize) }

        let aad = aad(of: place)
        var signed = identity.publicKey
        signed.reserveCapacity(contentSize)
        signed.append(body.kind)
        signed.appendVector(encoded)
        signed.append(contentsOf: repeatElement(0, count: contentSize - signatureSizeBytes - signed.count))

        var sealed = random
        sealed.reserveCapacity(sealedSize)
        sealed += try identity.key.signature("entry", aad + signed)
        sealed += signed
        sealed.append(contentsOf: repeatElement(0, count: tagSizeBytes))
        let keyAndNonce = try keyAndNonce(of: place.entry, random: random)
        let cipher = try AESGCM(key: keyAndNonce, .sealing)
        try withMutableBytes(of: &sealed) { sealed throws(SealingError) in
            try withBytes(of: aad) { aad throws(SealingError) in
                try cipher.seal(UnsafeMutableRawBufferPointer(rebasing: sealed[Self.randomSizeBytes...]), nonce: Nonce(base: keyAndNonce), aad: aad)
            }
        }
        return sealed
    }

    /// - Throws: `tampered` for what does not open here or is not signed; `malformed` for what cannot be an entry or holds what its kind does not.
    public func openEntry(_ sealed: [UInt8], at place: EntryPlace) throws(SealingError) -> OpenedEntry {
        guard sealed.count > Self.randomSizeBytes + Self.makerSizeBytes + tagSizeBytes, sealed.count <= Limits.entrySizeLimitBytes else { throw .malformed }
        let aad = aad(of: place)
        let keyAndNonce = try keyAndNonce(of: place.entry, random: Array(sealed[..<Self.randomSizeBytes]))
        let cipher = try AESGCM(key: keyAndNonce, .opening)
        var content = [UInt8](repeating: 0, count: sealed.count - Self.randomSizeBytes - tagSizeBytes)
        try withMutableBytes(of: &content) { content throws(SealingError) in
            try withBytes(of: sealed[Self.randomSizeBytes...]) { sealed throws(SealingError) in
                try withBytes(of: aad) { aad throws(SealingError) in try cipher.open(sealed, to: content.baseAddress!, nonce: Nonce(base: keyAndNonce), aad: aad) }
            }
        }
        let signed = content[signatureSizeBytes...]
        let publicKey = Array(signed.prefix(publicKeySizeBytes))
        guard try VerifyingKey(publicKey).verifies(Array(content[..<signatureSizeBytes]), "entry", aad + signed) else { throw .tampered }

        var reader = FieldReader(signed.dropFirst(publicKeySizeBytes))
        let kind = try reader.integer(UInt8.self)
        let body = try reader.vector()
        guard reader.rest.allSatisfy({ $0 == 0 }) else { throw .malformed }
        return OpenedEntry(publicKey: publicKey, maker: try ParticipantID(conversation: conversation, publicKey: publicKey), body: try EntryBody(kind: kind, body))
    }

    private func aad(of place: EntryPlace) -> [UInt8] {
        var bytes = conversation.bytes.array
        bytes.append(place.session.bytes)
        bytes.append(place.entry.bytes)
        return bytes
    }

    private func keyAndNonce(of entry: EntryID, random: [UInt8]) throws(SealingError) -> SecretBytes {
        try Labels.hearth.expand(entrySecret, "entry", context: entry.bytes.array + random, sizeBytes: keySizeBytes + nonceSizeBytes)
    }
}
