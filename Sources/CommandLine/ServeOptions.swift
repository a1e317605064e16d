// The options of `hearth serve`: from the command line, else from the environment, else as the texts say.

import Relay
import RelayServer

struct ServeOptions {
    var server = ServerSettings()
    var relay = RelaySettings()
    var dataDirectory: String?
    var webDirectory: String?
    var wantsSelfSigned = false
    private var certificate: String?
    private var key: String?

    /// One option: its name, what follows it, and what it sets. The variable is named like the option: `--max-connections` is HEARTH_MAX_CONNECTIONS.
    struct Option: Sendable {
        let name: String
        /// What follows the name, for the help; `nil` for a switch.
        let placeholder: String?
        let help: String
        let set: @Sendable (inout ServeOptions, String) throws(Program.Complaint) -> Void

        var variable: String { "HEARTH_" + name.uppercased().split(separator: "-").joined(separator: "_") }
    }

    static let all: [Option] = [
        Option(name: "port", placeholder: "NUMBER", help: "Listen on this port; 0 takes any free one. [8080]") { options, text throws(Program.Complaint) in
            options.server.port = try number(text, "port", 0...65_535)
        },
        Option(name: "host", placeholder: "ADDRESS", help: "Listen on this address of this machine only, such as 127.0.0.1. [every address]") { options, text in
            options.server.host = text == "localhost" ? "127.0.0.1" : text
        },
        Option(name: "data", placeholder: "DIR", help: "Keep sealed entries and attachments here. [$XDG_STATE_HOME/hearth or ~/.local/state/hearth]") { options, text in
            options.dataDirectory = text
        },
        Option(name: "web", placeholder: "DIR", help: "Serve the web client from here. [Web/ of the sources, or /usr/share/hearth/web]") { options, text in
            options.webDirectory = text
        },
        Option(name: "tls-self-signed", placeholder: nil, help: "Speak https with a certificate made and kept in the data directory. Browsers ask once.") { options, _ in
            options.wantsSelfSigned = true
        },
        Option(name: "tls-certificate", placeholder: "FILE", help: "Speak https with this certificate chain (PEM).") { options, text in options.certificate = text },
        Option(name: "tls-key", placeholder: "FILE", help: "The certificate's private key (PEM, without a password).") { options, text in options.key = text },
        Option(name: "grace-seconds", placeholder: "NUMBER", help: "Keep a conversation this long after the last participant has left. [600]") { options, text throws(Program.Complaint) in
            options.relay.graceSeconds = try number(text, "grace-seconds", 0...31_536_000)
        },
        Option(name: "resume-window-seconds", placeholder: "NUMBER", help: "Keep the place of a participant whose connection was lost this long. [60]") { options, text throws(Program.Complaint) in
            options.relay.resumeWindowSeconds = try number(text, "resume-window-seconds", 0...86_400)
        },
        Option(name: "conversation-quota-megabytes", placeholder: "NUMBER", help: "Room for one conversation. [4096]") { options, text throws(Program.Complaint) in
            options.relay.conversationQuotaBytes = try number(text, "conversation-quota-megabytes", 1...1_073_741_824) << 20
        },
        Option(name: "total-quota-megabytes", placeholder: "NUMBER", help: "Room for all conversations together. [20480]") { options, text throws(Program.Complaint) in
            options.relay.totalQuotaBytes = try number(text, "total-quota-megabytes", 1...1_073_741_824) << 20
        },
        Option(name: "max-conversations", placeholder: "NUMBER", help: "Conversations at a time. [10000]") { options, text throws(Program.Complaint) in
            options.relay.conversationCountLimit = try number(text, "max-conversations", 1...10_000_000)
        },
        Option(name: "max-connections", placeholder: "NUMBER", help: "Network connections at a time. [4096]") { options, text throws(Program.Complaint) in
            options.server.connectionCountLimit = try number(text, "max-connections", 1...1_000_000)
        },
        Option(name: "max-connections-per-address", placeholder: "NUMBER", help: "Of them from one address. This machine's own are not counted. [1024]") { options, text throws(Program.Complaint) in
            options.server.connectionCountLimitPerAddress = try number(text, "max-connections-per-address", 1...1_000_000)
        },
        Option(name: "allow-origin", placeholder: "ORIGIN", help: "Let web pages of this origin (https://name) use the relay. May be repeated; * lets all.") { options, text in
            options.server.allowedOrigins += text.split(separator: ",").map { String($0.filter { $0 != " " }) }
        },
        Option(name: "quiet", placeholder: nil, help: "No line on standard error for each request.") { options, _ in options.server.logsAccess = false },
    ]

    init(_ arguments: [String], environment: [String: String]) throws(Program.Complaint) {
        for option in Self.all {
            guard let text = environment[option.variable], !text.isEmpty else { continue }
            if option.placeholder == nil {
                guard ["1", "true", "yes", "0", "false", "no"].contains(text.lowercased()) else {
                    throw Self.usage("\(option.variable) is \"\(text)\" and must be 1 or 0.")
                }
                if ["0", "false", "no"].contains(text.lowercased()) { continue }
            }
            try option.set(&self, text)
        }
        var hasOrigins = false
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, name.hasPrefix("--"), let option = Self.all.first(where: { $0.name == name.dropFirst(2) }) else {
                throw Self.usage("`hearth serve` has no option \"\(word)\".")
            }
            if option.name == "allow-origin" && !hasOrigins {
                hasOrigins = true
                server.allowedOrigins = []
            }
            if option.placeholder == nil {
                guard parts.count == 1 else { throw Self.usage("--\(option.name) takes no value.") }
                try option.set(&self, "")
            } else if parts.count == 2 {
                try option.set(&self, String(parts[1]))
            } else if let value = rest.popFirst() {
                try option.set(&self, value)
            } else {
                throw Self.usage("--\(option.name) needs a value: \(option.placeholder ?? "").")
            }
        }
        try settleTLS()
    }

    private mutating func settleTLS() throws(Program.Complaint) {
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            guard !wantsSelfSigned else { throw Self.usage("Either --tls-self-signed, or --tls-certificate and --tls-key.") }
            server.tls = ServerSettings.TLS(certificatePath: certificate, keyPath: key)
        case (_?, nil): throw Self.usage("--tls-certificate needs --tls-key too.")
        case (nil, _?): throw Self.usage("--tls-key needs --tls-certificate too.")
        }
        guard relay.conversationQuotaBytes <= relay.totalQuotaBytes else {
            throw Self.usage("The quota of one conversation (\(relay.conversationQuotaBytes >> 20) MB) is larger than that of all (\(relay.totalQuotaBytes >> 20) MB).")
        }
    }

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(Program.Complaint) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw usage("--\(name) is \"\(text)\" and must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func usage(_ text: String) -> Program.Complaint { Program.Complaint(exit: .usage, text: text + " `hearth serve --help` explains.") }
}
