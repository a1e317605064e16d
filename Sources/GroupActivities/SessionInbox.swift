// What the others in a session say, handed to its messengers, and kept for one that does not exist yet.

import Conversations
import Sealing
import Synchronization
import Wire

final class SessionInbox: Sendable {
    private struct State {
        var mailboxes: [Mailbox] = []
        /// From before the first messenger.
        var early: [(letter: Letter, isReliable: Bool)] = []
        var isClosed = false
        /// Something was said to everybody, so a newcomer lacks something.
        var hasSpoken = false
        var awaitingSnapshot: Set<ParticipantID> = []
    }

    private static let snapshotTime: Duration = .seconds(10)

    private let notices: NoticeBoard
    private let clock: any ConversationClock
    private let state = Mutex(State())

    init(notices: NoticeBoard, clock: any ConversationClock) {
        self.notices = notices
        self.clock = clock
    }

    func receive(_ content: FrameContent, from source: Participant, isReliable: Bool) {
        let letter = Letter(content: content, source: source)
        let mailboxes = state.withLock { state in
            if state.mailboxes.isEmpty {
                state.early.append((letter, isReliable))
                if state.early.count > Mailbox.unclaimedLimit { state.early.removeFirst() }
            }
            let suited = state.mailboxes.filter { $0.isReliable == isReliable }
            return suited.isEmpty ? state.mailboxes : suited
        }
        for mailbox in mailboxes { mailbox.receive(letter) }
    }

    func add(_ mailbox: Mailbox) {
        let (early, isClosed) = state.withLock { state in
            defer { state.early = [] }
            state.mailboxes.append(mailbox)
            return (state.early, state.isClosed)
        }
        for (letter, _) in early { mailbox.receive(letter) }
        if isClosed { mailbox.close() }
    }

    func remove(_ mailbox: Mailbox) { state.withLock { $0.mailboxes.removeAll { $0 === mailbox } } }

    func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes
        }
        for mailbox in mailboxes { mailbox.close() }
    }

    // MARK: Newcomers, for the notice

    func said(to recipients: [ParticipantID]) {
        state.withLock { state in
            if recipients.isEmpty { state.hasSpoken = true }
            state.awaitingSnapshot.subtract(recipients)
        }
    }

    func newcomersCame(_ newcomers: Set<Participant>) {
        let isOwed = state.withLock { state in
            guard state.hasSpoken, !newcomers.isEmpty else { return false }
            state.awaitingSnapshot.formUnion(newcomers.map(\.name))
            return true
        }
        guard isOwed else { return }
        Task { [weak self, clock] in
            try? await clock.sleep(until: clock.now + Self.snapshotTime)
            guard let self, self.state.withLock({ !$0.isClosed && !$0.awaitingSnapshot.isDisjoint(with: newcomers.map(\.name)) }) else { return }
            self.notices.tell(.newcomerWithoutSnapshot)
        }
    }
}
