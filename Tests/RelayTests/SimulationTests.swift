// Whole conversations drawn from a seed: whatever people do, and however often they are cut off, each hears one and the same order.

import Testing
import Wire

@testable import Relay

private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

/// What one participant makes of what it hears, as a client would.
private struct Listener {
    var places: [SessionID: UInt64] = [:]
    var log: [SessionID: [UInt64: Frame]] = [:]
    var ledger: [EntryID: UInt64] = [:]
    var isComplete = false
    var counter: UInt64 = 0
    var read = 0
    var complaints: [String] = []

    mutating func hear(_ frames: [Frame]) {
        for frame in frames {
            switch frame {
            case .position(let session, let sequence, _):
                places[session] = sequence
                if session == gallery { (isComplete, ledger) = (false, [:]) }
            case .complete(gallery, _): isComplete = true
            case .stable(let session, let sequence):
                if let place = places[session], sequence > place { complaints.append("stable at \(sequence), heard up to \(place)") }
            default: break
            }
            if case .entry(let entry) = frame, entry.session == gallery, entry.version > ledger[entry.entry] ?? 0 { ledger[entry.entry] = entry.version }
            if case .removed(gallery, _, _, let entry, _) = frame { ledger[entry] = nil }
            guard let (session, sequence) = frame.place else { continue }
            if let place = places[session], sequence != place + 1 { complaints.append("\(sequence) after \(place)") }
            places[session] = sequence
            log[session, default: [:]][sequence] = frame
        }
    }
}

@Suite("Simulation") struct SimulationTests {
    @Test("every participant hears the same order without holes or repeats", arguments: 1...60 as ClosedRange<UInt64>) func oneOrder(seed: UInt64) {
        var dice = Dice(state: seed)
        let people = (0..<5).map { participant($0) }
        let story = Story.gallery(people[0], people[1], people[2], people[3], people[4])
        var listeners = Dictionary(uniqueKeysWithValues: people.map { ($0, Listener(places: [.own: 6, gallery: 5])) })
        story.holdsStore = true
        story.holdsPages = true
        var away: Set<ParticipantID> = []

        func listen() {
            for person in people where !away.contains(person) {
                let frames = story.heard(person)
                let read = listeners[person]?.read ?? 0
                listeners[person]?.hear(Array(frames.dropFirst(read)))
                listeners[person]?.read = frames.count
            }
        }
        func comeBack(_ person: ParticipantID) {
            let places = listeners[person]!.places.map { Hello.Place(session: $0.key, sequence: $0.value) }
            story.connect(person, incarnation: Story.incarnation, places: places)
            away.remove(person)
            listeners[person]?.read = 0
            if listeners[person]?.isComplete == false { story.murmur(person, [.enter(session: gallery)]) }
        }
        for person in people { story.murmur(person, [.enter(session: gallery)]) }
        story.carryOut()

        for _ in 0..<400 {
            let person = people[dice.below(people.count)]
            if away.contains(person) {
                if dice.below(3) == 0 { comeBack(person) }
                continue
            }
            switch dice.below(14) {
            case 0...5:
                let recipients = dice.below(3) == 0 ? [people[dice.below(people.count)]] : []
                story.murmur(person, [record(listeners[person]!.counter, to: recipients, [UInt8](repeating: 1, count: dice.below(2000)))])
                listeners[person]?.counter += 1
            case 6: story.murmur(person, [put(dice.below(6))])
            case 7: story.murmur(person, [.remove(session: gallery, entry: entry(dice.below(6)))])
            case 8: story.murmur(person, [.acknowledge(session: gallery, sequence: listeners[person]!.places[gallery]!)])
            case 9:
                // What was sent in this turn is read before the line breaks; what is heard of it may be lost.
                if dice.below(2) == 0 { listen() }
                story.cut(person)
                away.insert(person)
            case 10: story.answerStore(dice.below(3))
            case 11: story.answerPages()
            case 12: story.murmur(person, [.sample(session: gallery, recipients: [], sealed: [2])])
            default:
                story.carryOut()
                listen()
            }
        }
        for person in away { comeBack(person) }
        while !story.waitingRequests.isEmpty || !story.waitingPages.isEmpty {
            story.answerStore()
            story.answerPages()
        }
        story.carryOut()
        listen()

        let everything = listeners.values.reduce(into: [UInt64: Frame]()) { all, listener in
            for (sequence, frame) in listener.log[gallery] ?? [:] {
                if case .skipped = all[sequence] { all[sequence] = frame } else if all[sequence] == nil { all[sequence] = frame }
            }
        }
        for (person, listener) in listeners {
            #expect(listener.complaints.isEmpty, "seed \(seed): \(listener.complaints.prefix(3))")
            #expect(listener.isComplete, "seed \(seed)")
            #expect(Set(listener.ledger.keys) == story.entriesKept(in: gallery), "seed \(seed)")
            #expect(listener.places[gallery] == story.conversation.sessions[gallery]?.log.last, "seed \(seed)")
            for (sequence, frame) in listener.log[gallery] ?? [:] {
                if case .skipped(_, _, let sender, let counter) = frame {
                    guard case .ordered(_, _, sender, counter, let recipients, _)? = everything[sequence] else { continue }
                    #expect(!recipients.contains(person) && sender != person, "seed \(seed)")
                } else {
                    #expect(frame == everything[sequence], "seed \(seed): two frames at \(sequence)")
                }
            }
        }
        let counters = (0..<people.count).map { index in
            everything.sorted { $0.key < $1.key }.compactMap { _, frame -> UInt64? in
                switch frame {
                case .ordered(_, _, people[index], let counter, _, _), .skipped(_, _, people[index], let counter): counter
                default: nil
                }
            }
        }
        for (index, counters) in counters.enumerated() {
            #expect(counters == counters.sorted() && Set(counters).count == counters.count, "seed \(seed): sender \(index)")
        }
    }
}
