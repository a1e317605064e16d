// Gives any part of an attachment's sealed body, the same bytes each time, out of one buffer that is used again and again.

import Glibc
import Wire

/// Not for use from two threads at once.
public final class BodySealer {
    public enum Failure: Error, Equatable, Sendable {
        /// The source no longer gives what it gave before. The attachment has to be added anew, under another key.
        case sourceChanged
        case sealing(SealingError)
    }

    public let layout: BodyLayout
    private let cipher: AESGCM
    private let nonce: Nonce
    private let header: [UInt8]
    /// The tag of every record sealed so far: a record that is sealed again must come out the same, or one nonce would have served two plaintexts.
    private var tags: [UInt8]
    private var isTagged: [Bool]
    /// Holds whole records; a part is a stretch of them.
    private let buffer: UnsafeMutableRawBufferPointer
    /// The part whose records are in the buffer.
    private var current: Int?

    public init(_ manifest: Manifest, attachment: EntryID) throws(SealingError) {
        let (key, nonce) = try ContentEncoding.keyAndNonce(keyingMaterial: manifest.keyingMaterial, salt: manifest.salt)
        layout = manifest.layout
        cipher = try AESGCM(key: key, .sealing)
        self.nonce = Nonce(base: nonce)
        header = ContentEncoding.header(salt: manifest.salt, recordSizeBytes: BodyLayout.recordSizeBytes, keyID: attachment.bytes.array)
        tags = [UInt8](repeating: 0, count: layout.recordCount * tagSizeBytes)
        isTagged = [Bool](repeating: false, count: layout.recordCount)
        // The record that a part begins in the middle of, the sixteen that follow, and the header.
        buffer = .allocate(byteCount: min(BodyLayout.recordSizeBytes * 17 + BodyLayout.headerSizeBytes, BodyLayout.headerSizeBytes + layout.bodySizeBytes), alignment: 64)
    }

    deinit { buffer.deallocate() }

    /// Seals a part and hands out its bytes, which are the buffer's own and valid until the next call or the end of `body`.
    /// - Parameters:
    ///   - number: from 0 to `layout.partCount - 1`, in any order. In ascending order nothing is sealed twice.
    ///   - read: fills the whole buffer with plaintext from the offset on.
    public func withPart<Result, E: Error>(
        _ number: Int, read: (_ offset: Int, _ into: UnsafeMutableRawBufferPointer) throws(E) -> Void, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        precondition((0..<layout.partCount).contains(number), "there is no such part")
        let records = layout.records(inPart: number)
        // The buffer begins with the header's place in part 0 and with the first record in all others.
        let base = number == 0 ? 0 : layout.recordStart(records.lowerBound)
        var first = records.lowerBound
        if number > 0, current == number - 1 {
            let previousBase = number == 1 ? 0 : layout.recordStart(layout.records(inPart: number - 1).lowerBound)
            let size = layout.recordSize(first)
            memmove(buffer.baseAddress!, buffer.baseAddress! + (base - previousBase), size)
            first += 1
        }
        current = nil
        if number == 0 { buffer.copyBytes(from: header) }
        for record in first..<records.upperBound + 1 { try seal(record, at: layout.recordStart(record) - base, read: read) }
        current = number
        let start = number * Limits.partSizeBytes - base
        return try body(UnsafeRawBufferPointer(rebasing: buffer[start..<start + layout.partSizeBytes(number)]))
    }

    private func seal<E: Error>(_ record: Int, at offset: Int, read: (Int, UnsafeMutableRawBufferPointer) throws(E) -> Void) throws {
        let plainSize = layout.recordPlainSize(record)
        let place = UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + layout.recordSize(record)])
        if plainSize > 0 { try read(record * BodyLayout.recordPlainSizeBytes, UnsafeMutableRawBufferPointer(rebasing: place[..<plainSize])) }
        place[plainSize] = layout.delimiter(record)
        do throws(SealingError) { try cipher.seal(place, nonce: nonce.with(UInt64(record))) } catch { throw Failure.sealing(error) }
        let tag = place[(place.count - tagSizeBytes)...]
        let tagRange = record * tagSizeBytes..<(record + 1) * tagSizeBytes
        if isTagged[record] {
            guard tags[tagRange].elementsEqual(tag) else { throw Failure.sourceChanged }
        } else {
            isTagged[record] = true
            tags.replaceSubrange(tagRange, with: tag)
        }
    }
}
