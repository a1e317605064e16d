// The own records of one session that a restarted relay would have forgotten: kept, as the same bytes, until everybody has them.

import Wire

struct UnstableRecords: Sendable {
    struct Record: Sendable {
        let counter: UInt64
        let recipients: [ParticipantID]
        let sealed: [UInt8]
        /// Whom to tell that it has its place; `nil` once told.
        var token: Token?
        /// Its place in this incarnation.
        var sequence: UInt64?
    }

    /// In order of counter.
    private var records: [Record] = []
    private(set) var sizeBytes = 0
    var count: Int { records.count }

    /// Its counter is greater than that of the one before.
    mutating func add(counter: UInt64, recipients: [ParticipantID], sealed: [UInt8], token: Token?) {
        records.append(Record(counter: counter, recipients: recipients, sealed: sealed, token: token, sequence: nil))
        sizeBytes += sealed.count
    }

    private func index(of counter: UInt64) -> Int? {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].counter < counter { low = middle + 1 } else { high = middle }
        }
        return low < records.count && records[low].counter == counter ? low : nil
    }

    /// Our own record has come back. Returns the token of whoever waits for it.
    mutating func place(_ counter: UInt64, at sequence: UInt64) -> Token? {
        guard let index = index(of: counter) else { return nil }
        if records[index].sequence == nil { records[index].sequence = sequence }
        defer { records[index].token = nil }
        return records[index].token
    }

    /// Everybody has everything up to `sequence`.
    mutating func stable(_ sequence: UInt64) {
        let count = records.prefix { $0.sequence.map { $0 <= sequence } ?? false }.count
        sizeBytes -= records[..<count].reduce(0) { $0 + $1.sealed.count }
        records.removeFirst(count)
    }

    /// Another incarnation: no record has a place.
    mutating func displace() {
        for index in records.indices { records[index].sequence = nil }
    }

    /// What has to be sent (again), in order of counter.
    func unplaced(in session: SessionID) -> [Frame] {
        records.filter { $0.sequence == nil }.map { .record(session: session, counter: $0.counter, recipients: $0.recipients, sealed: $0.sealed) }
    }

    /// The relay does not take this record.
    mutating func refuse(_ counter: UInt64) -> Token? {
        guard let index = index(of: counter) else { return nil }
        sizeBytes -= records[index].sealed.count
        return records.remove(at: index).token
    }

    /// Nobody waits any longer. Returns the tokens of those who did.
    mutating func abandon() -> [Token] {
        let tokens = records.compactMap(\.token)
        for index in records.indices { records[index].token = nil }
        return tokens
    }
}

/// Names something that was asked for until it is answered.
typealias Token = UInt64
