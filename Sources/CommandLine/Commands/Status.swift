// `hearth status`: the conversation as it stands.

import Conversations
import Sealing
import Wire

enum Status {
    /// Who else may come in: for people, and as a word and a second since 1970.
    private static func words(_ door: KnownDoor?) -> (text: String, mode: String, closesAt: Int?) {
        let (text, mode) =
            switch door?.mode {
            case nil, .open: ("open to everyone with the link", "open")
            case .knock: ("newcomers have to be let in", "knock")
            case .locked: ("locked: nobody else comes in", "locked")
            default: ("of a kind that this program does not know", "unknown")
            }
        guard let door, door.closesAtSeconds != 0 else { return (text, mode, nil) }
        return ("\(text); the link ends at second \(door.closesAtSeconds) since 1970", mode, Int(clamping: door.closesAtSeconds))
    }

    static func run(_ circle: Circle, showsLink: Bool) async throws(Program.Complaint) {
        let invitation = try circle.invitation()
        let participation = try await circle.enter(invitation)
        let conversation = participation.conversation
        let others = await conversation.participants.filter { $0.id != conversation.localParticipant }
        let activities = await conversation.activities
        let door = Self.words(await conversation.door)
        let knocks = await conversation.knocks.map { ShownText.line($0.name) }
        var photos: [Photo] = []
        if let session = try await participation.session(of: Command.galleryIdentifier, announcing: nil) { photos = await Photo.all(in: session, conversation) }
        await participation.leave()
        let keeper = circle.place.keeper()
        let size = photos.reduce(0) { $0 + $1.sizeBytes }
        let here = others.map { ShownText.line($0.name) + ($0.isAway ? " (connection lost)" : "") }
        let waiting = knocks.isEmpty ? "" : "; waiting: " + knocks.joined(separator: ", ")
        let closesAt: JSONLine = if let second = door.closesAt { .int(second) } else { nil }
        let doorFields: [(String, JSONLine)] = [("door", .string(door.mode)), ("closesAt", closesAt), ("waiting", .array(knocks.map { .string($0) }))]
        var lines = [
            "relay        \(invitation.origin)", "session code \(conversation.sessionCode)", "here         \(here.isEmpty ? "nobody else" : here.joined(separator: ", "))",
            "door         \(door.text)\(waiting)",
            "activities   \(activities.isEmpty ? "none" : activities.map { ShownText.line($0.announcement.activityIdentifier) }.joined(separator: ", "))",
            "photos       \(photos.count), \(Amounts.bytes(size)) of \(Amounts.bytes(participation.terms.quotaBytes))",
            "kept         while somebody is there, and \(Amounts.seconds(participation.terms.graceSeconds)) longer",
            "background   \(keeper.map { "process \($0) stays" } ?? "nothing stays")",
        ]
        if showsLink { lines.append("link         \(invitation.link)") }
        circle.report.result(
            lines.joined(separator: "\n"), "status",
            [
                ("relay", .string(invitation.origin)), ("code", .string(conversation.sessionCode)),
                ("participants", .array(others.map { .object([("name", .string($0.name)), ("isAway", .bool($0.isAway))]) })),
                ("activities", .array(activities.map { .string($0.announcement.activityIdentifier) })), ("photos", .int(photos.count)), ("bytes", .int(size)),
                ("quotaBytes", .int(participation.terms.quotaBytes)), ("graceSeconds", .int(participation.terms.graceSeconds)), ("process", keeper.map { .int(Int($0)) } ?? nil),
            ] + doorFields + (showsLink ? [("link", .string(invitation.link))] : []))
    }
}
