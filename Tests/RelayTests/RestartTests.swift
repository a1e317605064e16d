// A new incarnation has every entry, no log, and takes back whoever was there.

import Testing
import Wire

@testable import Relay

@Suite("Restart") struct RestartTests {
    private func head(_ entry: EntryID, in session: SessionID, by putter: ParticipantID = ana, version: UInt64, bound: Bool = false, body: Int = 0, complete: Bool = false)
        -> StoredEntryHead
    {
        StoredEntryHead(
            StoredEntry(
                session: session, entry: entry, putter: putter, version: version, isPresenceBound: bound, isBodyComplete: complete, bodyLengthBytes: body, sealed: [1]))
    }

    private func restarted(held: [AttachmentName: Set<Int>] = [:], introduced: [ParticipantID] = [ana, ben], _ more: StoredEntryHead...) -> Story {
        let announcement = head(EntryID(gallery.bytes), in: .own, version: 1)
        let introductions = introduced.map { head(EntryID($0.bytes), in: .own, by: $0, version: 1, bound: true) }
        return Story(restoring: StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [announcement] + introductions + more), held: held)
    }

    private let places = [Hello.Place(session: .own, sequence: 40), Hello.Place(session: gallery, sequence: 90)]

    @Test("a participant of the earlier incarnation is taken back under its name into each session it names") func takenBack() {
        let story = restarted()
        story.connect(ana, incarnation: 5, places: places)
        story.connect(ben, incarnation: 5, places: places)
        #expect(story.heard(ana).welcome?.resumed == false)
        #expect(story.heard(ana).welcome?.incarnation == Story.incarnation)
        #expect(story.heard(ana).isComplete(.own) && story.heard(ana).isComplete(gallery))
        #expect(story.heard(ana).contains(.entered(session: gallery, sequence: 2, participant: ben)))
        story.say(ben, record(1000))
        #expect(story.heard(ana).counters == [1000])
    }

    @Test("a session that has not outlived the restart is refused, not closed") func goneSession() {
        let story = restarted()
        story.connect(ana, incarnation: 5, places: places + [Hello.Place(session: session(7), sequence: 3)])
        #expect(story.heard(ana).refusals == [Refusal(frameType: 1, session: session(7), code: .unknownSession)])
    }

    @Test("what was ordered before a participant came back is handed to it, and nothing is stable before everyone had the time to") func missed() {
        let story = restarted()
        story.connect(ana, incarnation: 5, places: places)
        story.say(ana, record(7))
        story.say(ana, .acknowledge(session: gallery, sequence: 2))
        #expect(story.heard(ana).counters == [7])
        story.connect(ben, incarnation: 5, places: places)
        #expect(story.heard(ben).counters == [7])
        #expect(story.heard(ben).contains(.entered(session: gallery, sequence: 3, participant: ben)))
        story.say(ana, record(8))
        #expect(story.heard(ben).counters == [7, 8])
        #expect(!story.heard(ana).contains(.stable(session: gallery, sequence: 2)))
        story.say(ben, .acknowledge(session: gallery, sequence: 4))
        story.say(ana, .acknowledge(session: gallery, sequence: 4))
        story.pass(seconds: 60)
        #expect(story.heard(ana).contains(.stable(session: gallery, sequence: 4)))
    }

    @Test("who comes from before a restart and cannot name the session any more is given all that was ordered since, too") func missedUnnamed() {
        let story = restarted()
        story.connect(ana, incarnation: 5, places: places)
        story.say(ana, record(7))
        story.connect(ben, incarnation: 5, places: [places[0]])
        story.say(ben, .enter(session: gallery))
        #expect(story.heard(ben).counters == [7])
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        #expect(story.heard(cleo).counters.isEmpty)
        story.say(ben, .exit(session: gallery))
        story.say(ana, record(8))
        story.forget()
        story.say(ben, .enter(session: gallery))
        #expect(story.heard(ben).counters.isEmpty)
    }

    @Test("who comes back is told who has come since before it hears what they said") func introducedFirst() {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, put(9, in: .own, .presenceBound, [1]))
        story.say(cleo, .enter(session: gallery))
        story.say(cleo, record(0))
        story.holdsPages = true
        story.connect(ben, incarnation: 5, places: places)
        story.say(ben, record(1000))
        story.say(cleo, record(1))
        #expect(story.heard(ben).counters.isEmpty)
        story.answerPages()
        let frames = story.heard(ben)
        let introduced = frames.firstIndex { if case .entry(let found) = $0 { found.entry == entry(9) } else { false } }
        let heard = frames.firstIndex { if case .ordered = $0 { true } else { false } }
        #expect(introduced != nil && heard != nil && introduced! < heard!)
        #expect(frames.counters == [0, 1000, 1])
        #expect(frames.sequences(of: gallery) == Array(1...UInt64(frames.sequences(of: gallery).count)))
        story.say(cleo, record(2))
        #expect(story.heard(ben).counters.last == 2)
    }

    @Test("who comes back is told, too, who has come, spoken and gone since", arguments: [true, false]) func introducedAndGone(isCutOff: Bool) {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, put(9, in: .own, .presenceBound, [1]))
        story.say(cleo, .enter(session: gallery))
        story.say(cleo, record(0), .leave)
        story.connect(ben, incarnation: 5, places: places)
        if isCutOff {
            story.cut(ben)
            story.forget()
            story.connect(ben, incarnation: 5)
            story.say(ben, .enter(session: gallery))
        }
        let frames = story.heard(ben)
        let introduced = frames.firstIndex { if case .entry(let found) = $0 { found.entry == entry(9) } else { false } }
        let heard = frames.firstIndex { if case .ordered = $0 { true } else { false } }
        #expect(introduced != nil && heard != nil && introduced! < heard!)
        #expect(frames.sequences(of: .own) == Array(1...UInt64(frames.sequences(of: .own).count)))
        #expect(frames.contains { if case .removed(.own, _, cleo, entry(9), .putterLeft) = $0 { true } else { false } })
    }

    @Test("who goes from a session before the own ledger has come is told where its records stand, and that it is out") func goesEarly() {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        story.say(cleo, record(0))
        story.holdsPages = true
        story.connect(ben, incarnation: 5, places: places)
        story.say(ben, record(1000), .exit(session: gallery))
        #expect(story.heard(ben).counters == [0, 1000])
        #expect(story.heard(ben).sequences(of: gallery) == [1, 2, 3, 4, 5])
        #expect(story.heard(ben).last == .exited(session: gallery, sequence: 5, participant: ben, reason: .exited))
        story.answerPages()
        #expect(story.heard(ben).sequences(of: gallery) == [1, 2, 3, 4, 5])
    }

    @Test("who still waits for the own ledger is told that a session ends, and nothing of what was before") func endsEarly() {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        story.say(cleo, record(0))
        story.holdsPages = true
        story.connect(ben, incarnation: 5, places: places)
        story.say(ben, .end(session: gallery))
        #expect(story.heard(ben).contains { if case .position(gallery, 3, _) = $0 { true } else { false } })
        #expect(story.heard(ben).counters.isEmpty)
        #expect(story.heard(ben).contains(.ended(session: gallery, sequence: 4, participant: ben, reason: .byParticipant)))
        #expect(story.heard(cleo).contains(.ended(session: gallery, sequence: 4, participant: ben, reason: .byParticipant)))
    }

    @Test(
        "who is cut off again before it hears where it stands in a session does not find its own going in the log",
        arguments: [[], [Hello.Place(session: .own, sequence: 2)]])
    func cutOffAgain(named: [Hello.Place]) {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        story.connect(ben, incarnation: 5, places: places)
        story.cut(ben)
        story.say(cleo, record(0))
        story.connect(ben, incarnation: named.isEmpty ? 5 : Story.incarnation, places: named)
        story.say(ben, .enter(session: gallery))
        #expect(story.heard(ben).contains { if case .position(gallery, 0, _) = $0 { true } else { false } })
        #expect(!story.heard(ben).contains { if case .exited = $0 { true } else { false } })
        #expect(story.heard(ben).counters == [0])
    }

    @Test("a place that was kept since a restart is kept with all of the log, also after the others' time to return is over") func keptForLong() {
        let story = restarted()
        story.connect(cleo)
        story.say(cleo, .enter(session: gallery))
        story.connect(ben, incarnation: 5, places: places)
        story.cut(ben)
        story.say(cleo, record(0))
        story.pass(seconds: 50)
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 2)])
        story.cut(ben)
        story.pass(seconds: 50)
        story.connect(ben, incarnation: Story.incarnation, places: [Hello.Place(session: .own, sequence: 2)])
        story.say(ben, .enter(session: gallery))
        #expect(story.heard(ben).counters == [0])
        #expect(!story.heard(ben).contains { if case .exited = $0 { true } else { false } })
    }

    @Test("who comes back after the time to return is over comes as somebody new: its introduction is gone, and so is what it missed") func tooLate() {
        let story = restarted()
        story.pass(seconds: 59)
        story.connect(ana, incarnation: 5, places: places)
        story.pass(seconds: 1)
        let late = story.connect(ben, incarnation: 5, places: places)
        #expect(story.closes == [late: .cannotResume])
        #expect(story.conversation.participantCount == 1)
        story.connect(cleo)
        #expect(story.conversation.participantCount == 2)
    }

    @Test("who was in sessions and whose introduction is gone lost its place between two restarts") func givenUpBetween() {
        let story = restarted(introduced: [ana])
        let late = story.connect(ben, incarnation: 4, places: places)
        #expect(story.closes == [late: .cannotResume])
        story.connect(ana, incarnation: 4, places: places)
        story.connect(cleo, incarnation: 5, places: [places[0]])
        #expect(story.conversation.participantCount == 2 && story.closes.count == 1)
    }

    @Test("who names a session that it has left since the restart comes into it afresh") func leftSince() {
        let story = restarted()
        story.connect(ben, incarnation: 5, places: places)
        story.say(ben, .exit(session: gallery))
        story.cut(ben)
        story.forget()
        story.connect(ben, incarnation: 5, places: [places[1]])
        let frames = story.heard(ben)
        #expect(frames.contains { if case .position(gallery, 3, _) = $0 { true } else { false } })
        #expect(!frames.contains { if case .exited(gallery, _, _, _) = $0 { true } else { false } })
    }

    @Test("nobody returns to a session that is over, and none begins under its name, not after a restart either") func anotherSession() {
        let story = restarted()
        story.connect(cleo)
        story.holdsStore = true
        story.say(cleo, .enter(session: gallery), .end(session: gallery), announce())
        story.answerStore()
        story.say(cleo, announce(), .enter(session: gallery))
        let ended = Refusal(frameType: FrameType.put.rawValue, session: .own, subject: EntryID(gallery.bytes), code: .unknownEntry)
        #expect(story.heard(cleo).refusals == [ended, ended, Refusal(frameType: FrameType.enter.rawValue, session: gallery, code: .unknownSession)])
        story.connect(ana, incarnation: 5, places: places)
        #expect(story.heard(ana).refusals == [Refusal(frameType: 1, session: gallery, code: .unknownSession)])
        #expect(!story.heard(ana).contains { if case .position(gallery, _, _) = $0 { true } else { false } })

        let again = Story(restoring: StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [], endedSessions: [gallery]))
        again.connect(cleo)
        again.say(cleo, announce())
        #expect(again.heard(cleo).refusals == [ended])
    }

    @Test("an incomplete body goes when its putter has come back and not into its session") func elsewhere() {
        let story = restarted(introduced: [], head(entry(1), in: gallery, version: 2, body: 10), head(entry(2), in: gallery, version: 3, body: 10, complete: true))
        story.connect(ana, incarnation: 5, places: [places[0]])
        story.pass(seconds: 59)
        #expect(story.asked.isEmpty)
        story.pass(seconds: 1)
        #expect(story.asked == [.remove(gallery, entry(1), hasBody: true)])
    }

    @Test("presence-bound entries wait for their putter for the resume window, then go") func presenceBound() {
        let story = restarted(introduced: [], head(entry(1), in: gallery, version: 2, bound: true), head(entry(2), in: gallery, version: 3))
        story.pass(seconds: 59)
        #expect(story.asked.isEmpty)
        story.pass(seconds: 1)
        #expect(story.asked == [.remove(gallery, entry(1), hasBody: false)])
        #expect(story.conversation.reservedBytes == 2)
    }

    @Test("an incomplete body waits for its putter for the resume window, then goes") func incomplete() {
        let story = restarted(introduced: [], head(entry(1), in: gallery, version: 2, body: 10), head(entry(2), in: gallery, version: 3, body: 10, complete: true))
        story.pass(seconds: 59)
        #expect(story.asked.isEmpty)
        story.pass(seconds: 1)
        #expect(story.asked == [.remove(gallery, entry(1), hasBody: true)])
    }

    @Test("the putter of an incomplete body who comes back finishes it") func finished() {
        let name = AttachmentName(conversation: home, session: gallery, entry: entry(1))
        let body = Limits.partSizeBytes + 1
        let story = restarted(held: [name: [1]], head(entry(1), in: gallery, version: 2, body: body))
        story.connect(ana, incarnation: 5, places: places)
        story.pass(seconds: 300)
        #expect(story.conversation.attachment(entry(1), session: gallery)?.heldParts == [1])
        #expect(story.partStored(0, of: entry(1)))
        story.say(ana, put(1, .bodyComplete, body: body))
        #expect(story.heard(ana).entries(of: gallery).last?.flags == .bodyComplete)
    }

    @Test("bodies that were complete are whole again") func complete() {
        let story = restarted(head(entry(1), in: gallery, version: 2, body: 3 * Limits.partSizeBytes, complete: true))
        #expect(story.conversation.attachment(entry(1), session: gallery)?.heldParts == [0, 1, 2])
    }

    @Test("a grace time that is shorter than the time to return ends nothing to which somebody may still return") func shortGrace() {
        var settings = RelaySettings()
        settings.graceSeconds = 10
        let introduction = head(EntryID(ana.bytes), in: .own, by: ana, version: 1, bound: true)
        let stored = StoredConversation(id: home, tokenDigest: sha256(goodToken), entries: [head(EntryID(gallery.bytes), in: .own, version: 1), introduction])
        let story = Story(restoring: stored, settings: settings)
        story.pass(seconds: 59)
        #expect(story.asked.isEmpty)
        story.connect(ana, incarnation: 5, places: places)
        #expect(story.closes.isEmpty && story.conversation.participantCount == 1)

        let deserted = Story(restoring: stored, settings: settings)
        deserted.pass(seconds: 60)
        #expect(deserted.asked.last == .removeConversation)
    }

    @Test("a conversation to which nobody returns is erased after the grace time, its sessions with it") func nobodyReturns() {
        let story = restarted(head(entry(2), in: gallery, version: 3))
        story.pass(seconds: 599)
        #expect(!story.isOver)
        story.pass(seconds: 1)
        #expect(story.isOver)
    }

    @Test("quotas count what was there before") func quotas() {
        #expect(restarted(introduced: [], head(entry(1), in: gallery, version: 2, body: 500)).conversation.reservedBytes == 502)
    }
}
