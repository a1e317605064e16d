// `hearth invite`: makes a conversation, says how people get in, and stays.

import Conversations
import QRCodes
import Sealing

enum Invite {
    static func run(_ circle: Circle, relay: String, inBackground: Bool) async throws(Program.Complaint) {
        guard let invitation = try? Invitation(relay: relay) else {
            throw Program.Complaint(exit: .usage, text: "\(ShownText.line(relay)) is no address of a relay: it looks like https://hearth.example.org.")
        }
        let participation = try await circle.enter(invitation, mayCreate: true)
        try circle.place.set(invitation.link)
        if !inBackground { _ = circle.place.keep() }
        let code = circle.report.isOnTerminal ? QRCode.text(invitation.link) : nil
        let sessionCode = participation.conversation.sessionCode
        circle.report.result(
            [invitation.link, code].compactMap { $0 }.joined(separator: "\n\n"), "invitation", [("link", .string(invitation.link)), ("code", .string(sessionCode))])
        circle.report.remark("Session code: \(sessionCode) (the same on every screen)")
        try await Join.remain(participation, circle, inBackground: inBackground)
    }
}
