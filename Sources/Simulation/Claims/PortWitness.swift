// Reads what the relay writes to one connection as its participant would, and knows what may not be in it.

import Relay
import Wire

/// Used on the world's thread only.
final class PortWitness {
    private unowned let world: World
    private let participant: ParticipantID
    private let name: String
    private let incarnation: UInt64
    private var places: [SessionID: UInt64] = [:]
    /// Sessions that it was told to be out of.
    private var left: Set<SessionID> = []
    private var isResumed = false
    var onWelcome: () -> Void = {}

    // What waited: everything that goes out in one draining was waiting when it began.
    private var isDraining = false
    private var drainedBytes = 0
    private var drainedSampleBytes = 0
    private var recordBytesSinceSample = 0
    private var earlySample: Int?

    init(world: World, participant: ParticipantID, name: String, incarnation: UInt64) {
        self.world = world
        self.participant = participant
        self.name = name
        self.incarnation = incarnation
    }

    func beginsDraining() {
        isDraining = true
        world.note("a line has caught up with what waited")
        drainedBytes = 0
        drainedSampleBytes = 0
        earlySample = nil
    }

    func endsDraining() { isDraining = false }

    func sent(_ frames: [Frame], sizeBytes: Int) {
        weigh(frames, sizeBytes)
        for frame in frames { sent(frame) }
    }

    // MARK: What waits

    /// A sample may go before a record that waits only after so many bytes of records.
    private static let sampleIntervalBytes = 65_536

    private func weigh(_ frames: [Frame], _ sizeBytes: Int) {
        let isSample = frames.contains { if case .sampled = $0 { true } else { false } }
        if isSample {
            if isDraining {
                drainedSampleBytes += sizeBytes
                if drainedSampleBytes > Limits.outboxSampleSizeLimitBytes + Limits.batchSizeLimitBytes {
                    world.fail(.outboxesBounded, "\(drainedSampleBytes) bytes of samples waited for \(name), where \(Limits.outboxSampleSizeLimitBytes) is the limit")
                }
                earlySample = recordBytesSinceSample
            }
            recordBytesSinceSample = 0
            return
        }
        recordBytesSinceSample += sizeBytes
        guard isDraining else { return }
        if let early = earlySample, early < Self.sampleIntervalBytes {
            world.fail(.samplesWait, "a sample went to \(name) before records that waited, \(early) bytes after the sample before it")
        }
        earlySample = nil
        drainedBytes += sizeBytes
        // What is handed over again to who comes back may be larger: the log holds it in any case.
        if !isResumed, drainedBytes > Limits.outboxSizeLimitBytes { world.fail(.outboxesBounded, "\(drainedBytes) bytes waited for \(name), where \(Limits.outboxSizeLimitBytes) is the limit") }
    }

    // MARK: What is said

    private func sent(_ frame: Frame) {
        switch frame {
        case .welcome(let welcome):
            isResumed = welcome.resumed
            if welcome.resumed { world.note("a connection is resumed") }
            if welcome.created { world.log.created(incarnation) }
            onWelcome()
        case .position(let session, let sequence, _):
            world.log.positioned(session, incarnation)
            places[session] = sequence
            left.remove(session)
        case .entry(let entry) where entry.sequence == 0:
            world.log.introduced(entry)
            if left.contains(entry.session) { tooMuch(frame, entry.session) }
        case .sampled(let session, let sender, let recipients, _):
            if left.contains(session) { tooMuch(frame, session) }
            if sender == participant || !recipients.isEmpty && !recipients.contains(participant) { notMeant(frame, session) }
        case .stable(let session, let sequence):
            if let place = places[session], sequence > place { world.fail(.oneOrder, "\(name) is told that \(sequence) is stable and stands at \(place)") }
        default: break
        }
        if let (session, sequence) = frame.place { ordered(frame, sequence, session) }
    }

    private func ordered(_ frame: Frame, _ sequence: UInt64, _ session: SessionID) {
        if left.contains(session) { return tooMuch(frame, session) }
        if let place = places[session], sequence != place + 1 { world.fail(.oneOrder, "\(name) is told \(LogWitness.word(frame)) in \(world.name(of: session)) and stands at \(place)") }
        places[session] = sequence
        world.log.saw(frame, at: sequence, in: session, incarnation)
        switch frame {
        case .exited(_, _, participant, _), .ended: left.insert(session)
        case .ordered(_, _, let sender, _, let recipients, _):
            if sender != participant, !recipients.isEmpty, !recipients.contains(participant) { notMeant(frame, session) }
        default: break
        }
    }

    private func tooMuch(_ frame: Frame, _ session: SessionID) {
        world.fail(.leaverLearnsNothing, "\(name) is out of \(world.name(of: session)) and is told \(LogWitness.word(frame))")
    }

    private func notMeant(_ frame: Frame, _ session: SessionID) {
        world.fail(.leaverLearnsNothing, "\(name) is told \(LogWitness.word(frame)) in \(world.name(of: session)), which is for others")
    }
}
