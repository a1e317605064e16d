// What the relay and its participants promise (docs/architecture.md, docs/protocol/README.md), one by one, as it is said when it is broken.

enum Claim: String, CaseIterable, Sendable {
    case oneOrder = "one-order"
    case senderOrder = "sender-order"
    case exactlyOnce = "exactly-once"
    case nothingInvented = "nothing-invented"
    case everybodyHears = "everybody-hears"
    case samePeople = "same-people"
    case equalLedgers = "equal-ledgers"
    case keptIsKept = "kept-is-kept"
    case removedIsGone = "removed-is-gone"
    case samplesWait = "samples-wait"
    case outboxesBounded = "outboxes-bounded"
    case leaverLearnsNothing = "leaver-learns-nothing"
    case nobodyLosesSession = "nobody-loses-a-session"
    case historiesAgree = "histories-agree"
    case comesToRest = "comes-to-rest"
    case nothingRemains = "nothing-remains"
    // Against a relay that lies.
    case liesAreTold = "lies-are-told"
    case nobodyInvented = "nobody-invented"
    case staysSealed = "stays-sealed"
    case canLeave = "can-leave"
    /// The program itself came to its end.
    case noTrap = "no-trap"

    var text: String {
        switch self {
        case .oneOrder: "the records of a session have one order, the same for everybody, without holes"
        case .senderOrder: "what one says is heard in the order in which it was said"
        case .exactlyOnce: "a message is heard once"
        case .nothingInvented: "what is heard is what was said, by whom and to whom it was said"
        case .everybodyHears: "a message reaches everybody who was in the session when it was ordered, and stays"
        case .samePeople: "everybody sees the same people in a session"
        case .equalLedgers: "everybody has the same ledger, late or early, and it is the relay's"
        case .keptIsKept: "what was called kept is there, byte for byte"
        case .removedIsGone: "what was called removed is gone from the disk"
        case .samplesWait: "a sample does not delay a record"
        case .outboxesBounded: "what waits for a connection stays within its limit"
        case .leaverLearnsNothing: "who has left a session is told nothing more of it, and a message for some goes to nobody else"
        case .nobodyLosesSession: "nobody loses a session or the conversation but by being away too long"
        case .historiesAgree: "nobody is told that the relay shows people different things while it does not"
        case .comesToRest: "once nothing is broken everything that was asked for is answered and everybody is in sync"
        case .nothingRemains: "when everybody has gone nothing of the conversation is left, in memory or on the disk"
        case .liesAreTold: "two who were shown different logs of a session are both told"
        case .nobodyInvented: "nobody is in a roster, and nothing in a ledger, but who came and what was shared"
        case .staysSealed: "nothing that the relay is given holds what was said, a name or the invitation"
        case .canLeave: "whatever a relay does, everybody can leave, and then nothing waits any more"
        case .noTrap: "nothing that happens ends the program"
        }
    }
}

struct Violation: Sendable, Error {
    let claim: Claim
    let detail: String
    let at: Duration
}
