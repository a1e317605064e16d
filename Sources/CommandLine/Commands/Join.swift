// `hearth join`: makes a conversation the current one, and stays in it, here or in the background.

import Conversations
import Sealing

enum Join {
    static func run(_ circle: Circle, inBackground: Bool) async throws(Program.Complaint) {
        let invitation = try circle.invitation()
        let participation = try await circle.enter(invitation)
        try circle.place.set(invitation.link)
        // Before anything is said: whoever reads it may already want to know who stays.
        if !inBackground { _ = circle.place.keep() }
        let others = await participation.conversation.participants.filter { $0.id != participation.conversation.localParticipant }
        let names = others.map { ShownText.line($0.name) }
        circle.report.result(
            "Joined. " + (names.isEmpty ? "Nobody else is here yet." : "Here: \(names.joined(separator: ", "))."), "joined",
            [("relay", .string(invitation.origin)), ("code", .string(participation.conversation.sessionCode)), ("participants", .array(others.map { .string($0.name) }))])
        try await remain(participation, circle, inBackground: inBackground)
    }

    static func remain(_ participation: Participation, _ circle: Circle, inBackground: Bool) async throws(Program.Complaint) {
        if inBackground {
            _ = await circle.place.dismissKeeper()
            let process = try BackgroundProcess.start(participation.conversation.invitation, circle.setting)
            circle.report.result("Process \(process) stays in the background; `hearth leave` ends it.", "background", [("process", .int(Int(process)))])
            await participation.leave()
        } else {
            circle.report.remark("Staying until Ctrl-C.")
            var staying = Staying(circle)
            try await staying.stay(participation)
        }
    }
}
