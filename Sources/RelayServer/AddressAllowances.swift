// How many requests and joins one address may still make: buckets that fill with time, held only while they are not full.

struct AddressAllowances {
    struct Rate: Equatable, Sendable {
        var perSecond: Int
        var burst: Int
    }

    private struct Bucket {
        var spent = 0.0
        var since: UInt64
    }

    static let addressCountLimit = 16_384
    /// What addresses share for which there is no room.
    private static let others = "others"

    let rate: Rate
    private var buckets: [String: Bucket] = [:]

    init(_ rate: Rate) { self.rate = rate }

    /// How many addresses are held in memory.
    var addressCount: Int { buckets.count }

    /// False: more than this address may ask for.
    mutating func spend(_ address: String, nowNanoseconds now: UInt64) -> Bool {
        let address = buckets[address] == nil && buckets.count >= Self.addressCountLimit ? Self.others : address
        var bucket = buckets[address] ?? Bucket(since: now)
        bucket.spent = spent(bucket, now)
        bucket.since = now
        let isPermitted = bucket.spent + 1 <= Double(rate.burst)
        if isPermitted { bucket.spent += 1 }
        buckets[address] = bucket
        return isPermitted
    }

    /// Lets go of addresses that have nothing spent. For a clock to call: it looks at every address.
    mutating func forgetFull(nowNanoseconds now: UInt64) {
        buckets = buckets.filter { spent($0.value, now) > 0 }
    }

    private func spent(_ bucket: Bucket, _ now: UInt64) -> Double {
        let elapsed = now > bucket.since ? Double(now - bucket.since) / 1e9 : 0
        return max(0, bucket.spent - elapsed * Double(rate.perSecond))
    }
}
