// `hearth end`: ends an activity for everyone; its photos are erased from the relay.

import Conversations
import Sealing
import Wire

enum EndActivities {
    static func run(_ circle: Circle, _ identifier: String?) async throws(Program.Complaint) {
        let participation = try await circle.enter(try circle.invitation())
        let conversation = participation.conversation
        let running = await conversation.activities.filter { identifier == nil || $0.announcement.activityIdentifier == identifier }
        guard !running.isEmpty else {
            await participation.leave()
            throw Program.Complaint(exit: .notFound, text: identifier.map { "Nothing named \(ShownText.line($0)) runs in the conversation." } ?? "Nothing runs in the conversation.")
        }
        for activity in running {
            await conversation.end(activity.session)
            try await participation.until { await !$0.activities.contains { $0.session == activity.session } }
            let name = activity.announcement.activityIdentifier
            circle.report.result("Ended \(ShownText.line(name)).", "ended", [("activity", .string(name))])
        }
        await participation.leave()
    }
}
