// The log of one session as a participant has seen it, to be compared with what the others say they saw. A value.

import Sealing
import Wire

struct LogChain: Sendable {
    enum Verdict: Equatable, Sendable {
        case same
        case different
        /// It ends before what was seen here begins, or belongs to another incarnation.
        case elsewhere
        /// Part of it is not known here.
        case unknown
    }

    private static let pause: Duration = .seconds(10)
    private static let spread: Duration = .seconds(5)
    /// So many uncovered places do not wait for the pause.
    private static let hurryLinkCount: UInt64 = 512
    private static let hurrySpread: Duration = .seconds(2)

    /// 0: there is no place in the session.
    private(set) var incarnation: UInt64 = 0
    private(set) var last: UInt64 = 0
    /// When something is due to be said of places that nobody has spoken of.
    private(set) var positionAt: Duration?
    /// Where what is known begins.
    private var base: UInt64 = 0
    /// Behind it stand the links that are kept.
    private var first: UInt64 = 0
    private var links: [LogLink] = []
    /// Up to here we have told everyone.
    private var covered: UInt64 = 0
    /// Up to here somebody else has told everyone the same as was seen here.
    private var vouched: UInt64 = 0
    private var lastCause: UInt64 = 0
    /// Where stretches began that were not the same: each is answered from there on, so that whoever said it can judge the answer.
    private var contradicted: [UInt64] = []
    /// From 0 to 1: people who are together do not all speak at once.
    private let share: Double

    init(of participant: ParticipantID) { share = Double(participant.bytes.low & 0xff) / 256 }

    /// Nothing is known before this place, in this incarnation.
    mutating func begin(in incarnation: UInt64, at place: UInt64) {
        self = LogChain(share: share)
        self.incarnation = incarnation
        (base, first, last, covered, vouched) = (place, place, place, place, place)
    }

    /// There is no place in the session any more.
    mutating func end() { self = LogChain(share: share) }

    private init(share: Double) { self.share = share }

    /// The next place.
    /// - Parameter isCause: it should be spoken of.
    mutating func add(_ link: LogLink, isCause: Bool, _ now: Duration) {
        guard incarnation != 0 else { return }
        last += 1
        links.append(link)
        if links.count >= 2 * Limits.rememberedLinkCountLimit {
            let surplus = links.count - Limits.rememberedLinkCountLimit
            links.removeFirst(surplus)
            first += UInt64(surplus)
        }
        guard isCause else { return }
        lastCause = last
        var due = now + Self.pause + Self.spread * share
        if last - spokenOf >= Self.hurryLinkCount { due = now + Self.hurrySpread * share }
        positionAt = min(positionAt ?? due, due)
    }

    private var spokenOf: UInt64 { max(covered, vouched) }
    /// What lies before it is more than one record may speak of.
    private var reach: UInt64 { last - min(last, UInt64(Limits.stretchLinkCountLimit)) }

    /// Whoever hears of it begins here: what was before need not be spoken of.
    mutating func beginAnew() {
        guard incarnation != 0 else { return }
        (covered, vouched, positionAt) = (last, last, nil)
    }

    /// Somebody has seen another log: they are to hear of ours.
    mutating func contradict(_ stretch: LogStretch, _ now: Duration) {
        guard incarnation != 0 else { return }
        if stretch.incarnation == incarnation, stretch.from >= base, !contradicted.contains(stretch.from) { contradicted.append(stretch.from) }
        lastCause = last
        let due = now + Self.pause + Self.spread * share
        positionAt = min(positionAt ?? due, due)
    }

    /// It is due now; should nothing be said, it is due again later.
    mutating func postpone(_ now: Duration) { positionAt = now + Self.pause + Self.spread * share }

    // MARK: Speaking

    /// What a record that is sealed now says.
    func stretch(in session: SessionID) throws(SealingError) -> LogStretch {
        guard incarnation != 0 else { return .nothing }
        // What is vouched for need not be said again: whoever did not hear it misses the voucher's record, which is told of now.
        let from = answerable ?? max(spokenOf, reach)
        return try LogStretch(of: links[Int(from - first)...], in: session, incarnation: incarnation, from: from, to: last)
    }

    /// That has been said to everyone.
    mutating func told(_ stretch: LogStretch) {
        guard stretch.incarnation == incarnation, incarnation != 0 else { return }
        if stretch.from <= spokenOf || !contradicted.contains(stretch.from) { covered = max(covered, stretch.to) }
        answered(stretch)
        if lastCause <= covered, answerable == nil { positionAt = nil }
    }

    // MARK: Hearing

    /// Judges what stands in the record that has the next place.
    func judge(_ stretch: LogStretch, in session: SessionID) -> Verdict {
        guard incarnation != 0, stretch.incarnation == incarnation else { return .elsewhere }
        guard stretch.from <= stretch.to, stretch.to <= last, stretch.to - stretch.from <= Limits.stretchLinkCountLimit else { return .different }
        guard stretch.to >= base else { return .elsewhere }
        guard stretch.from >= base, last - stretch.from <= Limits.rememberedLinkCountLimit else { return .unknown }
        let known = try? LogStretch(of: links[Int(stretch.from - first)..<Int(stretch.to - first)], in: session, incarnation: incarnation, from: stretch.from, to: stretch.to)
        return known == stretch ? .same : .different
    }

    /// What begins behind all that has been seen here has to wait.
    private var answerable: UInt64? { contradicted.first { $0 >= reach && $0 < last } }

    private mutating func answered(_ stretch: LogStretch) {
        contradicted.removeAll { [reach] in $0 == stretch.from || $0 < reach }
    }

    /// Somebody has told everyone the same. What lies before it and was not compared here is still to be spoken of.
    mutating func vouch(_ stretch: LogStretch, _ now: Duration) {
        answered(stretch)
        guard stretch.from <= max(spokenOf, reach) else { return }
        vouched = max(vouched, stretch.to)
        if positionAt != nil { positionAt = lastCause <= vouched && answerable == nil ? nil : now + Self.pause + Self.spread * share }
    }
}
