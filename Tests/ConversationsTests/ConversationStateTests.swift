// The rules of a participant's side, one event at a time.

import Testing
import Wire

@testable import Conversations
@testable import Sealing

struct ConversationStateTests {
    let ana = ParticipantID(Bytes16(high: 1, low: 1))
    let ben = ParticipantID(Bytes16(high: 1, low: 2))
    let session = SessionID(Bytes16(high: 3, low: 1))

    func begun() -> ConversationState {
        var state = ConversationState(
            .init(local: ana, participantSecret: Bytes16(high: 9, low: 9), relayToken: Array(repeating: 7, count: 32), sealedIntroduction: [1, 2, 3], mayCreate: true),
            introductionToken: 1)
        _ = state.start(.zero)
        _ = state.opened(.zero)
        return state
    }

    func welcome(resumed: Bool = false, incarnation: UInt64 = 5) -> Frame {
        .welcome(
            Welcome(
                resumed: resumed, created: false, incarnation: incarnation, heartbeatSeconds: 10, silenceSeconds: 30, resumeWindowSeconds: 60, graceSeconds: 600,
                conversationQuotaBytes: 1))
    }

    /// In the conversation and in the session, in sync, Ben there before.
    func inside(first counter: UInt64? = nil) -> ConversationState {
        var state = begun()
        _ = state.take(welcome(), .nothing, .zero)
        _ = state.take(.position(session: .own, sequence: 4, participants: present(ben, ana)), .nothing, .zero)
        _ = state.take(.complete(session: .own, sequence: 4), .nothing, .zero)
        _ = state.enter(session)
        _ = state.take(.position(session: session, sequence: 10, participants: present(ben, ana)), .nothing, .zero)
        _ = state.take(.complete(session: session, sequence: 10), .nothing, .zero)
        if let counter { _ = state.take(ordered(11, counter), record(counter), .zero) }
        return state
    }

    func present(_ participants: ParticipantID...) -> [Attendance] { participants.map { Attendance(participant: $0, presence: .connected) } }
    func ordered(_ sequence: UInt64, _ counter: UInt64, from sender: ParticipantID? = nil) -> Frame {
        .ordered(session: session, sequence: sequence, sender: sender ?? ben, counter: counter, recipients: [], sealed: [1])
    }
    func record(_ counter: UInt64, from sender: ParticipantID? = nil) -> Opened { .frame(OpenedFrame(counter: counter, content: .data([1])), from: sender ?? ben) }

    func events(_ effects: [ConversationEffect]) -> [SessionEvent] { effects.compactMap { if case .session(_, let event) = $0 { event } else { nil } } }
    func sent(_ effects: [ConversationEffect]) -> [Frame] { effects.compactMap { if case .send(let frame) = $0 { frame } else { nil } } }
    func closed(_ effects: [ConversationEffect]) -> ConversationEnd? {
        for case .closed(let end) in effects { return end }
        return nil
    }
    let received = [SessionEvent.received(.data([1]), from: ParticipantID(Bytes16(high: 1, low: 2)), isReliable: true)]

    @Test func `who leaves before the relay has answered says so, behind the greeting, and takes no place that is given meanwhile`() {
        for answer in [welcome(), .waiting(seconds: 120)] {
            var state = begun()
            #expect(sent(state.leave(.zero)) == [.leave])
            #expect(sent(state.take(answer, .nothing, .zero)).isEmpty && state.link.phase == .leaving)
            #expect(closed(state.lost(code: 4000, .zero, random: 0)) == .left)
        }
    }

    @Test func `who leaves before a restarted relay has answered compares what still comes with no log of before`() throws {
        var state = inside()
        _ = state.lost(code: 1006, .zero, random: 0)
        _ = state.retryNow(.zero)
        _ = state.opened(.zero)
        #expect(sent(state.leave(.zero)) == [.leave])
        _ = state.take(welcome(incarnation: 6), .nothing, .zero)
        _ = state.take(.position(session: session, sequence: 0, participants: present(ben, ana)), .nothing, .zero)
        #expect(try state.stretch(in: session).incarnation == 6)
    }

    @Test func `the first record of who was there before may have any counter, the next must follow`() {
        var state = inside(first: 40)
        #expect(events(state.take(ordered(12, 41), record(41), .zero)) == received)
        #expect(events(state.take(ordered(13, 41), record(41), .zero)).isEmpty)
        #expect(events(state.take(ordered(14, 12), record(12), .zero)).isEmpty)
        let effects = state.take(ordered(15, 43), record(43), .zero)
        #expect(events(effects) == [.over(.gap)] && sent(effects) == [.exit(session: session)])
    }

