// A certificate for the home: made once by the openssl command for all names of this machine, and kept.

import Glibc
import RelayServer

enum SelfSignedCertificate {
    private static let lifetimeDays = 397  // browsers refuse longer ones
    private static let renewalSeconds = 30 * 86_400

    /// Returns the one in `directory`; makes it when there is none, when it is about to end, or when this machine has a new name or address.
    static func keep(in directory: String) throws(Program.Complaint) -> ServerSettings.TLS {
        try DataDirectory.make(directory)
        let tls = ServerSettings.TLS(certificatePath: directory + "/certificate.pem", keyPath: directory + "/key.pem", isSelfSigned: true)
        let names = alternativeNames
        let namesPath = directory + "/names"
        let known = Set(read(namesPath).split(separator: ",").map(String.init))
        let isValid = Subprocess.run(["openssl", "x509", "-checkend", String(renewalSeconds), "-noout", "-in", tls.certificatePath])?.status == 0
        if isValid && access(tls.keyPath, R_OK) == 0 && names.allSatisfy(known.contains) { return tls }
        guard
            let made = Subprocess.run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256", "-days", String(lifetimeDays),
                "-subj", "/CN=Hearth at home", "-addext", "subjectAltName=\(names.joined(separator: ","))", "-addext", "extendedKeyUsage=serverAuth",
                "-addext", "keyUsage=critical,digitalSignature", "-keyout", tls.keyPath, "-out", tls.certificatePath,
            ])
        else { throw Program.Complaint(exit: .configuration, text: "--tls-self-signed needs the program `openssl`. Install it, or give --tls-certificate and --tls-key.") }
        guard made.status == 0 else { throw Program.Complaint(exit: .configuration, text: "openssl could not make a certificate in \(directory): \(made.output)") }
        chmod(tls.keyPath, 0o600)
        write(names.joined(separator: ","), namesPath)
        return tls
    }

    static func fingerprint(_ path: String) -> String? {
        guard let shown = Subprocess.run(["openssl", "x509", "-fingerprint", "-sha256", "-noout", "-in", path]), shown.status == 0,
            let equals = shown.output.lastIndex(of: "=")
        else { return nil }
        return String(shown.output[shown.output.index(after: equals)...].filter { !$0.isWhitespace })
    }

    private static var alternativeNames: [String] {
        var names = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
        if let host = MachineAddresses.hostName, host != "localhost" {
            names.append("DNS:\(host)")
            if !host.contains(".") { names.append("DNS:\(host).local") }
        }
        return names + MachineAddresses.reachable.map { "IP:\($0)" }
    }

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func write(_ text: String, _ path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}
