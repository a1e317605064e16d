// How often each trouble really came over somebody: what is too rare is not tried, however many stories are told.

struct Tally: Sendable, Equatable {
    private(set) var counts: [String: Int] = [:]

    /// The most frequent first.
    var inOrder: [(what: String, count: Int)] {
        counts.map { (what: $0.key, count: $0.value) }.sorted { ($1.count, $0.what) < ($0.count, $1.what) }
    }

    mutating func note(_ what: String, count: Int = 1) { counts[what, default: 0] += count }

    mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }
}
