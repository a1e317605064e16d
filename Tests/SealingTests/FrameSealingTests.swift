// Records and samples: sealed for one session, one sender and these recipients, and for nothing else.

import Testing
import Wire

@testable import Sealing

struct FrameSealingTests {
    let invitation = try! Invitation(relay: "https://relay.example")
    let session = SessionID(Bytes16(high: 7, low: 8))
    let keys: EpochKeys
    let ana: Identity
    let ben: Identity

    init() throws {
        keys = try EpochKeys(invitation)
        ana = try Identity(conversation: invitation.conversation)
        ben = try Identity(conversation: invitation.conversation)
    }

    func sealer(_ frameClass: FrameClass, session: SessionID? = nil) throws -> FrameSealer {
        try FrameSealer(keys: keys, identity: ana, session: session ?? self.session, frameClass: frameClass)
    }

    func opener(_ frameClass: FrameClass, session: SessionID? = nil, sender: Identity? = nil) throws -> FrameOpener {
        let sender = sender ?? ana
        return try FrameOpener(keys: keys, session: session ?? self.session, frameClass: frameClass, sender: sender.participant, publicKey: sender.publicKey)
    }

    @Test(arguments: [FrameClass.record, .sample])
    func `what is sealed opens, whatever its length`(_ frameClass: FrameClass) throws {
        let (sealer, opener) = (try sealer(frameClass), try opener(frameClass))
        for (index, size) in [0, 1, 2, 50, 61, 62, 63, 64, 500, 16_380, 16_384, 70_000, Limits.messageSizeLimitBytes].enumerated() {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
            let frame = try sealer.sealData(bytes, to: [ben.participant, ana.participant])
            #expect(frame.counter == UInt64(index))
            // The order in which recipients are named is not part of what is sealed.
            let opened = try opener.open(frame.sealed, recipients: [ana.participant, ben.participant])
            #expect(opened == OpenedFrame(counter: UInt64(index), content: .data(bytes[...])))
            #expect(frame.sealed.count <= Limits.recordSizeLimitBytes)
        }
        let message = try sealer.sealMessage(identifier: "Stroke", json: Array(#"{"x":1}"#.utf8))
        #expect(try opener.open(message.sealed).content == .message(identifier: "Stroke", json: Array(#"{"x":1}"#.utf8)[...]))
    }

    @Test(arguments: [FrameClass.record, .sample])
    func `with any one bit of any byte flipped it does not open`(_ frameClass: FrameClass) throws {
        let opener = try opener(frameClass)
        let frame = try sealer(frameClass).sealMessage(identifier: "m", json: Array(#""hello""#.utf8)).sealed
        for index in frame.indices {
            for bit in 0..<8 {
                var broken = frame
                broken[index] ^= 1 << bit
                #expect(throws: SealingError.self) { try opener.open(broken) }
            }
        }
        for count in frame.indices { #expect(throws: SealingError.self) { try opener.open(Array(frame[..<count])) } }
        #expect(throws: SealingError.self) { try opener.open(frame + [0]) }
        #expect(try opener.open(frame).counter == 0)
    }

    @Test func `it opens for no other session, class, sender or recipients`() throws {
        let record = try sealer(.record).sealData([1, 2, 3], to: [ben.participant]).sealed
        #expect(try opener(.record).open(record, recipients: [ben.participant]).counter == 0)
        #expect(throws: SealingError.tampered) { try opener(.record).open(record) }
        #expect(throws: SealingError.tampered) { try opener(.record).open(record, recipients: [ana.participant]) }
        #expect(throws: SealingError.tampered) { try opener(.record, session: SessionID(Bytes16(high: 7, low: 9))).open(record, recipients: [ben.participant]) }
        #expect(throws: SealingError.malformed) { try opener(.sample).open(record, recipients: [ben.participant]) }
        #expect(throws: SealingError.malformed) { try opener(.record, sender: ben).open(record, recipients: [ben.participant]) }
    }

    @Test func `a member who knows every key of the link cannot sign for another`() throws {
        // Ben seals under Ana's KID, which any member can derive, and signs with his own key.
        let forged = try FrameSealer(keys: keys, identity: Identity(pretending: ana.participant, conversation: ana.conversation, key: ben.key), session: session, frameClass: .record).sealData([1])
        #expect(throws: SealingError.tampered) { try opener(.record).open(forged.sealed) }
    }

    @Test func `lengths tell no more than Padmé lets them`() throws {
        let sealer = try sealer(.sample)
        let sizes = try Set(
            (1000...1020).map {
                try sealer.sealData([UInt8](repeating: 1, count: $0)).sealed.count - (SFrameHeader(kid: kid(of: ana.participant, .sample), counter: sealer.nextCounter - 1).encoded.count)
            })
        #expect(sizes.count <= 2)
        #expect([0, 1, 2, 3, 9, 100, 1000, 1025].map(padmeSize) == [0, 1, 2, 3, 10, 104, 1024, 1088])
    }

    @Test func `a payload above its limit is refused with both numbers and takes no counter`() throws {
        let sealer = try sealer(.record)
        #expect(throws: SealingError.tooLarge(limitBytes: 262_144, valueBytes: 262_145)) { try sealer.sealData([UInt8](repeating: 0, count: 262_145)) }
        #expect(throws: SealingError.self) { try sealer.sealData([], to: Array(repeating: ben.participant, count: 101)) }
        #expect(try sealer.sealData([]).counter == 0)
    }

    @Test func `the replay window takes each counter once and forgets what is too old`() {
        var window = ReplayWindow()
        let counters: [(UInt64, Bool)] = [
            (5, true), (3, true), (5, false), (4, true), (3, false), (260, true), (4, false), (5, false), (6, true), (100_000, true), (260, false), (100_000 - 256, false),
            (100_000 - 255, true), (.max, false),
        ]
        for (counter, isNew) in counters {
            let isTaken = window.accept(counter)
            #expect(isTaken == isNew, "\(counter)")
        }
        // Against a plain set, over a random walk.
        var generator = Seeded(state: 42)
        var seen: Set<UInt64> = []
        var tested = ReplayWindow()
        var highest: UInt64 = 0
        for step in 0..<20_000 {
            let counter = UInt64(max(0, step / 3 + Int.random(in: -400...40, using: &generator)))
            let isNew = seen.insert(counter).inserted && (highest < 256 || counter > highest - 256)
            let isTaken = tested.accept(counter)
            #expect(isTaken == isNew)
            highest = max(highest, counter)
        }
    }
}

struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
