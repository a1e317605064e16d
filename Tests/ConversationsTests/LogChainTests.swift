// What a participant says of the log, when, and what it thinks of what others say.

import Foundation
import Testing
import Wire

@testable import Conversations
@testable import Sealing

struct LogChainTests {
    private struct Vectors: Decodable {
        struct Story: Decodable { let incarnation: String, begin: UInt64, links: [String] }
        struct Claim: Decodable { let what, stretch, verdict: String }
        let session: String
        let story: Story
        let claims: [Claim]
    }

    private let session = SessionID(Bytes16(high: 3, low: 1))
    /// Whose share is a half: it waits 12.5 s.
    private let ana = ParticipantID(Bytes16(high: 1, low: 128))

    private func bytes(_ hex: String) -> [UInt8] { stride(from: 0, to: hex.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16)! } }

    private func link(_ place: UInt64) -> LogLink { LogLink(.entered(session: session, sequence: place, participant: ana))! }

    /// At `place`, in incarnation 5, having seen so many links more.
    private func chain(at place: UInt64 = 10, seen count: UInt64 = 0, isCause: Bool = true) -> LogChain {
        var chain = LogChain(of: ana)
        chain.begin(in: 5, at: place)
        for number in 0..<count { chain.add(link(place + number + 1), isCause: isCause, .seconds(1)) }
        return chain
    }

    private func stretch(_ from: UInt64, _ to: UInt64, in incarnation: UInt64 = 5) throws -> LogStretch {
        try LogStretch(of: (from..<to).map { link($0 + 1) }, in: session, incarnation: incarnation, from: from, to: to)
    }

    @Test func `what is thought of each claim is what the vectors say`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/hearth/log.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        var chain = LogChain(of: ana)
        chain.begin(in: try #require(UInt64(vectors.story.incarnation)), at: vectors.story.begin)
        for link in vectors.story.links { chain.add(LogLink(bytes: bytes(link)), isCause: true, .zero) }
        let session = try #require(SessionID(base64URL: vectors.session))
        for claim in vectors.claims {
            var reader = FieldReader(bytes(claim.stretch))
            #expect("\(chain.judge(try LogStretch(&reader), in: session))" == claim.verdict, "\(claim.what)")
        }
        #expect(Set(vectors.claims.map(\.verdict)) == ["same", "different", "unknown", "elsewhere"])
    }

    @Test func `each record to everyone begins where the last one to everyone ended`() throws {
        var chain = chain(seen: 4)
        let first = try chain.stretch(in: session)
        #expect(first == (try stretch(10, 14)))
        // To some: the others have not been told.
        #expect(try chain.stretch(in: session) == first)
        chain.told(first)
        chain.add(link(15), isCause: true, .zero)
        #expect(try chain.stretch(in: session) == (try stretch(14, 15)))
    }

    @Test func `a record speaks of the last 1024 places at most, and the last 4096 are remembered`() throws {
        let chain = chain(at: 0, seen: 9_000)
        let said = try chain.stretch(in: session)
        #expect(said.from == 9_000 - 1_024 && said.to == 9_000)
        #expect(chain.judge(said, in: session) == .same)
        #expect(chain.judge(try stretch(9_000 - 4_096, 9_000 - 3_500), in: session) == .same)
        #expect(chain.judge(try stretch(9_000 - 4_097, 9_000 - 3_500), in: session) == .unknown)
    }

    @Test func `without a place nothing is said and nothing judged`() throws {
        var chain = chain(seen: 3)
        chain.end()
        chain.add(link(1), isCause: true, .zero)
        #expect(try chain.stretch(in: session) == .nothing)
        #expect(chain.judge(try stretch(10, 12), in: session) == .elsewhere && chain.positionAt == nil)
    }

    @Test func `something new is spoken of after ten to fifteen seconds, and once`() throws {
        var chain = chain(seen: 1)
        #expect(chain.positionAt == .seconds(13.5))
        chain.add(link(12), isCause: true, .seconds(9))
        #expect(chain.positionAt == .seconds(13.5))
        chain.told(try chain.stretch(in: session))
        #expect(chain.positionAt == nil)
        chain.add(link(13), isCause: false, .seconds(20))
        #expect(chain.positionAt == nil)
    }

    @Test func `a long stretch that nobody has spoken of does not wait`() {
        #expect(chain(seen: 511).positionAt == .seconds(13.5))
        #expect(chain(seen: 512).positionAt == .seconds(2))
    }

    @Test func `what somebody else has told everyone, and truly, need not be said again`() throws {
        var chain = chain(seen: 5)
        chain.vouch(try stretch(10, 13), .seconds(4))
        #expect(chain.positionAt == .seconds(16.5))
        chain.vouch(try stretch(13, 15), .seconds(5))
        #expect(chain.positionAt == nil)
        chain.add(link(16), isCause: true, .seconds(6))
        #expect(try chain.stretch(in: session) == (try stretch(15, 16)))
    }

    @Test func `who has found another log says what it has seen itself, though nothing else is new`() throws {
        var chain = chain(seen: 2, isCause: false)
        #expect(chain.positionAt == nil)
        chain.contradict(try stretch(10, 11), .seconds(3))
        #expect(chain.positionAt == .seconds(15.5))
        chain.told(try chain.stretch(in: session))
        #expect(chain.positionAt == nil)
    }

    @Test func `who has seen another log is answered from where its record began, for it may know nothing of what was before`() throws {
        var chain = chain(seen: 5)
        chain.contradict(try stretch(12, 14), .seconds(3))
        let answer = try chain.stretch(in: session)
        #expect(answer == (try stretch(12, 15)))
        chain.told(answer)
        // What lies before has not been said by that.
        #expect(chain.positionAt != nil)
        let rest = try chain.stretch(in: session)
        #expect(rest == (try stretch(10, 15)))
        chain.told(rest)
        #expect(chain.positionAt == nil)
        #expect(try chain.stretch(in: session) == (try stretch(15, 15)))
    }

    @Test func `an answer that somebody else has given need not be given again`() throws {
        var chain = chain(seen: 5)
        chain.vouch(try stretch(10, 15), .seconds(2))
        chain.contradict(try stretch(12, 15), .seconds(3))
        #expect(chain.positionAt == .seconds(15.5))
        chain.vouch(try stretch(12, 15), .seconds(4))
        #expect(chain.positionAt == nil)
    }

    @Test func `nonsense is contradicted by what is known, and no more`() throws {
        for nonsense in [try stretch(3, 12), try stretch(900, 901), try stretch(12, 14, in: 6)] {
            var chain = chain(seen: 5)
            chain.contradict(nonsense, .seconds(3))
            #expect(try chain.stretch(in: session) == (try stretch(10, 15)))
        }
    }

    @Test func `what could not be compared is spoken of, though somebody has told everyone the same of what came after it`() throws {
        var chain = chain(seen: 5)
        chain.vouch(try stretch(13, 15), .seconds(4))
        #expect(chain.positionAt != nil)
        #expect(try chain.stretch(in: session) == (try stretch(10, 15)))
    }

    @Test func `people who are together do not speak at once`() {
        let due = (0..<33).map { number in
            var chain = LogChain(of: ParticipantID(Bytes16(high: 1, low: UInt64(number * 7))))
            chain.begin(in: 5, at: 0)
            chain.add(link(1), isCause: true, .zero)
            return chain.positionAt
        }
        #expect(Set(due).count == 33)
    }
}

