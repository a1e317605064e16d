// What a participant does in sessions: announce, enter, speak, leave.

import Sealing
import Wire

/// A session as it stands.
public struct SessionSnapshot: Equatable, Sendable {
    /// Entered: messages come and go.
    public let isEntered: Bool
    /// In the session, in order of coming, the local one included.
    public let participants: [Participant]
    /// In order of version.
    public let entries: [LedgerEntry]
    /// The relay has handed over the whole ledger since the last time the connection was lost.
    public let isInSync: Bool
    /// Samples that did not open or came twice.
    public let droppedSampleCount: Int
    /// Who has seen another log of this session than we have, in the order in which it was found out.
    public let divergentParticipants: [ParticipantID]
}

extension Conversation {
    /// `nil` for one that was never entered.
    public func session(_ id: SessionID) -> SessionSnapshot? {
        guard let session = state.session(id) else { return nil }
        return SessionSnapshot(
            isEntered: session.isEntered, participants: session.present.filter { state.introductions[$0.participant] != nil }.map(participant),
            entries: session.ledger.inOrder, isInSync: session.ledger.isComplete && session.phase == .inside, droppedSampleCount: session.droppedSampleCount,
            divergentParticipants: session.divergences.participants)
    }

    /// Announces an activity under a fresh session and returns its name; nobody is in it before `enter`.
    public func announce(_ announcement: EntryBody.Announcement) async throws(ConversationError) -> SessionID {
        let session = SessionID(try fresh())
        try await announce(announcement, as: session)
        return session
    }

    /// Replaces the announcement of a session, for all; the last in the order of the log wins.
    public func announce(_ announcement: EntryBody.Announcement, as session: SessionID) async throws(ConversationError) {
        try await put(.activity(announcement), at: EntryPlace(session: .own, entry: EntryID(session.bytes)))
    }

    /// Enters an announced session; `SessionEvent.joined` follows, or `over`.
    public func enter(_ session: SessionID) { perform(state.enter(session)) }

    /// Leaves a session, once what was said before has gone out; `SessionEvent.over` follows.
    public func exit(_ session: SessionID) { part(from: session, .exit) }

    /// Ends a session for everyone, once what was said before has gone out.
    public func end(_ session: SessionID) { part(from: session, .end) }

    /// Returns when the record has its place in the log. Records go out in the order of the calls.
    /// - Parameter recipients: none: everyone in the session.
    public func send(_ content: FrameContent, to recipients: [ParticipantID] = [], in session: SessionID) async throws(ConversationError) {
        guard state.isOpen, let known = state.session(session), session != .own, known.isEntered || known.phase == .entering else {
            throw ConversationError(end.map { ConversationError($0).code } ?? .sessionInvalidated)
        }
        try checkRecipients(recipients)
        let size = content.sizeBytes
        if let (limit, value) = window.refusal(of: size) { throw ConversationError(.queueFull, limit: limit, value: value) }
        let frame: SealedFrame
        do throws(SealingError) { frame = try sealRecord(content, to: recipients, in: session) } catch { throw ConversationError(error, tooLarge: .messageTooLarge) }
        let settlement = await settlement { token in
            window.add(.init(session: session, frame: frame, recipients: recipients, token: token))
            return []
        }
        try check(settlement)
    }

    private func sealRecord(_ content: FrameContent, to recipients: [ParticipantID], in session: SessionID) throws(SealingError) -> SealedFrame {
        let stretch = try state.stretch(in: session)
        let frame = try seals.seal(content, .record, to: recipients, after: stretch, in: session)
        // Whoever is not among the recipients has not been told.
        if recipients.isEmpty { state.told(stretch, in: session) }
        return frame
    }

    /// Says how far we have come in the log. Should it fail, it is due again later.
    func sendPosition(in session: SessionID) {
        guard window.refusal(of: 0) == nil, let frame = try? sealRecord(.position, to: [], in: session) else { return }
        window.add(.init(session: session, frame: frame, recipients: [], token: nextToken()))
    }

    /// Hands a sample over; it is left out when the connection is away or behind.
    public func sendSample(_ content: FrameContent, to recipients: [ParticipantID] = [], in session: SessionID) throws(ConversationError) {
        guard state.session(session)?.isEntered ?? false, session != .own else { throw ConversationError(.sessionInvalidated) }
        try checkRecipients(recipients)
        do throws(SealingError) {
            let frame = try seals.seal(content, .sample, to: recipients, in: session)
            pass(.sample(session: session, recipients: recipients, sealed: frame.sealed))
        } catch {
            throw ConversationError(error, tooLarge: .messageTooLarge)
        }
    }

    private func checkRecipients(_ recipients: [ParticipantID]) throws(ConversationError) {
        guard recipients.count <= Limits.recipientCountLimit else {
            throw ConversationError(.tooManyRecipients, limit: Limits.recipientCountLimit, value: recipients.count)
        }
    }

    /// Seals and puts an entry; returns when it is on the relay's disk.
    func put(_ body: EntryBody, at place: EntryPlace, flags: EntryFlags = [], bodySizeBytes: Int = 0) async throws(ConversationError) {
        let sealed: [UInt8]
        do throws(SealingError) { sealed = try seals.seal(body, at: place) } catch { throw ConversationError(error, tooLarge: .entryTooLarge) }
        try check(
            await settlement { token in
                state.put(place.entry, flags: flags, bodySizeBytes: bodySizeBytes, sealed: sealed, in: place.session, token: token)
            })
    }

    /// Removes an entry, and its body, for everyone, whoever made it. Returns when it is gone from the relay's disk.
    public func remove(_ entry: EntryID, in session: SessionID) async throws(ConversationError) {
        try check(await settlement { token in state.remove(entry, in: session, token: token) })
    }

    func check(_ settlement: Settlement) throws(ConversationError) {
        switch settlement {
        case .done: return
        case .refused(let refusal): throw ConversationError(refusal)
        case .abandoned: throw end.map { ConversationError($0) } ?? ConversationError(.sessionInvalidated)
        }
    }

    nonisolated func fresh() throws(ConversationError) -> Bytes16 {
        do throws(SealingError) {
            guard let bytes = Bytes16(try randomBytes(count: 16)) else { throw .malformed }
            return bytes
        } catch {
            throw ConversationError(error, tooLarge: .cryptoFailed)
        }
    }
}

extension FrameContent {
    /// Before it is sealed.
    package var sizeBytes: Int {
        switch self {
        case .message(let identifier, let json): identifier.utf8.count + json.count
        case .data(let bytes): bytes.count
        case .position, .unknown: 0
        }
    }
}
