// Opens a sealed body in order as its bytes come, in pieces of any length, and says at the end whether it was the whole of it.

import Wire

/// Nothing that came out is to be taken for the attachment before `finish` has returned. Not for use from two threads at once.
public final class BodyOpener {
    public let layout: BodyLayout
    /// Sealed bytes taken in so far.
    public private(set) var takenBytes = 0
    private let cipher: AESGCM
    private let nonce: Nonce
    private let header: [UInt8]
    private var nextRecord = 0
    private let buffer: UnsafeMutableRawBufferPointer
    private var bufferedBytes = 0
    private let digest: RunningDigest
    private var partHashes: [[UInt8]] = []
    private var hasFailed = false

    /// - Parameter bodySizeBytes: as the entry says.
    /// - Throws: `tampered` when it does not fit the manifest.
    public init(_ manifest: Manifest, attachment: EntryID, bodySizeBytes: Int) throws(SealingError) {
        layout = manifest.layout
        guard layout.bodySizeBytes == bodySizeBytes else { throw .tampered }
        let (key, nonce) = try ContentEncoding.keyAndNonce(keyingMaterial: manifest.keyingMaterial, salt: manifest.salt)
        cipher = try AESGCM(key: key, .opening)
        self.nonce = Nonce(base: nonce)
        header = ContentEncoding.header(salt: manifest.salt, recordSizeBytes: BodyLayout.recordSizeBytes, keyID: attachment.bytes.array)
        digest = try RunningDigest()
        buffer = .allocate(byteCount: BodyLayout.recordSizeBytes, alignment: 64)
    }

    deinit { buffer.deallocate() }

    /// Takes the next bytes of the body and hands out each record's plaintext once it is whole. The plaintext is the opener's own and valid during `sink` only.
    /// - Throws: `tampered`, and from then on always; or what `sink` throws.
    public func take(_ bytes: UnsafeRawBufferPointer, sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard !hasFailed, bytes.count <= layout.bodySizeBytes - takenBytes else { throw fail() }
        do throws(SealingError) { try hash(bytes) } catch {
            _ = fail()
            throw error
        }
        var rest = bytes
        if takenBytes < header.count {
            let piece = rest.prefix(header.count - takenBytes)
            guard header[takenBytes..<takenBytes + piece.count].elementsEqual(piece) else { throw fail() }
            takenBytes += piece.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
        while !rest.isEmpty {
            let wanted = layout.recordSize(nextRecord) - bufferedBytes
            let count = min(wanted, rest.count)
            takenBytes += count
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
            if count == wanted, bufferedBytes == 0 {
                // A record that came whole is opened from where it came to the buffer.
                try open(UnsafeRawBufferPointer(rebasing: rest[..<count]), sink: sink)
                continue
            }
            (buffer.baseAddress! + bufferedBytes).copyMemory(from: rest.baseAddress!, byteCount: count)
            bufferedBytes += count
            if count == wanted { try open(UnsafeRawBufferPointer(rebasing: buffer[..<bufferedBytes]), sink: sink) }
        }
    }

    private func open(_ sealed: UnsafeRawBufferPointer, sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        bufferedBytes = 0
        do throws(SealingError) { try cipher.open(sealed, to: buffer.baseAddress!, nonce: nonce.with(UInt64(nextRecord))) } catch { throw fail() }
        let plainSize = layout.recordPlainSize(nextRecord)
        guard buffer[plainSize] == layout.delimiter(nextRecord) else { throw fail() }
        nextRecord += 1
        if plainSize > 0 { try sink(UnsafeRawBufferPointer(rebasing: buffer[..<plainSize])) }
    }

    /// The SHA-256 of each part runs along, so that the final manifest may come at any time.
    private func hash(_ bytes: UnsafeRawBufferPointer) throws(SealingError) {
        var offset = takenBytes
        var rest = bytes
        while !rest.isEmpty {
            let partEnd = min(layout.bodySizeBytes, (offset / Limits.partSizeBytes + 1) * Limits.partSizeBytes)
            let count = min(rest.count, partEnd - offset)
            try digest.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            offset += count
            if offset == partEnd { partHashes.append(try digest.finish()) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The body is whole and is what its maker sealed.
    /// - Parameter partHashes: of the final manifest; empty as long as it has not come.
    /// - Throws: `tampered`.
    public func finish(partHashes: [[UInt8]] = []) throws(SealingError) {
        guard !hasFailed, takenBytes == layout.bodySizeBytes, nextRecord == layout.recordCount else { throw fail() }
        guard partHashes.isEmpty || partHashes == self.partHashes else { throw fail() }
    }

    private func fail() -> SealingError {
        hasFailed = true
        return .tampered
    }
}