struct DivergencesTests {
    private let ana = ParticipantID(Bytes16(high: 1, low: 1))
    private let ben = ParticipantID(Bytes16(high: 1, low: 2))

    private func isNews(_ divergences: inout Divergences, _ verdict: LogChain.Verdict, _ participant: ParticipantID, _ now: Duration) -> Bool {
        divergences.weigh(verdict, of: participant, now)
    }

    @Test func `another log is told at once, and once for each who has seen it`() {
        var divergences = Divergences()
        divergences.begin(.seconds(60), .zero)
        let told = [(LogChain.Verdict.same, ana), (.unknown, ana), (.different, ana), (.different, ana), (.different, ben)].map { divergences.weigh($0.0, of: $0.1, .seconds(1)) }
        #expect(told == [false, false, true, false, true] && divergences.participants == [ana, ben])
    }

    @Test func `what cannot be compared is excused as long as it may have been on its way, and no longer`() {
        var divergences = Divergences()
        divergences.begin(.seconds(60), .seconds(100))
        #expect(!isNews(&divergences, .elsewhere, ana, .seconds(760)))
        divergences.came(ben, .seconds(700))
        #expect(!isNews(&divergences, .elsewhere, ben, .seconds(1_360)))
        #expect(isNews(&divergences, .elsewhere, ana, .seconds(761)))
        #expect(isNews(&divergences, .elsewhere, ben, .seconds(1_361)))
    }

    @Test func `a relay that tells a window of a thousand years gains a day`() {
        var divergences = Divergences()
        divergences.begin(.seconds(Int(UInt32.max)), .zero)
        #expect(!isNews(&divergences, .elsewhere, ana, .seconds(87_000)))
        #expect(isNews(&divergences, .elsewhere, ana, .seconds(87_001)))
    }
}
