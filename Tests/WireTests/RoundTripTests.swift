// The codec against itself, with frames drawn from a seed, and against bytes that nobody meant.

import Testing
import Wire

/// SplitMix64: the same frames on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func id<ID: Identifier>() -> ID { ID(Bytes16(high: next(), low: next())) }
    mutating func number() -> UInt64 { Bool.random(using: &self) ? next() & 0xff : next() >> 11 }
    mutating func blob(_ limit: Int = 300) -> [UInt8] { (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) } }
    mutating func ids() -> [ParticipantID] { (0..<Int.random(in: 0...4, using: &self)).map { _ in id() } }
    mutating func flags() -> EntryFlags { EntryFlags(rawValue: UInt8(next() & 3)) }
    mutating func door() -> Door { Door(mode: DoorMode(rawValue: byte()), closesAtSeconds: number(), sealed: blob()) }
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    mutating func frame() -> Frame {
        switch FrameType.allCases.randomElement(using: &self)! {
        case .hello:
            return .hello(
                Hello(
                    create: Bool.random(using: &self), participant: id(), secret: Bytes16(high: next(), low: next()), relayToken: (0..<32).map { _ in byte() },
                    incarnation: next(), places: (0..<Int.random(in: 0...17, using: &self)).map { _ in Hello.Place(session: id(), sequence: number()) },
                    pass: Bool.random(using: &self) ? (0..<32).map { _ in byte() } : nil))
        case .enter: return .enter(session: id())
        case .exit: return .exit(session: id())
        case .end: return .end(session: id())
        case .record: return .record(session: id(), counter: number(), recipients: ids(), sealed: blob())
        case .sample: return .sample(session: id(), recipients: ids(), sealed: blob())
        case .put: return .put(session: id(), entry: id(), flags: flags(), bodyLength: number(), sealed: blob())
        case .remove: return .remove(session: id(), entry: id())
        case .acknowledge: return .acknowledge(session: id(), sequence: number())
        case .leave: return .leave
        case .setDoor: return .setDoor(door(), passDigest: (0..<32).map { _ in byte() })
        case .knock: return .knock(sealed: blob())
        case .admit: return .admit(participant: id(), admits: Bool.random(using: &self))
        case .waiting: return .waiting(seconds: UInt16(next() & 0xffff))
        case .door: return .door(door())
        case .knocking: return .knocking(participant: id(), sealed: blob())
        case .knocked: return .knocked(participant: id(), end: KnockEnd(rawValue: byte()))
        case .ping: return .ping(token: next())
        case .pong: return .pong(token: next())
        case .welcome:
            return .welcome(
                Welcome(
                    resumed: Bool.random(using: &self), created: Bool.random(using: &self), incarnation: next(), heartbeatSeconds: UInt16(next() & 0xffff),
                    silenceSeconds: 30, resumeWindowSeconds: UInt32(next() >> 32), graceSeconds: 600, conversationQuotaBytes: number()))
        case .position:
            let participants = (0..<Int.random(in: 0...5, using: &self)).map { _ in Attendance(participant: id(), presence: Presence(rawValue: byte())) }
            return .position(session: id(), sequence: number(), participants: participants)
        case .complete: return .complete(session: id(), sequence: number())
        case .entered: return .entered(session: id(), sequence: number(), participant: id())
        case .exited: return .exited(session: id(), sequence: number(), participant: id(), reason: ExitReason(rawValue: byte()))
        case .ended: return .ended(session: id(), sequence: number(), participant: id(), reason: EndReason(rawValue: byte()))
        case .ordered: return .ordered(session: id(), sequence: number(), sender: id(), counter: number(), recipients: ids(), sealed: blob())
        case .skipped: return .skipped(session: id(), sequence: number(), sender: id(), counter: number())
        case .sampled: return .sampled(session: id(), sender: id(), recipients: ids(), sealed: blob())
        case .entry:
            return .entry(
                Entry(
                    session: id(), sequence: number(), version: number(), putter: id(), entry: id(), flags: flags(), bodyLength: number(), sealed: blob()))
        case .removed: return .removed(session: id(), sequence: number(), remover: id(), entry: id(), reason: RemovalReason(rawValue: byte()))
        case .stable: return .stable(session: id(), sequence: number())
        case .refused:
            return .refused(
                Refusal(
                    frameType: byte(), session: id(), subject: id(), counter: number(), code: Refusal.Code(rawValue: UInt16(next() & 0xffff)), limit: number(),
                    value: number()))
        case .presence: return .presence(participant: id(), presence: Presence(rawValue: byte()))
        }
    }
}

@Suite("Frames there and back") struct RoundTripTests {
    @Test("a message of random frames reads as it was written", arguments: 0..<50 as Range<UInt64>) func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let frames = (0..<Int.random(in: 1...40, using: &generator)).map { _ in generator.frame() }
        #expect(try Frame.decode(message: Frame.encode(frames)) == frames)
    }

    @Test("a message cut at any byte reads as whole frames up to there or not at all") func cut() throws {
        var generator = SeededGenerator(state: 7)
        let frames = FrameType.allCases.map { type in
            while true {
                let frame = generator.frame()
                if frame.type == type { return frame }
            }
        }
        let whole = Frame.encode(frames)
        var boundaries: [Int: Int] = [:]
        for count in 1...frames.count { boundaries[Frame.encode(Array(frames.prefix(count))).count] = count }
        for length in 0..<whole.count {
            let part = Array(whole.prefix(length))
            if let count = boundaries[length] {
                #expect(try Frame.decode(message: part) == Array(frames.prefix(count)))
            } else {
                #expect(throws: FrameError.cutShort) { try Frame.decode(message: part) }
            }
        }
    }

    @Test("no byte of a message, whatever it is changed to, makes the reader trap") func flips() {
        var generator = SeededGenerator(state: 11)
        for _ in 0..<300 {
            var message = Frame.encode([generator.frame(), generator.frame()])
            for index in message.indices {
                let before = message[index]
                message[index] = generator.byte()
                if let frames = try? Frame.decode(message: message) { _ = frames.count }
                message[index] = before
            }
        }
    }

    @Test("random bytes are read or refused, never worse") func noise() {
        var generator = SeededGenerator(state: 13)
        var read = 0
        for _ in 0..<20_000 {
            var message = generator.blob(80)
            // A plausible type and a small length in front, so that bodies are reached.
            message.insert(contentsOf: [FrameType.allCases.randomElement(using: &generator)!.rawValue, 0, 0, 0, generator.byte() & 0x3f], at: 0)
            if (try? Frame.decode(message: message)) != nil { read += 1 }
        }
        #expect(read > 0)
    }

    @Test("the type's range tells the direction") func directions() {
        #expect(FrameType.leave.direction == .toRelay)
        #expect(FrameType.pong.direction == .bothWays)
        #expect(FrameType.welcome.direction == .fromRelay)
        #expect(FrameType.presence.direction == .fromRelay)
    }

    @Test("hello of another version says so") func otherVersion() {
        var message = Frame.encode([
            .hello(Hello(participant: ParticipantID(.zero), secret: .zero, relayToken: [UInt8](repeating: 0, count: 32)))
        ])
        message[5] = 2
        #expect(throws: FrameError.unsupportedVersion(2)) { try Frame.decode(message: message) }
    }
}