    @Test func `who came later begins at 0, or the session is over`() {
        let cleo = ParticipantID(Bytes16(high: 1, low: 3))
        var state = inside()
        _ = state.take(.entered(session: session, sequence: 11, participant: cleo), .nothing, .zero)
        #expect(events(state.take(ordered(12, 1, from: cleo), record(1, from: cleo), .zero)) == [.over(.gap)])
    }

    @Test func `what was not for us counts as what it stands for`() {
        var state = inside(first: 3)
        #expect(state.take(.skipped(session: session, sequence: 12, sender: ben, counter: 4), .nothing, .zero).isEmpty)
        #expect(events(state.take(ordered(13, 5), record(5), .zero)) == received)
    }

    @Test func `a place that is left out ends the session, a place seen before is dropped`() {
        var state = inside(first: 0)
        #expect(state.take(ordered(11, 1), record(1), .zero).isEmpty)
        #expect(events(state.take(ordered(13, 1), record(1), .zero)) == [.over(.gap)])
    }

    @Test func `a record that does not open ends the session, a sample that does not is counted`() {
        var state = inside(first: 0)
        #expect(events(state.take(.sampled(session: session, sender: ben, recipients: [], sealed: [1]), .failed, .zero)).isEmpty)
        #expect(state.session(session)?.droppedSampleCount == 1)
        #expect(events(state.take(ordered(12, 1), .failed, .zero)) == [.over(.tampered)])
    }

