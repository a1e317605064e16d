// What all uploads and downloads of a conversation share: how many parts are made ready, how many travel each way, and whose turn it is.

import Wire

/// May be used from any thread.
final class Transfers: Sendable {
    /// Parts in memory, sealed or being sealed, of all uploads together.
    let sealed = Slots(limit: LinePace.parallelPartLimit)
    /// Of the parts that are sealed those that travel; the others are ready when one of these has arrived.
    let outgoing: Line
    /// Of the parts that are loaded those that the relay holds whole: what is still coming to it has the pace of whoever sends it.
    let incoming: Line

    init(clock: any ConversationClock) { (outgoing, incoming) = (Line(clock: clock), Line(clock: clock)) }

    /// The upload is over, one way or another.
    func sent(_ owner: EntryID) {
        sealed.forget(owner)
        outgoing.slots.forget(owner)
    }

    /// The download is.
    func loaded(_ owner: EntryID) { incoming.slots.forget(owner) }
}
