// Whose turn it is among transfers that share what does not suffice for all: a value, so that its order can be looked at.

import Wire

/// So many slots; the transfer that has waited longest since it last had one is next.
struct SlotQueue: Sendable {
    /// One request for one slot.
    struct Ticket: Hashable, Sendable {
        let owner: EntryID
        fileprivate let number: UInt64
    }

    /// May be more than `limit` after it has become less: what holds a slot keeps it.
    private(set) var held: Set<Ticket> = []
    private(set) var waiting: [Ticket] = []
    var limit: Int
    private var lastTurns: [EntryID: UInt64] = [:]
    private var turn: UInt64 = 0
    private var lastNumber: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    mutating func ticket(for owner: EntryID) -> Ticket {
        lastNumber += 1
        return Ticket(owner: owner, number: lastNumber)
    }

    /// Once for each ticket.
    mutating func ask(_ ticket: Ticket) { waiting.append(ticket) }

    /// Gives out what is free. Called after everything else that changes it.
    mutating func serve() -> [Ticket] {
        var served: [Ticket] = []
        while held.count < limit, let next = waiting.indices.min(by: { lastTurn(waiting[$0]) < lastTurn(waiting[$1]) }) {
            let ticket = waiting.remove(at: next)
            turn += 1
            lastTurns[ticket.owner] = turn
            held.insert(ticket)
            served.append(ticket)
        }
        return served
    }

    /// Whether it waited or held a slot, it no longer does.
    mutating func giveBack(_ ticket: Ticket) {
        if held.remove(ticket) == nil { waiting.removeAll { $0 == ticket } }
    }

    /// The transfer is over: nothing of it is kept.
    mutating func forget(_ owner: EntryID) { lastTurns[owner] = nil }

    private func lastTurn(_ ticket: Ticket) -> UInt64 { lastTurns[ticket.owner] ?? 0 }
}
