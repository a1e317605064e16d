// What the program says once the relay is open.

import Glibc
import QRCodes
import RelayServer

enum Greeting {
    static func say(_ options: ServeOptions, port: Int) {
        let scheme = options.server.tls == nil ? "http" : "https"
        Program.say("Hearth is open at \(scheme)://localhost:\(port)/")
        guard options.server.host == nil || options.server.host?.hasPrefix("127.") == false else { return }
        guard let address = options.server.host ?? MachineAddresses.reachable.first else { return }
        let reachable = "\(scheme)://\(address.contains(":") ? "[\(address)]" : address):\(port)/"
        Program.say("For other devices on this network: \(reachable)")
        if let tls = options.server.tls {
            if tls.isSelfSigned, let fingerprint = SelfSignedCertificate.fingerprint(tls.certificatePath) {
                Program.say("Browsers will ask once whether to trust this certificate. Its SHA-256 fingerprint:\n  \(fingerprint)")
            }
        } else {
            Program.say("Other devices encrypt only over https. For that, start with: hearth serve --tls-self-signed")
        }
        if isatty(1) == 1, let code = QRCode.text(reachable) { Program.say(code) }
    }
}
