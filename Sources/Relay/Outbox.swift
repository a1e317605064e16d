// What waits for one connection: batches that must arrive, and samples of which the newest count.

import Wire

struct Outbox {
    private var batches: [Batch] = []
    private var firstIndex = 0
    private(set) var waitingBytes = 0
    /// A replay may be larger than the limit: its buffers are held by the log in any case.
    private var allowanceBytes = 0

    private var samples: [(session: SessionID, batch: Batch)] = []
    private var samplesSizeBytes = 0
    /// Sent since the last sample; samples overtake what must arrive only at long intervals.
    private var sentSinceSampleBytes = 0
    private static let sampleIntervalBytes = 65_536

    var isEmpty: Bool { firstIndex == batches.count && samples.isEmpty }

    /// False: more would wait than may.
    mutating func append(_ batch: Batch, isReplay: Bool) -> Bool {
        if isReplay { allowanceBytes += batch.countBytes }
        guard waitingBytes + batch.countBytes <= Limits.outboxSizeLimitBytes + allowanceBytes else { return false }
        batches.append(batch)
        waitingBytes += batch.countBytes
        return true
    }

    /// Returns how many of the oldest samples' batches had to go.
    mutating func append(sample: Batch, of session: SessionID) -> Int {
        samples.append((session, sample))
        samplesSizeBytes += sample.countBytes
        var droppedCount = 0
        while samplesSizeBytes > Limits.outboxSampleSizeLimitBytes, samples.count - droppedCount > 1 {
            samplesSizeBytes -= samples[droppedCount].batch.countBytes
            droppedCount += 1
        }
        samples.removeFirst(droppedCount)
        return droppedCount
    }

    mutating func withdrawSamples(of session: SessionID) {
        samples.removeAll { $0.session == session }
        samplesSizeBytes = samples.reduce(0) { $0 + $1.batch.countBytes }
    }

    mutating func next() -> Batch? {
        let hasBatch = firstIndex < batches.count
        if !samples.isEmpty, !hasBatch || sentSinceSampleBytes >= Self.sampleIntervalBytes {
            sentSinceSampleBytes = 0
            let sample = samples.removeFirst().batch
            samplesSizeBytes -= sample.countBytes
            return sample
        }
        guard hasBatch else { return nil }
        let batch = batches[firstIndex]
        firstIndex += 1
        waitingBytes -= batch.countBytes
        sentSinceSampleBytes += batch.countBytes
        if firstIndex == batches.count {
            batches.removeAll()
            firstIndex = 0
            allowanceBytes = 0
        } else if firstIndex >= 64, firstIndex * 2 > batches.count {
            batches.removeFirst(firstIndex)
            firstIndex = 0
        }
        return batch
    }

    mutating func removeAll() { self = Outbox() }
}
