// One session of a conversation: who is in it, its log, what the relay remembers of its ledger.

import Wire

struct RelaySession {
    struct Member {
        /// For the order in which `position` names people.
        let arrival: UInt64
        var acknowledged: UInt64
        var lastCounter: UInt64?
        /// Set while the ledger is being handed over.
        var ledgerRun: UInt64?
        /// It is told nothing of this session before it has the own session's ledger: who speaks may be introduced there.
        var awaitsOwnLedger = false
    }

    /// Samples of one sender for one audience, gathered in one turn.
    struct SampleBatch {
        let sender: ParticipantID
        let recipients: Set<ParticipantID>
        var batch: Batch
    }

    let id: SessionID
    /// Tells answers for this session from those for an earlier one of the same name.
    let life: UInt64
    var members: [ParticipantID: Member] = [:]
    var log: SessionLog
    private(set) var slots: [EntryID: EntrySlot] = [:]
    private(set) var chargeBytes = 0
    /// When the last one went; `nil` while somebody is in it.
    var emptySince: UInt64?
    /// Acknowledged by everyone, and told so.
    private(set) var stable: UInt64 = 0
    var acknowledgementsChanged = false
    /// After a restart: people may still come back who were in it. What they miss is kept, and nothing is called stable, until they had their time.
    var awaitsReturns = false
    /// Its end is on its way to the disk.
    var isEnding = false
    /// What is asked of the store meanwhile: done if the disk does not take the end, and refused if it does.
    var heldRequests: [StoreRequest] = []
    /// It was there before the relay restarted.
    var outlivedRestart = false

    /// Connected members, and their connections at the same places: rebuilt when somebody comes, goes, or loses the connection.
    private var audience: [ParticipantID] = []
    private var connections: [ConnectionID] = []
    private var samples: [SampleBatch] = []
    private var samplesSizeBytes = 0

    init(id: SessionID, life: UInt64, headroomBytes: Int, emptySince: UInt64?) {
        self.id = id
        self.life = life
        self.emptySince = emptySince
        log = SessionLog(headroomBytes: headroomBytes)
    }

    /// The newest version in the ledger.
    var newestVersion: UInt64 { slots.values.reduce(0) { max($0, $1.stored == nil ? 0 : $1.version) } }

    var isEmpty: Bool { members.isEmpty }

    /// Gives a frame its place that follows from an answer of the store, also when nobody is there to hear it, and so to acknowledge it.
    mutating func append(_ frame: (UInt64) -> Frame) {
        log.append(frame)
        if isEmpty { acknowledgementsChanged = true }
    }

    mutating func setAudience(_ present: [(ParticipantID, ConnectionID)]) {
        audience = present.map(\.0)
        connections = present.map(\.1)
    }

    /// Changes a slot, keeping the charge and dropping the slot when nothing is left of it.
    mutating func change<T>(_ entry: EntryID, _ body: (inout EntrySlot) -> T) -> T {
        var slot = slots[entry] ?? EntrySlot()
        chargeBytes -= slot.chargeBytes
        let result = body(&slot)
        chargeBytes += slot.chargeBytes
        slots[entry] = slot.isVacant ? nil : slot
        return result
    }

    // MARK: Records and samples

    /// Gives the record its place. `nil`: done, or passed over as a repeat.
    mutating func order(_ record: borrowing RecordInPlace, from sender: ParticipantID) -> Refusal? {
        guard let member = members.index(forKey: sender) else { return record.refusal(.notInSession) }
        guard record.sealed.count <= Limits.recordSizeLimitBytes else {
            return record.refusal(.tooLarge, limit: Limits.recordSizeLimitBytes, value: record.sealed.count)
        }
        if let last = members.values[member].lastCounter, record.counter <= last { return nil }
        members.values[member].lastCounter = record.counter
        let size = record.orderedSizeBytes
        let (sequence, destination): (UInt64, UnsafeMutableRawPointer)
        if record.recipients.isEmpty {
            (sequence, destination) = log.place(sizeBytes: size)
        } else {
            let (session, counter) = (id, record.counter)
            (sequence, destination) = log.place(sizeBytes: size, audience: Set(record.recipients).union([sender])) {
                .skipped(session: session, sequence: $0, sender: sender, counter: counter)
            }
        }
        record.writeOrdered(sequence: sequence, sender: sender, to: destination)
        return nil
    }

