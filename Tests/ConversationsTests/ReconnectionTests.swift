// Many who lose the relay at one moment come back spread out, and soon.

import Testing

@testable import Conversations

struct ReconnectionTests {
    static let count = 2_000
    /// Evenly over what may be drawn.
    let draws = (0..<count).map { (Double($0) + 0.5) / Double(count) }

    /// How many of these times fall into the fullest tenth of a second.
    func fullestTenth(_ times: [Duration]) -> Int { Dictionary(grouping: times) { Int($0 / .milliseconds(100)) }.values.map(\.count).max() ?? 0 }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 4), (1_000, 4)])
    func `the pauses of many fill the whole span, from a quarter of a second to one, then two, then four`(_ failureCount: Int, _ longestSeconds: Int) throws {
        let pauses = draws.map { ReconnectionPolicy().pause(afterFailures: failureCount, random: $0) }
        let (least, most) = (try #require(pauses.min()), try #require(pauses.max()))
        #expect(least >= .milliseconds(250) && least < .milliseconds(260) && most <= .seconds(longestSeconds) && most > .seconds(longestSeconds) - .milliseconds(10))
        #expect(fullestTenth(pauses) <= Self.count * 15 / 100)
    }

    @Test(arguments: [0, 1, 8, 60])
    func `two thousand whose relay was away for a moment or for long are all back four seconds after it, and never in one crowd`(_ awaySeconds: Int) throws {
        let away = Duration.seconds(awaySeconds)
        var state: UInt64 = 1
        func random() -> Double {
            state = state * 48_271 % 2_147_483_647
            return Double(state) / 2_147_483_647
        }
        var attemptCount = 0
        let returns = draws.map { _ in
            var link = LinkState(policy: ReconnectionPolicy())
            link.welcome(.seconds(-60))
            link.lost(.zero, random: random())
            attemptCount += 1
            while let now = link.wakeAt, now < away {
                _ = link.open(now)
                link.lost(now, random: random())
                attemptCount += 1
            }
            return (link.wakeAt ?? .seconds(3_600)) - away
        }
        #expect(try #require(returns.max()) <= .seconds(4))
        #expect(fullestTenth(returns) <= Self.count * 18 / 100)
        #expect(attemptCount <= Self.count * (6 + awaySeconds) / 2)
    }
}
