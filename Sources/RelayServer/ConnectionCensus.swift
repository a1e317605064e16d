// How many connections there are, in all and from each address, and whether one more is let in.

struct ConnectionCensus {
    let limit: Int
    let limitPerAddress: Int
    private(set) var count = 0
    private var countByAddress: [String: Int] = [:]

    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// This machine's own addresses are not limited one by one: a proxy in front speaks for everybody.
    func admits(_ address: String) -> Bool { count < limit && (Self.isOwn(address) || countByAddress[address, default: 0] < limitPerAddress) }

    mutating func add(_ address: String) {
        count += 1
        countByAddress[address, default: 0] += 1
    }

    mutating func remove(_ address: String) {
        count -= 1
        guard let remaining = countByAddress[address].map({ $0 - 1 }) else { return }
        countByAddress[address] = remaining > 0 ? remaining : nil
    }

    /// How many addresses are held in memory.
    var addressCount: Int { countByAddress.count }

    static func isOwn(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.") }
}
