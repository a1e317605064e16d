// Told once each, in the log, to whoever runs a program that makes one of the usual mistakes; docs/compatibility.md says what to do instead.

import OSLog
import Synchronization

/// A usual mistake, seen while it happens.
public enum Notice: String, CaseIterable, Hashable, Sendable {
    case sessionNeverJoined = "never-joined"
    case madeAfterJoin = "made-after-join"
    case observedAfterJoin = "observed-after-join"
    case newcomerWithoutSnapshot = "newcomer-without-snapshot"
    case largeMessage = "large-message"
    case unreliableState = "unreliable-state"
    case workAfterInvalidation = "work-after-invalidation"
    case largeActivity = "large-activity"
    case joinedTwice = "joined-twice"
    case activityOutsideSession = "activity-outside-session"
    case ownAttachmentLoaded = "own-attachment-loaded"
    case undecodableMessage = "undecodable-message"
    case noTitle = "no-title"
    case detachedFromParticipant = "detached-from-participant"
    /// Not the program's mistake, but the relay's lie.
    case divergence = "divergence"

    var words: String {
        switch self {
        case .sessionNeverJoined: "a session was received and not joined for 10 s: nothing comes from it before join()"
        case .madeAfterJoin: "a messenger or journal was made after join(): make it before, so that nothing is missed"
        case .observedAfterJoin: "a session's state, participants or messages were observed for the first time after join(): observe first and join last, so that nothing is missed"
        case .newcomerWithoutSnapshot: "somebody joined later and got no message of their own: messages are not repeated for newcomers, send them a snapshot with to: .only(…)"
        case .largeMessage: "a message has more than 64 KiB: content belongs into a GroupSessionJournal"
        case .unreliableState: "a message for certain participants went out unreliably: a snapshot that may be lost belongs into a reliable messenger"
        case .workAfterInvalidation: "something was asked of a session that is over: cancel its tasks and let go of its messenger when its state becomes invalidated"
        case .largeActivity: "an activity has more than 16 KiB: it should hold identifiers and addresses, not content"
        case .joinedTwice: "join() was called twice: one long-lived loop over sessions() should own a session"
        case .activityOutsideSession: "a session's activity was replaced before it was joined or after it was over: the new value goes to nobody"
        case .ownAttachmentLoaded: "an attachment was loaded by the one who added it: show the item that is there already"
        case .undecodableMessage: "a message could not be decoded as the type that its identifier names, and was dropped"
        case .noTitle: "an activity without a title was started: people are not told what they are invited to"
        case .detachedFromParticipant: "something ran outside every participant of a test (Task.detached forgets whose it is): use Task { } instead"
        case .divergence: "the relay does not show everybody the same: somebody has seen another course of events in a session; the session goes on, but ask each other what you see"
        }
    }
}

/// What one participant's program has been told already.
final class NoticeBoard: Sendable {
    private let told = Mutex<Set<Notice>>([])
    private let listener: @Sendable (Notice) -> Void
    private static let log = Logger(subsystem: "GroupActivities", category: "notice")

    init(_ listener: @escaping @Sendable (Notice) -> Void) { self.listener = listener }

    /// What it has been told so far.
    var all: Set<Notice> { told.withLock(\.self) }

    func tell(_ notice: Notice) {
        guard told.withLock({ $0.insert(notice).inserted }) else { return }
        Self.log.warning("\(notice.words, privacy: .public) (docs/compatibility.md, \"\(notice.rawValue, privacy: .public)\")")
        listener(notice)
    }
}
