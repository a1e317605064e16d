// What every ledger store promises.

import Relay
import Wire

public enum LedgerStoreContract {
    public static let clauses: [Clause<any LedgerStore>] = [
        Clause("an empty store has no conversations") { store in
            try require(try await store.conversations().isEmpty, "there are some")
        },
        Clause("a conversation that was created is told of, with its token digest and no entries") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            let expected = [StoredConversation(id: conversation(1), tokenDigest: digest, entries: [])]
            try require(try await store.conversations() == expected, "another list")
        },
        Clause("creating a conversation that is there fails and changes nothing") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            try await requireFailure { () async throws(StoreError) in try await store.create(conversation(1), tokenDigest: [UInt8](repeating: 9, count: 32)) }
            try require(try await store.conversations().map(\.tokenDigest) == [digest], "the digest has changed")
        },
        Clause("putting into a conversation that is not there fails") { store in
            try await requireFailure { () async throws(StoreError) in _ = try await store.put(stored(1, in: .own), in: conversation(1)) }
        },
        Clause("versions grow over all sessions and conversations") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            try await store.create(conversation(2), tokenDigest: digest)
            var last: UInt64 = 0
            for number in 1...10 as ClosedRange<UInt64> {
                let version = try await store.put(stored(number, in: session(number % 3)), in: conversation(number % 2 + 1))
                try require(version > last, "\(version) is not above \(last)")
                last = version
            }
        },
        Clause("every field of an entry comes back as it was put") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            for flags in 0..<4 {
                var entry = stored(UInt64(flags), in: session(1), sealed: bytes(1000, seed: flags), body: flags * 1_000_000)
                entry.isPresenceBound = flags & 1 != 0
                entry.isBodyComplete = flags & 2 != 0
                entry.version = try await store.put(entry, in: conversation(1))
                let page = try await store.page(of: session(1), in: conversation(1), after: entry.version - 1, limitBytes: 1)
                try require(page == [entry], "it came back as \(page)")
                let heads = try await store.conversations().flatMap(\.entries).filter { $0.entry == entry.entry }
                try require(heads == [StoredEntryHead(entry)], "its head came back as \(heads)")
            }
        },
        Clause("names of all bits survive") { store in
            let all = Bytes16(high: .max, low: .max)
            try await store.create(ConversationID(all), tokenDigest: digest)
            let entry = StoredEntry(session: SessionID(all), entry: EntryID(all), putter: ParticipantID(all), sealed: [])
            _ = try await store.put(entry, in: ConversationID(all))
            let found = try await store.conversations().first
            try require(found?.id == ConversationID(all) && found?.entries.first?.entry == EntryID(all), "they did not")
        },
        Clause("putting the same name again replaces the entry, with a greater version") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            let first = try await store.put(stored(1, in: session(1), sealed: [1]), in: conversation(1))
            _ = try await store.put(stored(2, in: session(1), sealed: [2]), in: conversation(1))
            let again = try await store.put(stored(1, in: session(1), sealed: [3]), in: conversation(1))
            try require(again > first, "the version did not grow")
            let page = try await store.page(of: session(1), in: conversation(1), after: 0, limitBytes: 1000)
            try require(page.map(\.sealed) == [[2], [3]], "the page is \(page.map(\.sealed))")
        },
        Clause("the same entry name in two sessions is two entries") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            _ = try await store.put(stored(1, in: session(1), sealed: [1]), in: conversation(1))
            _ = try await store.put(stored(1, in: session(2), sealed: [2]), in: conversation(1))
            try await store.remove(entry(1), session: session(1), in: conversation(1))
            try require(try await store.page(of: session(2), in: conversation(1), after: 0, limitBytes: 9).map(\.sealed) == [[2]], "the other went too")
        },
        Clause("pages follow one another in order of version, without repeats or gaps") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            for number in 0..<25 as Range<UInt64> { _ = try await store.put(stored(number, in: session(1), sealed: bytes(100)), in: conversation(1)) }
            var names: [EntryID] = []
            var last: UInt64 = 0
            while true {
                let page = try await store.page(of: session(1), in: conversation(1), after: last, limitBytes: 350)
                guard let newest = page.last else { break }
                try require(page.count <= 4, "a page of \(page.count) entries for 350 bytes")
                names += page.map(\.entry)
                last = newest.version
            }
            try require(names == (0..<25).map { entry($0) }, "the pages together are \(names.count) entries")
        },
        Clause("a page holds at least one entry, however large") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            _ = try await store.put(stored(1, in: session(1), sealed: bytes(131_072)), in: conversation(1))
            try require(try await store.page(of: session(1), in: conversation(1), after: 0, limitBytes: 1).count == 1, "it is empty")
        },
        Clause("what was removed is gone; removing it again is no error") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            _ = try await store.put(stored(1, in: session(1)), in: conversation(1))
            for _ in 0..<2 { try await store.remove(entry(1), session: session(1), in: conversation(1)) }
            try require(try await store.page(of: session(1), in: conversation(1), after: 0, limitBytes: 9).isEmpty, "it is there")
        },
        Clause("a version is never given twice, not even after a removal") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            let first = try await store.put(stored(1, in: session(1)), in: conversation(1))
            try await store.removeConversation(conversation(1))
            try await store.create(conversation(1), tokenDigest: digest)
            try require(try await store.put(stored(1, in: session(1)), in: conversation(1)) > first, "it was")
        },
        Clause("removing a session takes its entries and no others") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            for number in 1...3 as ClosedRange<UInt64> { _ = try await store.put(stored(number, in: session(number)), in: conversation(1)) }
            for _ in 0..<2 { try await store.removeSession(session(2), in: conversation(1)) }
            try require(try await store.conversations().flatMap(\.entries).map(\.session) == [session(1), session(3)], "others are left")
        },
        Clause("removing a session takes its announcement too, and no other's") { store in
            for number in 1...2 as ClosedRange<UInt64> { try await store.create(conversation(number), tokenDigest: digest) }
            for number in 1...2 as ClosedRange<UInt64> { _ = try await store.put(stored(number, in: .own), in: conversation(1)) }
            for other in [session(1), session(2), .own] { _ = try await store.put(stored(1, in: other), in: conversation(other == .own ? 2 : 1)) }
            try await store.removeSession(SessionID(entry(1).bytes), in: conversation(1))
            let left = try await store.conversations().flatMap { kept in kept.entries.map { "\(kept.id == conversation(1) ? 1 : 2) \($0.session == .own) \($0.entry == entry(1))" } }
            try require(left.filter { $0.hasPrefix("1 true") } == ["1 true false"], "left are \(left)")
            try require(left.filter { $0.hasPrefix("2") } == ["2 true true"], "left are \(left)")
        },
        Clause("names of removed sessions are kept in the order of their removal, each once, the oldest forgotten, and go with the conversation") { store in
            func ended() async throws -> [SessionID]? { try await store.conversations().first { $0.id == conversation(1) }?.endedSessions }
            for number in 1...2 as ClosedRange<UInt64> { try await store.create(conversation(number), tokenDigest: digest) }
            for number in [5, 3, 4, 3] as [UInt64] { try await store.removeSession(session(number), in: conversation(1)) }
            try await store.removeSession(session(9), in: conversation(2))
            try await store.removeSession(session(9), in: conversation(7))
            let found = try await ended()
            try require(found == [session(5), session(3), session(4)], "they came back as \(found ?? [])")
            let limit = UInt64(Limits.endedSessionCountLimit)
            for number in 0..<limit { try await store.removeSession(session(100 + number), in: conversation(1)) }
            try require(try await ended() == (0..<limit).map { session(100 + $0) }, "not the last \(limit)")
            try await store.removeConversation(conversation(1))
            try await store.create(conversation(1), tokenDigest: digest)
            try require(try await ended() == [], "they outlived it")
        },
        Clause("a door comes back as it was set, the last one alone, and no other conversation has it") { store in
            for number in 1...2 as ClosedRange<UInt64> { try await store.create(conversation(number), tokenDigest: digest) }
            try require(try await store.conversations().allSatisfy { $0.door == nil }, "there is one")
            let first = StoredDoor(door: Door(mode: .open, closesAtSeconds: 0, sealed: []), passDigest: [UInt8](repeating: 0, count: 32))
            let second = StoredDoor(door: Door(mode: .locked, closesAtSeconds: (1 << 53) - 1, sealed: bytes(1_024)), passDigest: digest)
            for door in [second, first, second] {
                try await store.setDoor(door, in: conversation(1))
                let found = Dictionary(uniqueKeysWithValues: try await store.conversations().map { ($0.id, $0.door) })
                try require(found == [conversation(1): door, conversation(2): nil], "it came back as \(found)")
            }
        },
        Clause("a door goes with its conversation") { store in
            try await store.create(conversation(1), tokenDigest: digest)
            try await store.setDoor(StoredDoor(door: Door(mode: .locked, closesAtSeconds: 0, sealed: [1]), passDigest: digest), in: conversation(1))
            try await store.removeConversation(conversation(1))
            try await store.create(conversation(1), tokenDigest: digest)
            try require(try await store.conversations().map(\.door) == [nil], "the next one has it")
        },
        Clause("setting the door of a conversation that is not there fails") { store in
            let door = StoredDoor(door: Door(mode: .locked, closesAtSeconds: 0, sealed: []), passDigest: digest)
            try await requireFailure { () async throws(StoreError) in try await store.setDoor(door, in: conversation(1)) }
        },
        Clause("removing a conversation leaves nothing of it and all of the others") { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.create(conversation(number), tokenDigest: digest)
                _ = try await store.put(stored(number, in: session(1)), in: conversation(number))
            }
            for _ in 0..<2 { try await store.removeConversation(conversation(1)) }
            let left = try await store.conversations()
            try require(left.map(\.id) == [conversation(2)] && left[0].entries.count == 1, "left is \(left)")
        },
    ]
}

func requireFailure(_ body: () async throws(StoreError) -> Void) async throws {
    do throws(StoreError) { try await body() } catch { return }
    throw ContractViolation(description: "it did not fail")
}