    /// `nil`: taken, to go out at the end of the turn.
    mutating func gather(_ sample: borrowing SampleInPlace, from sender: ParticipantID) -> Refusal? {
        guard members[sender] != nil else { return sample.refusal(.notInSession) }
        guard sample.sealed.count <= Limits.recordSizeLimitBytes else {
            return sample.refusal(.tooLarge, limit: Limits.recordSizeLimitBytes, value: sample.sealed.count)
        }
        let size = sample.sampledSizeBytes
        let recipients = Set(sample.recipients)
        samplesSizeBytes += size
        if let index = samples.lastIndex(where: { $0.sender == sender && $0.recipients == recipients }),
            samples[index].batch.countBytes + size <= Self.sampleBatchSizeBytes
        {
            if samples[index].batch.freeBytes < size { samples[index].batch = samples[index].batch.grown(by: size) }
            sample.writeSampled(sender: sender, to: samples[index].batch.extend(by: size))
        } else {
            let batch = Batch(capacityBytes: size, headroomBytes: log.headroomBytes)
            sample.writeSampled(sender: sender, to: batch.extend(by: size))
            samples.append(SampleBatch(sender: sender, recipients: recipients, batch: batch))
        }
        return nil
    }

    /// Small, so that dropping the oldest drops little.
    private static let sampleBatchSizeBytes = 16_384

    /// More samples than a connection may hold need not wait for the end of the turn.
    var samplesOverflow: Bool { samplesSizeBytes > Limits.outboxSampleSizeLimitBytes }

    // MARK: Handing out

    /// Everything gathered so far, for everyone who is connected; then what has become stable; then samples.
    mutating func flush(into actions: inout [RelayAction]) {
        if log.hasWaiting {
            for segment in log.waiting { hand(out: segment, into: &actions) }
            log.markHandedOut()
        }
        if log.isOverLimit { awaitsReturns = false }
        if acknowledgementsChanged, !awaitsReturns { settle(into: &actions) }
        if !samples.isEmpty { handOutSamples(into: &actions) }
    }

    private func hand(out segment: SessionLog.Segment, into actions: inout [RelayAction]) {
        guard let listeners = segment.audience, let skipped = segment.skipped else {
            if !connections.isEmpty { actions.append(.send(segment.frames, to: connections, isReplay: false)) }
            return
        }
        var (hearing, others): ([ConnectionID], [ConnectionID]) = ([], [])
        for (participant, connection) in zip(audience, connections) {
            if listeners.contains(participant) { hearing.append(connection) } else { others.append(connection) }
        }
        if !hearing.isEmpty { actions.append(.send(segment.frames, to: hearing, isReplay: false)) }
        if !others.isEmpty { actions.append(.send(skipped, to: others, isReplay: false)) }
    }

    private mutating func settle(into actions: inout [RelayAction]) {
        acknowledgementsChanged = false
        let reached = members.values.reduce(log.last) { min($0, $1.acknowledged) }
        guard reached > stable else { return }
        stable = reached
        log.trim(through: reached)
        guard !connections.isEmpty else { return }
        actions.append(.send(Batch([.stable(session: id, sequence: reached)], headroomBytes: log.headroomBytes), to: connections, isReplay: false))
    }

    private mutating func handOutSamples(into actions: inout [RelayAction]) {
        for sample in samples {
            var hearing: [ConnectionID] = []
            for (participant, connection) in zip(audience, connections) where participant != sample.sender {
                if sample.recipients.isEmpty || sample.recipients.contains(participant) { hearing.append(connection) }
            }
            if !hearing.isEmpty { actions.append(.sample(sample.batch, of: id, to: hearing)) }
        }
        samples.removeAll(keepingCapacity: true)
        samplesSizeBytes = 0
    }

    /// Those whose missing acknowledgement makes the log too long.
    var holdingBack: [ParticipantID] {
        guard log.isOverLimit, let least = members.values.map(\.acknowledged).min() else { return [] }
        return members.filter { $0.value.acknowledged == least }.map(\.key)
    }
}

extension RecordInPlace {
    func refusal(_ code: Refusal.Code, limit: Int = 0, value: Int = 0) -> Refusal {
        Refusal(frameType: FrameType.record.rawValue, session: session, counter: counter, code: code, limit: UInt64(limit), value: UInt64(value))
    }
}

extension SampleInPlace {
    func refusal(_ code: Refusal.Code, limit: Int = 0, value: Int = 0) -> Refusal {
        Refusal(frameType: FrameType.sample.rawValue, session: session, code: code, limit: UInt64(limit), value: UInt64(value))
    }
}
