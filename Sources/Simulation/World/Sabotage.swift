// Ways in which a relay can break what it promises: each claim of the simulation is shown to notice.

import Wire

/// What a broken relay does to what it has decided rightly. Used to try the claims, never to try the production code.
enum Sabotage: String, CaseIterable, Sendable {
    /// To one listener two neighbouring records come in the other order.
    case swapRecords = "swap-records"
    case dropRecord = "drop-record"
    /// A record comes again, at a place of its own.
    case repeatRecord = "repeat-record"
    /// A record is ordered and acknowledged, and told to nobody else.
    case swallowRecord = "swallow-record"
    /// Who came and went is not told to one listener.
    case hideComing = "hide-coming"
    /// The same, so that nobody but the others' records can tell.
    case forkHistory = "fork-history"
    /// What is said to some is told to all.
    case tellEverybody = "tell-everybody"
    /// Who has left a session goes on hearing it.
    case speakToLeaver = "speak-to-leaver"
    /// A newcomer's ledger lacks an entry.
    case hideEntry = "hide-entry"
    /// A removal is told and not done.
    case keepBodies = "keep-bodies"
    /// A body is called safe and was never synced.
    case forgetSync = "forget-sync"
    /// A put is never answered.
    case ignorePut = "ignore-put"
    /// A connection that is over stays counted.
    case keepConnections = "keep-connections"
}
