// `hearth check`: goes the way to a relay step by step and says where it ends, and what to do.

import Conversations
import Sealing
import Transports
import Wire

enum Check {
    /// One step as it turned out.
    struct Finding: Equatable, Sendable {
        let step: String
        let isGood: Bool
        let text: String
        /// How the program ends because of it.
        var exit = Program.Exit.fine
    }

    static func run(_ circle: Circle, _ subject: String?) async throws(Program.Complaint) {
        let (origin, invitation) = try target(subject, circle)
        var worst = Program.Exit.fine
        func say(_ finding: Finding) {
            circle.report.result(
                "\(finding.isGood ? "✓" : "✗") \(finding.step): \(finding.text)", "finding", [("step", .string(finding.step)), ("isGood", .bool(finding.isGood)), ("text", .string(finding.text))])
            if !finding.isGood, worst == .fine { worst = finding.exit }
        }
        if invitation != nil { say(Finding(step: "link", isGood: true, text: "it is whole")) }
        let trust = circle.setting.trustedCertificatePath
        let answer = Probe.request("\(origin)/v1/check", certificateAuthorityPath: trust)
        let reached = reach(answer, origin, isTrusted: trust != nil, proxy: RelayAddress.proxyName(for: origin))
        say(reached)
        if reached.isGood {
            if let finding = security(origin) { say(finding) }
            let transport = try circle.transport(to: origin)
            let upgrade = await upgrade(transport, origin)
            say(upgrade)
            let part = "\(origin)/v1/conversations/\(ConversationID(.zero).base64URL)/sessions/\(SessionID.own.base64URL)/attachments/\(EntryID(.zero).base64URL)/parts/0"
            say(bodies(Probe.request(part, body: [UInt8](repeating: 0, count: Limits.partSizeBytes), certificateAuthorityPath: trust)))
            if upgrade.isGood, let invitation { say(await admission(invitation, circle)) }
        }
        guard worst == .fine else { throw Program.Complaint(exit: worst, text: "Something stands in the way; it is marked ✗.") }
    }

    private static func target(_ subject: String?, _ circle: Circle) throws(Program.Complaint) -> (String, Invitation?) {
        guard let subject, !subject.contains("#"), !subject.contains("/c/") else {
            let invitation = if let subject { try Circle.invitation(subject) } else { try circle.invitation() }
            return (invitation.origin, invitation)
        }
        // An invitation to nowhere has the origin as browsers write it.
        guard let invitation = try? Invitation(relay: subject) else {
            throw Program.Complaint(exit: .usage, text: "\(ShownText.line(subject)) is neither a link nor an address of a relay, which looks like https://hearth.example.org.")
        }
        return (invitation.origin, nil)
    }

    /// - Parameter proxy: that stands before the relay.
    static func reach(_ answer: Probe.Result, _ origin: String, isTrusted: Bool, proxy: String? = nil) -> Finding {
        let variable = origin.hasPrefix("https:") ? "https_proxy" : "http_proxy"
        func bad(_ text: String, _ exit: Program.Exit = .unavailable) -> Finding { Finding(step: "relay", isGood: false, text: text, exit: exit) }
        switch answer {
        case .answered(_, true): return Finding(step: "relay", isGood: true, text: "a relay answers at \(origin)\(origin.hasPrefix("https:") ? ", its certificate is right" : "")")
        case .answered(let status, false):
            return bad("something answers (HTTP \(status)), but no relay: a proxy's error page, a login page, or another server. Is the address right, and does the proxy pass /v1/ on?")
        case .failed(.nameUnknown): return bad("the name is unknown. Is it spelled right, and is this machine on the net?")
        case .failed(.proxyRefused(407)):
            return bad(
                "the proxy at \(proxy ?? "?") wants a name and password (HTTP 407). Give them in \(variable): http://NAME:PASSWORD@\(proxy ?? "HOST:PORT").", .configuration)
        case .failed(.proxyRefused(let status)):
            return bad("the proxy at \(proxy ?? "?") does not let the connection through (HTTP \(status)). Is the relay allowed there? no_proxy names what is to be reached without it.")
        case .failed(.refused) where proxy != nil: return bad("nothing listens at the proxy \(proxy ?? "?") that \(variable) names, or behind it.")
        case .failed(.proxyUnusable): return bad("the proxy that http_proxy, https_proxy or all_proxy names is unknown.")
        case .failed(.refused): return bad("nothing listens at that address and port. Does the relay run (`hearth serve`), and does a firewall let the port through?")
        case .failed(.timedOut): return bad("no answer in time. A firewall may drop what is sent there.")
        case .failed(.tlsFailed(let reason)): return bad("TLS fails (\(ShownText.line(reason))). Perhaps the relay speaks plain http there: try http:// in place of https://.", .configuration)
        case .failed(.certificateWrong(let reason)):
            let advice =
                isTrusted
                ? "Is the file of --trust the one that this relay shows, and was the relay reached by a name that stands in it?"
                : "For a relay with a certificate of its own give --trust FILE: it lies in the relay's data directory as tls/certificate.pem."
                    + " Else the relay's certificate has run out, is for another name, or lacks its chain."
            return bad("the certificate is not right (\(ShownText.line(reason))). \(advice)", .configuration)
        case .failed(.other(let reason)): return bad(ShownText.line(reason) + ".")
        }
    }

