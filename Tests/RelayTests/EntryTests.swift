// Entries: on the disk before they have a place, and gone from it before they are called gone.

import Testing
import Wire

@testable import Relay

@Suite("Entries") struct EntryTests {
    @Test("an entry has its place once it is on the disk; records do not wait for it") func afterTheDisk() {
        let story = Story.gallery(ana, ben)
        story.holdsStore = true
        story.say(ana, put(1, [], body: 0, [7, 8]), record(0))
        #expect(story.heard(ben).entries(of: gallery).isEmpty)
        #expect(story.heard(ben).counters == [0])
        story.answerStore()
        let expected = Entry(session: gallery, sequence: 4, version: 2, putter: ana, entry: entry(1), flags: [], bodyLength: 0, sealed: [7, 8])
        #expect(story.heard(ben).entries(of: gallery) == [expected])
        #expect(story.heard(ana).entries(of: gallery) == [expected])
    }

    @Test("entries of one sender stay in order") func inOrder() {
        let story = Story.gallery(ana, ben)
        story.holdsStore = true
        for number in 0..<20 { story.say(ana, put(number)) }
        story.answerStore()
        #expect(story.heard(ben).entries(of: gallery).map(\.entry) == (0..<20).map { entry($0) })
    }

    @Test("the same put again is stored again with a greater version; nothing is counted twice") func again() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, [], body: 1000, [1, 2]))
        let reserved = story.conversation.reservedBytes
        story.say(ana, put(1, [], body: 1000, [1, 2]))
        let versions = story.heard(ben).entries(of: gallery).map(\.version)
        #expect(versions == [2, 3])
        #expect(story.conversation.reservedBytes == reserved)
    }

    @Test("a full disk refuses the put, and its reservation falls back") func full() {
        let story = Story.gallery(ana, ben)
        let reserved = story.conversation.reservedBytes
        story.storeFailure = .full
        story.say(ana, put(1, body: 5000))
        #expect(story.heard(ana).refusals == [Refusal(frameType: 7, session: gallery, subject: entry(1), code: .storageFailed)])
        #expect(story.heard(ben).isEmpty)
        #expect(story.conversation.reservedBytes == reserved)
        story.storeFailure = nil
        story.say(ana, put(1, body: 5000))
        #expect(story.heard(ben).entries(of: gallery).count == 1)
    }

    @Test("another body length under the same name is not permitted") func otherLength() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 5000), put(1, body: 5001))
        #expect(
            story.heard(ana).refusals
                == [Refusal(frameType: 7, session: gallery, subject: entry(1), code: .notPermitted, limit: 5000, value: 5001)])
    }

    @Test("entries and bodies above their limits are refused with limit and size") func tooLarge() {
        let story = Story.gallery(ana)
        story.say(ana, put(1, [UInt8](repeating: 1, count: 131_073)), put(2, body: 100_025_997), put(3, [UInt8](repeating: 1, count: 131_072)))
        #expect(story.heard(ana).refusals.map(\.code) == [.tooLarge, .tooLarge])
        #expect(story.heard(ana).refusals.map(\.limit) == [131_072, 100_025_996])
        #expect(story.heard(ana).refusals.map(\.value) == [131_073, 100_025_997])
        #expect(story.heard(ana).entries(of: gallery).count == 1)
    }

    @Test("the conversation's quota counts body and sealed bytes at the put, and falls back after the removal") func quota() {
        var settings = RelaySettings()
        settings.conversationQuotaBytes = 10_000
        let story = Story.gallery(ana, ben, settings: settings)
        // The announcement takes one byte.
        story.say(ana, put(1, body: 9_998, [1]))
        #expect(story.conversation.reservedBytes == 10_000)
        story.say(ben, put(2, [1]))
        #expect(
            story.heard(ben).refusals
                == [Refusal(frameType: 7, session: gallery, subject: entry(2), code: .conversationQuota, limit: 10_000, value: 10_001)])
        story.say(ana, put(1, body: 9_998, [2]))
        #expect(story.heard(ana).entries(of: gallery).count == 2)
        story.say(ana, .remove(session: gallery, entry: entry(1)))
        #expect(story.conversation.reservedBytes == 1)
        story.say(ben, put(2, body: 9_998, [1]))
        #expect(story.heard(ben).entries(of: gallery).last?.entry == entry(2))
    }

    @Test("what the relay as a whole has left is a quota too") func relayQuota() {
        var settings = RelaySettings()
        settings.totalQuotaBytes = 1000
        let story = Story.gallery(ana, settings: settings)
        story.relayFreeBytes = 100
        story.say(ana, put(1, body: 100, [1]), put(2, body: 99, [1]))
        #expect(story.heard(ana).refusals.map(\.code) == [.relayQuota])
        #expect(story.heard(ana).refusals.first?.limit == 1000 && story.heard(ana).refusals.first?.value == 1001)
    }

    @Test("the 5,001st entry of a session is refused") func tooMany() {
        let story = Story.gallery(ana)
        for number in 0..<5000 { story.say(ana, put(number), .acknowledge(session: gallery, sequence: UInt64(number))) }
        story.say(ana, put(5000))
        #expect(
            story.heard(ana).refusals
                == [Refusal(frameType: 7, session: gallery, subject: entry(5000), code: .tooManyEntries, limit: 5000, value: 5001)])
        story.say(ana, put(17), .remove(session: gallery, entry: entry(3)))
        story.say(ana, put(5000))
        #expect(story.heard(ana).refusals.count == 1)
    }

    @Test("a removal is told once the disk has done it, and an unknown entry is refused") func removal() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 10))
        story.holdsStore = true
        story.say(ben, .remove(session: gallery, entry: entry(1)))
        #expect(story.heard(ana).count == 1)
        #expect(story.conversation.attachment(entry(1), session: gallery) == nil)
        story.say(ana, .remove(session: gallery, entry: entry(2)))
        #expect(story.heard(ana).refusals.map(\.code) == [.unknownEntry])
        story.answerStore()
        #expect(story.heard(ana).last == .removed(session: gallery, sequence: 4, remover: ben, entry: entry(1), reason: .removed))
        #expect(story.asked.contains(.remove(gallery, entry(1), hasBody: true)))
    }

    @Test("who asks for a removal that is under way is not told that it is done before it is") func removalTwice() {
        let story = Story.gallery(ana, ben, cleo)
        story.say(ana, put(1))
        story.holdsStore = true
        story.say(ana, .remove(session: gallery, entry: entry(1)))
        story.say(ben, .remove(session: gallery, entry: entry(1)))
        #expect(story.heard(ben).refusals.isEmpty)
        story.storeFailure = .full
        story.answerStore()
        #expect(story.heard(ana).refusals.map(\.code) == [.storageFailed])
        #expect(story.heard(ben).refusals.map(\.code) == [.storageFailed])
        #expect(story.heard(cleo).refusals.isEmpty)
        story.storeFailure = nil
        story.say(ana, .remove(session: gallery, entry: entry(1)))
        story.say(ben, .remove(session: gallery, entry: entry(1)))
        story.answerStore()
        #expect(story.heard(ben).refusals.count == 1)
        #expect(story.heard(ben).last.map { if case .removed(gallery, _, ana, entry(1), .removed) = $0 { true } else { false } } == true)
        #expect(story.asked.filter { $0 == .remove(gallery, entry(1), hasBody: false) }.count == 2)
    }

    @Test("a removal that the disk does not do is refused, and the entry stands") func removalFails() {
        let story = Story.gallery(ana)
        story.say(ana, put(1, body: 10))
        story.storeFailure = .failed("I/O error")
        story.say(ana, .remove(session: gallery, entry: entry(1)))
        #expect(story.heard(ana).refusals == [Refusal(frameType: 8, session: gallery, subject: entry(1), code: .storageFailed)])
        #expect(story.conversation.attachment(entry(1), session: gallery)?.bodyLengthBytes == 10)
    }

    @Test("an entry put again while its removal is under way comes after the removal") func putBehindRemoval() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, body: 20, [1]))
        #expect(story.partStored(0, of: entry(1)))
        story.holdsStore = true
        story.say(ana, .remove(session: gallery, entry: entry(1)), put(1, body: 50, [2]))
        story.answerStore()
        let heard = story.heard(ben).logged(in: gallery)
        #expect(heard.count == 3)
        #expect(heard[1] == .removed(session: gallery, sequence: 4, remover: ana, entry: entry(1), reason: .removed))
        #expect(story.heard(ben).entries(of: gallery).last?.bodyLength == 50)
        #expect(story.conversation.attachment(entry(1), session: gallery)?.heldParts == [])
    }

    @Test("only its putter replaces or removes a presence-bound entry") func presenceBoundIsOwned() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, .presenceBound))
        story.say(ben, put(1), .remove(session: gallery, entry: entry(1)))
        #expect(story.heard(ben).refusals.map(\.code) == [.notPermitted, .notPermitted])
        story.say(ana, put(1, .presenceBound, [5]))
        story.say(ana, .remove(session: gallery, entry: entry(1)))
        #expect(story.heard(ana).refusals.isEmpty)
    }

    @Test("presence-bound entries and incomplete bodies go when their putter leaves; the rest stays") func leaving() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, .presenceBound), put(2, body: 10), put(3), put(4, in: .own, .presenceBound))
        story.say(ana, .leave)
        let removals = story.heard(ben).filter { if case .removed = $0 { true } else { false } }
        #expect(removals.count == 3)
        #expect(story.heard(ben).contains(.removed(session: gallery, sequence: 8, remover: ana, entry: entry(1), reason: .putterLeft)))
        #expect(story.entriesKept(in: gallery) == [entry(3)])
        #expect(!story.entriesKept(in: .own).contains(entry(4)))
    }

    @Test("a presence-bound entry whose putter leaves before the disk has it goes right after it came") func leavingTooSoon() {
        let story = Story.gallery(ana, ben)
        story.holdsStore = true
        story.say(ana, put(1, .presenceBound))
        story.say(ana, .leave)
        story.answerStore()
        story.answerStore()
        #expect(story.entriesKept(in: gallery).isEmpty)
        #expect(story.heard(ben).last == .removed(session: gallery, sequence: 5, remover: ana, entry: entry(1), reason: .putterLeft))
    }

    @Test("exiting a session takes no entries along") func exiting() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, .presenceBound), .exit(session: gallery))
        #expect(story.entriesKept(in: gallery) == [entry(1)])
    }

    @Test("exiting a session takes along what nobody can finish any more", arguments: [true, false]) func exitingUnfinished(isOnDisk: Bool) {
        let story = Story.gallery(ana, ben)
        story.holdsStore = !isOnDisk
        story.say(ana, put(1, body: 10), put(2), .exit(session: gallery))
        while !story.waitingRequests.isEmpty { story.answerStore() }
        #expect(story.entriesKept(in: gallery) == [entry(2)])
        #expect(story.heard(ben).contains { if case .removed(gallery, _, ana, entry(1), .putterLeft) = $0 { true } else { false } })
        #expect(story.conversation.participantCount == 2)
    }

    @Test("what comes to stand in a session that nobody is in takes no memory") func nobodyLeft() {
        let story = Story.gallery(ana)
        story.say(ana, put(1), put(2))
        story.holdsStore = true
        story.say(ana, .remove(session: gallery, entry: entry(1)), put(2, [8]), .exit(session: gallery))
        while !story.waitingRequests.isEmpty { story.answerStore() }
        #expect(story.entriesKept(in: gallery) == [entry(2)])
        #expect(story.conversation.sessions[gallery]?.log.sizeBytes == 0)
    }

    @Test("a removal that follows from a leave is asked again until the disk does it") func askedAgain() {
        let story = Story.gallery(ana, ben)
        story.say(ana, put(1, .presenceBound))
        story.storeFailure = .failed("I/O error")
        story.say(ana, .leave)
        story.pass(seconds: 1)
        #expect(story.entriesKept(in: gallery) == [entry(1)])
        story.storeFailure = nil
        story.pass(seconds: 1)
        #expect(story.entriesKept(in: gallery).isEmpty)
    }

    @Test("a body is complete only when every part is held, and is synced before it is called so") func complete() {
        let story = Story.gallery(ana, ben)
        let body = 2 * Limits.partSizeBytes + 1
        story.say(ana, put(1, body: body))
        #expect(story.partStored(0, of: entry(1)))
        #expect(story.partStored(2, of: entry(1)))
        story.say(ana, put(1, .bodyComplete, body: body))
        #expect(
            story.heard(ana).refusals == [Refusal(frameType: 7, session: gallery, subject: entry(1), code: .bodyIncomplete, limit: 3, value: 2)])
        #expect(story.conversation.attachment(entry(1), session: gallery)?.heldParts == [0, 2])
        #expect(story.partStored(1, of: entry(1)))
        #expect(!story.partStored(3, of: entry(1)))
        story.say(ana, put(1, .bodyComplete, body: body))
        #expect(story.heard(ben).entries(of: gallery).last?.flags == .bodyComplete)
        guard case .put(_, syncsBody: true)? = story.asked.last else { return #expect(Bool(false), "the body was not synced") }
        story.say(ana, .leave)
        #expect(story.entriesKept(in: gallery) == [entry(1)])
    }

    @Test("a removal from outside is answered once it is done, and told to all") func fromOutside() {
        let story = Story.gallery(ana)
        story.say(ana, put(1, body: 10), put(2))
        #expect(story.removeFromOutside(entry(1), 1))
        #expect(!story.removeFromOutside(entry(1), 2))
        #expect(!story.removeFromOutside(entry(2), 3))
        story.carryOut()
        #expect(story.answeredRemovals == [true])
        #expect(story.heard(ana).last == .removed(session: gallery, sequence: 4, remover: .relay, entry: entry(1), reason: .removed))
    }
}
