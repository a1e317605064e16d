// Stays in a conversation until Ctrl-C, shows who comes and goes, and keeps the photos by being in their session.

import Conversations
import Foundation
import Sealing
import Wire

struct Staying {
    let circle: Circle
    private var people: [Participant] = []
    private var photos: [EntryID: Photo] = [:]
    private var session: SessionID?
    private var isConnected = true
    /// Who is known to have seen another log of the session than we have.
    private var divergent: [ParticipantID] = []

    init(_ circle: Circle) { self.circle = circle }

    /// Returns when interrupted. Whoever was away for too long comes back as a new participant.
    mutating func stay(_ first: Participation) async throws(Program.Complaint) {
        var participation = first
        while true {
            do throws(Program.Complaint) { try await follow(participation) } catch {
                if circle.interruption.isInterrupted { return await participation.leave() }
                guard error.exit == .tryAgain else { throw error }
                participation = try await circle.comeBack(participation.conversation.invitation)
            }
        }
    }

    /// Ends by throwing.
    private mutating func follow(_ participation: Participation) async throws(Program.Complaint) {
        let conversation = participation.conversation
        session = nil
        divergent = []
        for await _ in await conversation.updates().startingNow() {
            await look(conversation)
            if session == nil, let gallery = await participation.first(Command.galleryIdentifier) {
                session = gallery
                await conversation.enter(gallery)
            }
        }
        throw await participation.over()
    }

    private mutating func look(_ conversation: Conversation) async {
        let isConnected = await conversation.isConnected
        if isConnected != self.isConnected, await conversation.end == nil {
            self.isConnected = isConnected
            say(isConnected ? "connected again" : "the connection to the relay is lost; trying again", isConnected ? "connected" : "disconnected", [])
        }
        let people = await conversation.participants
        for change in AttendanceChange.between(self.people, people) where change.participant.id != conversation.localParticipant {
            say(change.words, change.event, [("name", .string(change.participant.name))])
        }
        self.people = people
        if let session { await lookForDivergence(session, conversation) }
        guard let session, let snapshot = await conversation.session(session), snapshot.isInSync else {
            if let session, await !conversation.activities.contains(where: { $0.session == session }), isConnected {
                self.session = nil
                photos = [:]
            }
            return
        }
        let present = Dictionary(await Photo.all(snapshot, conversation).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for photo in present.values.sorted(by: { $0.version < $1.version }) where photos[photo.id] == nil {
            say("\(photo.shownOwner): \(photo.shownName), \(Amounts.bytes(photo.sizeBytes))", "photo", photo.fields)
        }
        for photo in photos.values where present[photo.id] == nil { say("\(photo.shownName) was removed", "removed", photo.fields) }
        photos = present
    }

    private mutating func lookForDivergence(_ session: SessionID, _ conversation: Conversation) async {
        let found = await conversation.session(session)?.divergentParticipants ?? []
        for participant in found where !divergent.contains(participant) {
            let name = await conversation.name(of: participant) ?? ""
            say(
                "\(ShownText.line(name)) was shown something else than you: the relay does not show everybody the same. Compare what you see; photos may be missing",
                "divergence", [("name", .string(name))])
        }
        divergent = found
    }

    private func say(_ words: String, _ event: String, _ fields: [(String, JSONLine)]) {
        circle.report.result("\(Moment.clock())  \(words)", event, fields)
    }
}

extension AsyncStream where Element == ConversationUpdate {
    /// A first element at once, so that what is there already is looked at too.
    func startingNow() -> AsyncStream<Void> {
        let updates = self
        return AsyncStream<Void> { continuation in
            continuation.yield()
            let task = Task {
                for await _ in updates { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Circle {
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10)]

    /// As a new participant, for as long as it takes; a conversation that has ended meanwhile is a complaint.
    func comeBack(_ invitation: Invitation) async throws(Program.Complaint) -> Participation {
        var attempt = 0
        while true {
            do throws(Program.Complaint) { return try await enter(invitation) } catch {
                guard error.exit == .unavailable || error.exit == .tryAgain, !interruption.isInterrupted else { throw error }
            }
            try? await Task.sleep(for: Self.pauses[min(attempt, Self.pauses.count - 1)])
            attempt += 1
        }
    }
}