    @Test func `who comes back names where it is, and sends again what has no place`() throws {
        var state = inside(first: 0)
        _ = state.record(SealedFrame(counter: 0, sealed: [5]), to: [], in: session, token: 8)
        _ = state.record(SealedFrame(counter: 1, sealed: [6]), to: [], in: session, token: 9)
        #expect(state.take(ordered(12, 0, from: ana), .nothing, .zero).contains { if case .settle(8, .done) = $0 { true } else { false } })
        _ = state.put(EntryID(Bytes16(high: 4, low: 4)), flags: [], bodySizeBytes: 0, sealed: [7], in: session, token: 10)
        _ = state.lost(code: 1006, .seconds(1), random: 0)
        _ = state.tick(.seconds(2), random: 0)
        guard case .hello(let hello)? = sent(state.opened(.seconds(2))).first else { return #expect(Bool(false)) }
        #expect(hello.incarnation == 5 && !hello.create)
        #expect(hello.places == [Hello.Place(session: .own, sequence: 4), Hello.Place(session: session, sequence: 12)])
        let again = sent(state.take(welcome(resumed: true), .nothing, .seconds(2)))
        // The introduction's own put has never been answered here.
        #expect(again.map(\.type) == [.put, .record, .put])
        #expect(again.contains(.record(session: session, counter: 1, recipients: [], sealed: [6])))
    }

    @Test func `a resumed session is in sync once everything missed is in`() {
        var state = inside(first: 0)
        #expect(state.session(session)?.ledger.isComplete == true)
        _ = state.lost(code: 1006, .seconds(1), random: 0)
        #expect(state.session(session)?.ledger.isComplete == false)
        _ = state.tick(.seconds(2), random: 0)
        _ = state.opened(.seconds(2))
        _ = state.take(welcome(resumed: true), .nothing, .seconds(2))
        _ = state.take(ordered(12, 1), record(1), .seconds(2))
        #expect(state.session(session)?.ledger.isComplete == false)
        #expect(events(state.take(.stable(session: session, sequence: 11), .nothing, .seconds(2))) == [.ledgerChanged])
        #expect(state.session(session)?.ledger.isComplete == true)
    }

    @Test func `a session in which we have no place any more has ended, and one that we were leaving is left`() {
        var state = inside(first: 0)
        _ = state.lost(code: 1006, .seconds(1), random: 0)
        _ = state.tick(.seconds(2), random: 0)
        _ = state.opened(.seconds(2))
        _ = state.take(welcome(resumed: true), .nothing, .seconds(2))
        let refusal = Refusal(frameType: FrameType.hello.rawValue, session: session, code: .notInSession)
        var leaving = state
        _ = leaving.exit(session)
        #expect(events(leaving.take(.refused(refusal), .nothing, .seconds(2))) == [.over(.left)])
        #expect(events(state.take(.refused(refusal), .nothing, .seconds(2))) == [.over(.ended)])
    }

    @Test func `whoever ends a session and is refused by the disk leaves it, and does not end it again`() {
        var state = inside(first: 0)
        #expect(sent(state.end(session)) == [.end(session: session)])
        let refusal = Refusal(frameType: FrameType.end.rawValue, session: session, code: .storageFailed)
        let effects = state.take(.refused(refusal), .nothing, .seconds(2))
        #expect(sent(effects) == [.exit(session: session)])
        #expect(events(effects).isEmpty)
        _ = state.lost(code: 1006, .seconds(3), random: 0)
        _ = state.tick(.seconds(4), random: 0)
        _ = state.opened(.seconds(4))
        #expect(!sent(state.take(welcome(resumed: true), .nothing, .seconds(4))).contains(.end(session: session)))
        let going = Frame.exited(session: session, sequence: 12, participant: ana, reason: .exited)
        #expect(events(state.take(going, .nothing, .seconds(4))).contains(.over(.left)))
    }

    @Test func `a removal is done when the relay says so, and not when the ledger lacks the entry`() {
        var state = inside(first: 0)
        let gone = EntryID(Bytes16(high: 8, low: 8))
        _ = state.remove(gone, in: session, token: 40)
        _ = state.lost(code: 1006, .seconds(1), random: 0)
        _ = state.tick(.seconds(2), random: 0)
        _ = state.opened(.seconds(2))
        #expect(sent(state.take(welcome(incarnation: 6), .nothing, .seconds(2))).contains(.remove(session: session, entry: gone)))
        var effects = state.take(.position(session: session, sequence: 1, participants: present(ana)), .nothing, .seconds(2))
        effects += state.take(.complete(session: session, sequence: 1), .nothing, .seconds(2))
        func isDone(_ effects: [ConversationEffect]) -> Bool { effects.contains { if case .settle(40, .done) = $0 { true } else { false } } }
        #expect(!isDone(effects))
        let refusal = Refusal(frameType: FrameType.remove.rawValue, session: session, subject: gone, code: .unknownEntry)
        #expect(isDone(state.take(.refused(refusal), .nothing, .seconds(2))))
    }

    @Test func `who was cut off before a restarted relay said where it stands names the incarnation before, and its sessions, so that it is put into them again`() {
        var state = inside(first: 0)
        for (attempt, incarnation) in [(1, UInt64(6)), (2, 6), (3, 7)] {
            let now = Duration.seconds(2 * attempt)
            _ = state.lost(code: 1006, now - .seconds(1), random: 0)
            _ = state.tick(now, random: 0)
            guard case .hello(let hello)? = sent(state.opened(now)).first else { return #expect(Bool(false)) }
            #expect(hello.incarnation == 5 && !hello.create)
            #expect(hello.places.map(\.session) == (attempt == 1 ? [.own, session] : [session]))
            let frames = sent(state.take(welcome(incarnation: incarnation), .nothing, now))
            #expect(frames.allSatisfy { $0.type != .enter })
        }
        _ = state.take(.position(session: .own, sequence: 9, participants: present(ben, ana)), .nothing, .seconds(6))
        _ = state.take(.position(session: session, sequence: 0, participants: present(ben, ana)), .nothing, .seconds(6))
        #expect(events(state.take(ordered(1, 1), record(1), .seconds(6))) == received)
    }

    @Test func `after a restart of the relay the same bytes are sent of all that is not stable, and the introduction again`() {
        var state = inside(first: 0)
        for counter in 0..<4 {
            _ = state.record(SealedFrame(counter: UInt64(counter), sealed: [UInt8(counter)]), to: [], in: session, token: nil)
            _ = state.take(ordered(UInt64(12 + counter), UInt64(counter), from: ana), .nothing, .zero)
        }
        _ = state.take(.stable(session: session, sequence: 13), .nothing, .zero)
        _ = state.lost(code: 1006, .seconds(1), random: 0)
        _ = state.tick(.seconds(2), random: 0)
        _ = state.opened(.seconds(2))
        let again = sent(state.take(welcome(incarnation: 6), .nothing, .seconds(2)))
        #expect(again.contains { if case .put(.own, EntryID(self.ana.bytes), .presenceBound, 0, [1, 2, 3]) = $0 { true } else { false } })
        #expect(again.filter { $0.type == .record } == (2..<4).map { .record(session: session, counter: $0, recipients: [], sealed: [UInt8($0)]) })
        // Its log begins anew; what it hands over replaces what was known.
        _ = state.take(.position(session: session, sequence: 1, participants: present(ana)), .nothing, .seconds(2))
        #expect(state.session(session)?.sequence == 1 && state.session(session)?.phase == .syncing)
    }

    @Test(arguments: [
        (UInt16(4000), ConversationEnd.left), (4001, .ended), (4100, .malformed), (4101, .unsupportedVersion), (4103, .notInvited), (4105, .full), (4106, .replaced), (4110, .flooding),
        (4300, .cannotResume), (4399, .cannotResume), (4199, .malformed), (4104, .ended),
    ])
    func `a numbered close ends it with its reason`(_ code: UInt16, _ end: ConversationEnd) {
        var state = inside()
        _ = state.record(SealedFrame(counter: 0, sealed: [5]), to: [], in: session, token: 8)
        let effects = state.lost(code: code, .seconds(1), random: 0)
        #expect(closed(effects) == end)
        #expect(effects.contains { if case .settle(8, .abandoned) = $0 { true } else { false } })
        #expect(state.wakeAt == nil)
    }

    @Test(arguments: [UInt16(4200), 4201, 4202, 4203, 1000, 1006, 1011, 4999])
    func `any other close is an interruption`(_ code: UInt16) {
        var state = inside()
        #expect(closed(state.lost(code: code, .seconds(1), random: 0.5)) == nil)
        #expect(state.wakeAt != nil)
    }

    @Test func `an unknown conversation is unknown before the first welcome and ended after it`() {
        var state = begun()
        #expect(closed(state.lost(code: 4104, .zero, random: 0)) == .unknownConversation)
    }

    @Test func `what is taken in is acknowledged after 64 frames or a second`() {
        var state = inside(first: 0)
        var acknowledged: [Frame] = []
        for number in 1...64 { acknowledged += sent(state.take(ordered(UInt64(11 + number), UInt64(number)), record(UInt64(number)), .zero)) }
        #expect(acknowledged == [.acknowledge(session: session, sequence: 74)])
        #expect(sent(state.take(ordered(76, 65), record(65), .zero)).isEmpty)
        #expect(sent(state.tick(.milliseconds(1500), random: 0)) == [.acknowledge(session: session, sequence: 76)])
        // Or after 1 MiB.
        let large = [UInt8](repeating: 0, count: 300_000)
        for number in 0..<4 as Range<UInt64> {
            let frame = Frame.ordered(session: session, sequence: 77 + number, sender: ben, counter: 66 + number, recipients: [], sealed: large)
            #expect(sent(state.take(frame, record(66 + number), .seconds(2))) == (number == 3 ? [.acknowledge(session: session, sequence: 80)] : []))
        }
    }

    @Test func `what was taken in before the relay restarted is not acknowledged to the new incarnation`() {
        var state = inside(first: 0)
        _ = state.lost(code: 1006, .milliseconds(1), random: 0)
        _ = state.retryNow(.milliseconds(1))
        _ = state.opened(.milliseconds(1))
        _ = state.take(welcome(incarnation: 6), .nothing, .milliseconds(1))
        #expect(sent(state.tick(.seconds(2), random: 0)).isEmpty)
        _ = state.take(.position(session: session, sequence: 1, participants: present(ben, ana)), .nothing, .seconds(2))
        _ = state.take(ordered(2, 1), record(1), .seconds(2))
        #expect(sent(state.tick(.seconds(3), random: 0)) == [.acknowledge(session: session, sequence: 2)])
    }

    @Test func `who was in already acknowledges where it is told to stand`() {
        var state = inside()
        #expect(sent(state.tick(.seconds(1), random: 0)).isEmpty)
        _ = state.take(.position(session: session, sequence: 40, participants: present(ben, ana)), .nothing, .seconds(2))
        #expect(sent(state.tick(.seconds(3), random: 0)) == [.acknowledge(session: session, sequence: 40)])
    }

    @Test func `a ledger that is handed over again takes away what it does not name`() {
        var state = inside()
        let announcement = OpenedEntry(publicKey: [1], maker: ben, body: .activity(.init(activityIdentifier: "a", activity: [], metadata: [])))
        func entry(_ low: UInt64, version: UInt64, sequence: UInt64 = 0) -> Frame {
            .entry(Entry(session: .own, sequence: sequence, version: version, putter: ben, entry: EntryID(Bytes16(high: 3, low: low)), flags: [], bodyLength: 0, sealed: [1]))
        }
        _ = state.take(entry(1, version: 1, sequence: 5), .entry(announcement), .zero)
        _ = state.take(entry(2, version: 2, sequence: 6), .entry(announcement), .zero)
        #expect(state.activities.map(\.session.bytes.low) == [1, 2])
        _ = state.take(.position(session: .own, sequence: 1, participants: present(ana)), .nothing, .zero)
        _ = state.take(entry(2, version: 2), .nothing, .zero)
        // Removed in the log while the ledger is handed over: what still comes of it is dropped.
        _ = state.take(.removed(session: .own, sequence: 2, remover: ben, entry: EntryID(Bytes16(high: 3, low: 3)), reason: .removed), .nothing, .zero)
        _ = state.take(entry(3, version: 3), .entry(announcement), .zero)
        _ = state.take(.complete(session: .own, sequence: 2), .nothing, .zero)
        #expect(state.activities.map(\.session.bytes.low) == [2])
        // An older form never replaces a newer one.
        _ = state.take(entry(2, version: 1, sequence: 3), .entry(announcement), .zero)
        #expect(state.activities.first?.version == 2)
    }

    @Test func `an introduction under another's name is ignored`() {
        var state = inside()
        let false1 = OpenedEntry(publicKey: [1], maker: ben, body: .introduction(name: "Ben"))
        _ = state.take(.entry(Entry(session: .own, sequence: 5, version: 1, putter: ben, entry: EntryID(ana.bytes), flags: .presenceBound, bodyLength: 0, sealed: [1])), .entry(false1), .zero)
        #expect(state.introductions.isEmpty && state.own.ledger.ignoredCount == 1)
    }

    @Test func `a manifest is replaced only by its maker's own, and never by another body`() throws {
        var state = inside()
        let manifest = try Manifest(plainSizeBytes: 10, metadata: [])
        func put(_ version: UInt64, _ key: UInt8, _ manifest: Manifest) {
            let frame = Entry(
                session: session, sequence: 0, version: version, putter: ben, entry: EntryID(Bytes16(high: 8, low: 8)), flags: [], bodyLength: UInt64(manifest.layout.bodySizeBytes), sealed: [1])
            _ = state.take(.entry(frame), .entry(OpenedEntry(publicKey: [key], maker: ben, body: .attachment(manifest))), .zero)
        }
        put(1, 1, manifest)
        put(2, 2, manifest)
        #expect(state.session(session)?.ledger.inOrder.map(\.version) == [1])
        put(3, 1, try Manifest(plainSizeBytes: 10, metadata: []))
        #expect(state.session(session)?.ledger.inOrder.map(\.version) == [1])
        put(4, 1, try manifest.with(partHashes: [Array(repeating: 1, count: 32)]))
        #expect(state.session(session)?.ledger.inOrder.map(\.version) == [4])
    }

    @Test func `silence is found out, and pauses between attempts grow to their ceiling`() {
        var state = inside()
        #expect(state.wakeAt == .seconds(25))
        let effects = state.tick(.seconds(25), random: 1)
        #expect(effects.contains { if case .drop = $0 { true } else { false } })
        let policy = ReconnectionPolicy()
        #expect((1...8).map { policy.pause(afterFailures: $0, random: 1) } == [1, 2, 4, 4, 4, 4, 4, 4].map { .seconds($0) })
        #expect((1...8).allSatisfy { policy.pause(afterFailures: $0, random: 0) == .milliseconds(250) })
    }

    @Test func `a relay that lets in and dies, again and again, is tried again within two seconds each time, and not at once`() {
        var link = LinkState(policy: ReconnectionPolicy())
        var pauses: [Duration] = []
        for _ in 0..<6 {
            link.welcome(.zero)
            link.lost(.milliseconds(4_999), random: 1)
            pauses.append((link.wakeAt ?? .zero) - .milliseconds(4_999))
        }
        #expect(pauses == [1, 2, 2, 2, 2, 2].map { .seconds($0) })
        link.welcome(.zero)
        link.lost(.seconds(5), random: 1)
        #expect(link.wakeAt == .seconds(6))
    }

    @Test func `before the first welcome a relay that cannot be reached is given up after four attempts`() {
        var state = begun()
        var now = Duration.zero
        for attempt in 1...4 {
            let effects = state.lost(code: 1006, now, random: 1)
            #expect((closed(effects) == .unreachable) == (attempt == 4))
            now = state.wakeAt ?? now
            _ = state.tick(now, random: 1)
        }
    }

    @Test func `frames go no faster than a relay lets one participant speak, and in order`() throws {
        var outgoing = OutgoingFrames()
        for number in 0..<6000 { outgoing.add(.pong(token: UInt64(number))) }
        let first = outgoing.take(.zero)
        let held = outgoing.count
        #expect(held == 2000 && outgoing.isHeldBack && first.allSatisfy { $0.count <= Limits.socketMessageSizeLimitBytes })
        #expect(try first.flatMap { try Frame.decode(message: $0) } == (0..<4000).map { .pong(token: UInt64($0)) })
        let second = outgoing.take(.seconds(1))
        #expect(try second.flatMap { try Frame.decode(message: $0) }.count == 900)
    }
}
