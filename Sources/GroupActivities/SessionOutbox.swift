// What an app asks of a session, in the order in which it asked: entering, speaking, leaving.

import Conversations
import Sealing
import Synchronization
import Wire

final class SessionOutbox: Sendable {
    typealias Finish = @Sendable ((any Error)?) -> Void

    enum Order: Sendable {
        case enter
        case speak(FrameContent, to: [ParticipantID], Finish)
        case whisper(FrameContent, to: [ParticipantID], Finish)
        /// With the own attachments that are not wholly uploaded, which nobody could ever load.
        case exit(taking: [EntryID])
        case end
    }

    private struct State {
        var orders: [Order] = []
        /// Asked for before `join`.
        var early: [Order] = []
        var earlyBytes = 0
        /// Unreliable ones from before it was joined; the newest of them.
        var earlySamples: [Order] = []
        var hasEntered = false
        var isJoined = false
        var error: HearthError?
    }

    private static let earlyLimit = Limits.logFrameCountLimit
    private static let earlySizeLimitBytes = Limits.logSizeLimitBytes
    private static let earlySampleLimit = 64

    private let conversation: Conversation
    private let session: SessionID
    private let state = Mutex(State())

    init(_ conversation: Conversation, _ session: SessionID) {
        self.conversation = conversation
        self.session = session
    }

    func enter() {
        state.withLock { state in
            guard state.error == nil else { return }
            state.hasEntered = true
            state.orders += [.enter] + state.early
            state.early = []
        }
        carryOut()
    }

    /// Messages that may be lost wait no longer.
    func joined() {
        state.withLock { state in
            state.isJoined = true
            state.orders += state.earlySamples
            state.earlySamples = []
        }
        carryOut()
    }

    /// `finish` is called once: reliable, when the message has its place; otherwise when it was handed over.
    func speak(_ content: FrameContent, to recipients: [ParticipantID], isReliable: Bool, finish: @escaping Finish) {
        var refused: (any Error)?
        var dropped: Order?
        state.withLock { state in
            if let error = state.error {
                refused = HearthError(.sessionInvalidated).because(error)
            } else if isReliable {
                let order = Order.speak(content, to: recipients, finish)
                if state.hasEntered {
                    state.orders.append(order)
                } else if state.early.count >= Self.earlyLimit {
                    refused = HearthError(.queueFull, limit: Self.earlyLimit, value: state.early.count + 1)
                } else if state.earlyBytes + content.sizeBytes > Self.earlySizeLimitBytes {
                    refused = HearthError(.queueFull, limit: Self.earlySizeLimitBytes, value: state.earlyBytes + content.sizeBytes)
                } else {
                    state.early.append(order)
                    state.earlyBytes += content.sizeBytes
                }
            } else {
                let order = Order.whisper(content, to: recipients, finish)
                if state.isJoined { return state.orders.append(order) }
                state.earlySamples.append(order)
                if state.earlySamples.count > Self.earlySampleLimit { dropped = state.earlySamples.removeFirst() }
            }
        }
        if case .whisper(_, _, let finish) = dropped { finish(nil) }
        if let refused { return finish(refused) }
        carryOut()
    }

    /// The last order.
    func finish(_ order: Order, _ error: HearthError) {
        let abandoned = state.withLock { state in
            defer { (state.early, state.earlySamples) = ([], []) }
            guard state.error == nil else { return [Order]() }
            state.error = error
            state.orders.append(order)
            return state.early + state.earlySamples
        }
        fail(abandoned)
        carryOut()
    }

    /// It is over without the app's doing.
    func close(_ error: HearthError) {
        let abandoned = state.withLock { state in
            defer { (state.early, state.earlySamples) = ([], []) }
            state.error = state.error ?? error
            return state.early + state.earlySamples
        }
        fail(abandoned)
    }

    private func fail(_ orders: [Order]) {
        for order in orders {
            switch order {
            case .speak(_, _, let finish), .whisper(_, _, let finish): finish(HearthError(.sessionInvalidated))
            default: break
            }
        }
    }

    private func carryOut() {
        Task { [conversation, session] in await conversation.carryOut(self, in: session) }
    }

    fileprivate func take() -> [Order] {
        state.withLock { state in
            defer { state.orders = [] }
            return state.orders
        }
    }
}

extension Conversation {
    /// Orders are taken and begun without a pause in between, so that they keep their order whoever comes for them.
    fileprivate func carryOut(_ outbox: SessionOutbox, in session: SessionID) {
        for order in outbox.take() {
            switch order {
            case .enter: enter(session)
            case .end: end(session)
            case .exit(let entries):
                guard !entries.isEmpty else {
                    exit(session)
                    continue
                }
                Task.immediate { [self] in
                    for entry in entries { try? await remove(entry, in: session) }
                    exit(session)
                }
            case .whisper(let content, let recipients, let finish):
                do {
                    try sendSample(content, to: recipients, in: session)
                    finish(nil)
                } catch { finish(HearthError(error)) }
            case .speak(let content, let recipients, let finish):
                Task.immediate { [self] in
                    do throws(ConversationError) {
                        try await send(content, to: recipients, in: session)
                        finish(nil)
                    } catch { finish(HearthError(error)) }
                }
            }
        }
    }
}

extension HearthError {
    /// Said of something that was asked for too late.
    fileprivate func because(_ reason: HearthError) -> HearthError { reason.code == .conversationClosed ? reason : self }
}
