// What a participant has that no relay may read in what it is given.

extension Participation {
    /// Said and not placed yet, and what it shares: no relay may read it in what it is given.
    var unspoken: [(what: String, secret: [UInt8])] {
        world.sayings.values.filter { $0.sender == id && $0.outcome == .pending }.map { ("saying \($0.name)", $0.content) }
    }
}
