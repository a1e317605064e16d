// The kept entries of one session as a participant knows them: a value that decides which form of an entry stands.

import Sealing
import Wire

/// An entry that stands, its signature checked.
public struct LedgerEntry: Equatable, Sendable {
    public let entry: EntryID
    public let version: UInt64
    /// Sealed bytes of the body; 0 without one.
    public let bodySizeBytes: Int
    /// The relay holds the whole body.
    public let isBodyComplete: Bool
    public let maker: ParticipantID
    public let publicKey: [UInt8]
    public let body: EntryBody
}

struct Ledger: Sendable {
    private(set) var entries: [EntryID: LedgerEntry] = [:]
    /// Entries that did not open, could not be read, or replaced what was not theirs.
    private(set) var ignoredCount = 0
    /// The whole ledger has been handed over and the connection has not been lost since.
    private(set) var isComplete = false
    /// A ledger was given whole and none has begun since, though the connection may have been lost.
    private(set) var hasSnapshot = false
    /// While a ledger arrives: what it has not confirmed yet, and what was removed meanwhile.
    private var unconfirmed: Set<EntryID>?
    private var tombstones: Set<EntryID> = []

    /// In order of version.
    var inOrder: [LedgerEntry] { entries.values.sorted { $0.version < $1.version } }

    /// The relay is about to hand over everything: what it does not name is gone.
    mutating func beginSnapshot() {
        isComplete = false
        hasSnapshot = false
        unconfirmed = Set(entries.keys)
        tombstones = []
    }

    mutating func completeSnapshot() {
        for entry in unconfirmed ?? [] { entries[entry] = nil }
        unconfirmed = nil
        tombstones = []
        hasSnapshot = true
        isComplete = true
    }

    /// The connection is lost: from now on the ledger may be behind.
    mutating func interrupt() { isComplete = false }

    /// What was missed while the connection was away has been taken in.
    mutating func resume() { isComplete = hasSnapshot }

    /// Returns whether the ledger changed.
    /// - Parameter opened: `nil`: it did not open, or says nothing that can be read.
    mutating func put(_ frame: Entry, _ opened: OpenedEntry?, isOwnSession: Bool) -> Bool {
        unconfirmed?.remove(frame.entry)
        if frame.sequence == 0, tombstones.contains(frame.entry) { return false }
        let known = entries[frame.entry]
        if let known, frame.version <= known.version { return false }
        guard let opened else {
            ignoredCount += 1
            return false
        }
        let next = LedgerEntry(
            entry: frame.entry, version: frame.version, bodySizeBytes: Int(frame.bodyLength), isBodyComplete: frame.flags.contains(.bodyComplete), maker: opened.maker,
            publicKey: opened.publicKey, body: opened.body)
        guard isOwnSession ? Self.isAcceptableInOwnSession(known, next) : Self.isAcceptable(known, next) else {
            ignoredCount += 1
            return false
        }
        entries[frame.entry] = next
        return true
    }

    /// Returns whether the ledger changed.
    mutating func remove(_ entry: EntryID) -> Bool {
        if unconfirmed != nil { tombstones.insert(entry) }
        unconfirmed?.remove(entry)
        return entries.removeValue(forKey: entry) != nil
    }

    /// The own session: introductions named like their makers, and activities, which anybody may replace.
    private static func isAcceptableInOwnSession(_ known: LedgerEntry?, _ next: LedgerEntry) -> Bool {
        switch next.body {
        case .introduction:
            guard next.entry.bytes == next.maker.bytes else { return false }
            if case .activity = known?.body { return false }
            return true
        case .activity:
            if case .introduction = known?.body { return false }
            return true
        case .attachment, .door, .unknown: return false
        }
    }

    /// Any other session: attachments, replaced only by who made them, and never by another body.
    private static func isAcceptable(_ known: LedgerEntry?, _ next: LedgerEntry) -> Bool {
        guard case .attachment(let manifest) = next.body, manifest.layout.bodySizeBytes == next.bodySizeBytes else { return false }
        guard let known, case .attachment(let before) = known.body else { return known == nil }
        return known.publicKey == next.publicKey && known.bodySizeBytes == next.bodySizeBytes && before.mayBeReplaced(by: manifest)
    }
}
