// The own records that have no place yet: so many bytes of them are on their way and no more, so that a fast sender waits instead of
// outrunning the others, and nothing else that has to be said waits behind megabytes of it.

import Sealing
import Wire

struct RecordWindow: Sendable {
    struct Record: Sendable {
        let session: SessionID
        let frame: SealedFrame
        let recipients: [ParticipantID]
        let token: Token
    }

    private var queue: [Record] = []
    private var first = 0
    private var waitingCounts: [SessionID: Int] = [:]
    private var sizes: [Token: Int] = [:]
    private(set) var inFlightBytes = 0
    /// Of all that have no place, whether on their way or waiting.
    private(set) var sizeBytes = 0
    var count: Int { sizes.count }
    var isWaiting: Bool { first < queue.count }

    func isWaiting(in session: SessionID) -> Bool { waitingCounts[session] != nil }

    /// Where so much waits that nothing more is taken: the limit and the value.
    func refusal(of sealedSizeBytes: Int) -> (limit: Int, value: Int)? {
        if count >= Limits.logFrameCountLimit { return (Limits.logFrameCountLimit, count + 1) }
        return sizeBytes + sealedSizeBytes > Limits.logSizeLimitBytes ? (Limits.logSizeLimitBytes, sizeBytes + sealedSizeBytes) : nil
    }

    mutating func add(_ record: Record) {
        queue.append(record)
        waitingCounts[record.session, default: 0] += 1
        sizes[record.token] = record.frame.sealed.count
        sizeBytes += record.frame.sealed.count
    }

    /// The next one that may go, in the order of the calls. One that is larger than the window goes when nothing else is on its way.
    mutating func next() -> Record? {
        guard first < queue.count else { return nil }
        let record = queue[first]
        let size = record.frame.sealed.count
        guard inFlightBytes == 0 || inFlightBytes + size <= Limits.recordsInFlightSizeLimitBytes else { return nil }
        inFlightBytes += size
        first += 1
        if first == queue.count || first > 1_024 {
            queue.removeFirst(first)
            first = 0
        }
        let left = waitingCounts[record.session, default: 1] - 1
        waitingCounts[record.session] = left > 0 ? left : nil
        return record
    }

    /// It has its place, or will have none. Of a token that names no record on its way nothing follows.
    mutating func settle(_ token: Token) {
        guard let size = sizes.removeValue(forKey: token) else { return }
        inFlightBytes -= size
        sizeBytes -= size
    }
}
