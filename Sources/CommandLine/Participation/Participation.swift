// One stay in a conversation: whatever is waited for in it ends with a complaint when the conversation does.

import Conversations
import Sealing
import Synchronization
import Wire

/// May be used from any thread.
final class Participation: Sendable {
    let conversation: Conversation
    let terms: RelayTerms
    let report: Report
    private let interruption: Interruption
    private let hasGivenUp: Mutex<Bool>

    private init(_ conversation: Conversation, _ terms: RelayTerms, _ circle: Circle) {
        self.conversation = conversation
        self.terms = terms
        report = circle.report
        interruption = circle.interruption
        hasGivenUp = Mutex(false)
    }

    static func begin(_ conversation: Conversation, _ circle: Circle) async throws(Program.Complaint) -> Participation {
        circle.interruption.whenInterrupted { Task { await conversation.leave() } }
        let updates = await conversation.updates()
        await conversation.start()
        let waiting = Task {
            for await _ in updates where await conversation.isWaiting { return circle.report.remark("Waiting for somebody to let you in …") }
        }
        defer { waiting.cancel() }
        do throws(ConversationError) { try await conversation.introduced() } catch {
            throw circle.interruption.isInterrupted ? .interrupted : Program.Complaint(error, at: conversation.invitation.origin)
        }
        let place = circle.place
        let doors = await conversation.updates()
        if let pass = await conversation.pass { place.keep(pass: pass, of: conversation.invitation.conversation) }
        Task {
            for await update in doors where update == .doorChanged {
                if let pass = await conversation.pass { place.keep(pass: pass, of: conversation.invitation.conversation) }
            }
        }
        let terms = await conversation.terms ?? RelayTerms(graceSeconds: 0, resumeWindowSeconds: 0, quotaBytes: 0)
        let participation = Participation(conversation, terms, circle)
        participation.watch(giveUpAfterSeconds: circle.setting.giveUpAfterSeconds)
        try await participation.until { await $0.session(SessionID.own)?.isInSync ?? false }
        return participation
    }

    func complaint(_ error: ConversationError) -> Program.Complaint {
        if hasGivenUp.withLock(\.self) { return .unreachable(conversation.invitation.origin) }
        return interruption.isInterrupted ? .interrupted : Program.Complaint(error, at: conversation.invitation.origin)
    }

    /// Waits until the claim is true; it is looked at again after everything that happens.
    func until(_ claim: (Conversation) async -> Bool) async throws(Program.Complaint) {
        let updates = await conversation.updates()
        if await claim(conversation) { return }
        for await _ in updates where await claim(conversation) { return }
        throw await over()
    }

    /// Why it is over.
    func over() async -> Program.Complaint { complaint(ConversationError(ofEnd: await conversation.end)) }

    func doing<Value: Sendable>(_ work: () async throws(ConversationError) -> Value) async throws(Program.Complaint) -> Value {
        do throws(ConversationError) { return try await work() } catch { throw complaint(error) }
    }

    /// The session of an activity, entered and in sync. Of several the one that was announced first, as in every client.
    /// - Parameter announcement: makes one when there is none. `nil`: then there is none.
    func session(of identifier: String, announcing announcement: EntryBody.Announcement?) async throws(Program.Complaint) -> SessionID? {
        var session = await first(identifier)
        if session == nil, let announcement {
            let own = try await doing { () async throws(ConversationError) in try await conversation.announce(announcement) }
            session = await first(identifier) ?? own
            // Two may start at once: everyone goes where the first one is.
            if session != own { await conversation.end(own) }
        }
        guard let session else { return nil }
        try await enter(session)
        return session
    }

    func enter(_ session: SessionID) async throws(Program.Complaint) {
        await conversation.enter(session)
        try await until { conversation in
            if await conversation.session(session)?.isInSync ?? false { return true }
            return await !conversation.activities.contains { $0.session == session }
        }
    }

    func first(_ identifier: String) async -> SessionID? { await conversation.activities.first { $0.announcement.activityIdentifier == identifier }?.session }

    func leave() async { await conversation.leave() }

    /// Whether somebody else is there.
    var isAlone: Bool { get async { await conversation.participants.count < 2 } }

    private func watch(giveUpAfterSeconds limit: Int?) {
        guard let limit else { return }
        Task { [weak self] in
            var aliveAt = ContinuousClock.now
            while let self, await self.conversation.end == nil {
                if await self.conversation.isConnected { aliveAt = .now }
                if ContinuousClock.now - aliveAt > .seconds(limit) {
                    self.hasGivenUp.withLock { $0 = true }
                    return await self.conversation.leave()
                }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
