// What every command that takes part has around it, and the way from there into a conversation.

import Conversations
import Glibc
import Sealing
import Transports

struct Circle: Sendable {
    let setting: Setting
    let place: CurrentConversation
    let report: Report
    let interruption: Interruption

    /// The conversation that the command is about.
    func invitation() throws(Program.Complaint) -> Invitation {
        guard let link = setting.link ?? place.link() else {
            throw Program.Complaint(exit: .configuration, text: "There is no current conversation. `hearth join LINK` or `hearth invite` sets one; --link or HEARTH_INVITATION names one.")
        }
        return try Self.invitation(link)
    }

    static func invitation(_ link: String) throws(Program.Complaint) -> Invitation {
        do throws(InvitationError) { return try Invitation(link) } catch {
            let what =
                switch error {
                case .incomplete: "The link is cut: copy all of it, up to the last character, and quote it, since it has a # in it."
                case .damaged: "That is no invitation, or characters in it were changed. It looks like https://HOST/c/…#1.…; have it sent again."
                case .unsupported(let version): "The link is of version \(version), which this program does not know: a newer hearth is needed."
                }
            throw Program.Complaint(exit: .badLink, text: what)
        }
    }

    func transport(to origin: String) throws(Program.Complaint) -> WebSocketTransport {
        var options = WebSocketTransport.Options()
        if let path = setting.trustedCertificatePath {
            guard access(path, R_OK) == 0 else { throw Program.Complaint(exit: .configuration, text: "The certificate \(ShownText.line(path)) cannot be read: --trust takes a PEM file.") }
            options.certificateAuthorityPath = path
        }
        guard let transport = WebSocketTransport(origin: origin, options: options) else {
            throw Program.Complaint(exit: .usage, text: "\(ShownText.line(origin)) is no address of a relay: it looks like https://hearth.example.org.")
        }
        return transport
    }

    /// Returns once the relay has let us in and our name stands there.
    func enter(_ invitation: Invitation, mayCreate: Bool = false) async throws(Program.Complaint) -> Participation {
        let transport = try transport(to: invitation.origin)
        let conversation: Conversation
        do throws(ConversationError) {
            conversation = try Conversation(invitation: invitation, name: setting.name, mayCreate: mayCreate, pass: place.pass(of: invitation.conversation), transport: transport)
        } catch { throw Program.Complaint(error, at: invitation.origin) }
        return try await Participation.begin(conversation, self)
    }
}
