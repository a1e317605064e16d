// How the clocks of the others differ from one's own, from round trips. No clock of a calendar is ever asked.

import Foundation

struct PeerClocks: Sendable {
    struct Sample: Sendable {
        /// Theirs minus ours.
        var offset: Int64
        var roundTrip: Int64
    }

    private static let sampleLimit = 16
    private var samples: [UUID: [Sample]] = [:]
    private var heard: [UUID: (sentAt: Int64, receivedAt: Int64)] = [:]

    /// Takes a status in; a round trip is complete when it echoes one of ours.
    mutating func received(sentAt: Int64, echo: PlaybackStatus.Echo?, from peer: UUID, at now: Int64) {
        if let last = heard[peer], last.sentAt >= sentAt { return }
        heard[peer] = (sentAt, now)
        guard let echo else { return }
        let roundTrip = (now &- echo.sentAt) &- echo.age
        guard roundTrip >= 0, echo.age >= 0 else { return }
        // Both ways are taken to be equally long; the error is at most half the round trip.
        let sample = Sample(offset: (sentAt &- now) &+ roundTrip / 2, roundTrip: roundTrip)
        var known = samples[peer] ?? []
        if let best = known.min(by: { $0.roundTrip < $1.roundTrip }), (best.offset &- sample.offset).magnitude > UInt64(bitPattern: best.roundTrip &+ roundTrip) / 2 &+ 5_000_000 {
            // Farther apart than both errors allow: the other's clock has been stopped or set, and what was known of it is void.
            known = []
        }
        known.append(sample)
        if known.count > Self.sampleLimit { known.removeFirst() }
        samples[peer] = known
    }

    func echoes(at now: Int64) -> [UUID: PlaybackStatus.Echo] { heard.mapValues { .init(sentAt: $0.sentAt, age: now &- $0.receivedAt) } }

    /// The best sample; where there is none, what was heard last is taken to have come at once, with an unknown error.
    func best(of peer: UUID) -> Sample {
        if let best = samples[peer]?.min(by: { $0.roundTrip < $1.roundTrip }) { return best }
        return Sample(offset: heard[peer].map { $0.sentAt &- $0.receivedAt } ?? 0, roundTrip: .max)
    }

    func sampleCount(of peer: UUID) -> Int { samples[peer]?.count ?? 0 }

    /// The way to the farthest of `peers`, as far as known.
    func farthest(of peers: some Sequence<UUID>) -> Int64 { peers.map { best(of: $0).roundTrip }.filter { $0 < .max }.max().map { $0 / 2 } ?? 0 }

    mutating func forget(_ peer: UUID) {
        samples[peer] = nil
        heard[peer] = nil
    }
}