    /// Plain http works for programs; browsers refuse to encrypt there.
    static func security(_ origin: String) -> Finding? {
        guard origin.hasPrefix("http://") else { return nil }
        let host = origin.dropFirst(7).prefix { $0 != ":" && $0 != "/" }
        guard host != "localhost", !host.hasPrefix("127.") else { return nil }
        return Finding(
            step: "browsers", isGood: false, text: "they encrypt only over https. Start the relay with --tls-self-signed or a certificate, or put a proxy that speaks https before it.",
            exit: .configuration)
    }

    private static func upgrade(_ transport: WebSocketTransport, _ origin: String) async -> Finding {
        guard let unused = try? Invitation(relay: origin) else { return Finding(step: "WebSocket", isGood: false, text: "no random numbers", exit: .failed) }
        let connection = transport.connect(to: unused.conversation)
        defer { connection.close() }
        let timeLimit = Task {
            try await Task.sleep(for: .seconds(15))
            connection.close()
        }
        defer { timeLimit.cancel() }
        for await event in connection.events {
            guard event == .opened else { break }
            return Finding(step: "WebSocket", isGood: true, text: "the connection is upgraded")
        }
        return Finding(
            step: "WebSocket", isGood: false,
            text:
                "the upgrade does not pass. A proxy before the relay must pass on Upgrade and Connection (nginx: proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade, Connection \"upgrade\").",
            exit: .unavailable)
    }

    static func bodies(_ answer: Probe.Result) -> Finding {
        let size = Amounts.bytes(Limits.partSizeBytes)
        switch answer {
        case .answered(_, true): return Finding(step: "uploads", isGood: true, text: "bodies of \(size) pass")
        case .answered(413, false):
            return Finding(step: "uploads", isGood: false, text: "a proxy refuses bodies of \(size). Raise its limit (nginx: client_max_body_size 2m;).", exit: .configuration)
        case .answered(let status, false):
            return Finding(step: "uploads", isGood: false, text: "something before the relay answers uploads itself (HTTP \(status)). It must pass on PUT under /v1/.", exit: .configuration)
        case .failed: return Finding(step: "uploads", isGood: false, text: "an upload of \(size) is cut off. Does something before the relay limit bodies or time?", exit: .unavailable)
        }
    }

    private static func admission(_ invitation: Invitation, _ circle: Circle) async -> Finding {
        do throws(Program.Complaint) {
            let participation = try await circle.enter(invitation)
            let others = await participation.conversation.participants.count - 1
            await participation.leave()
            return Finding(step: "invitation", isGood: true, text: "it lets in; \(others == 0 ? "nobody else is there" : others == 1 ? "one other is there" : "\(others) others are there")")
        } catch {
            return Finding(step: "invitation", isGood: false, text: error.text, exit: error.exit)
        }
    }
}
