// Where a relay is, in the words that the network libraries want, and which proxy stands before it.

import Glibc

/// Scheme, host and port of a relay.
public struct RelayAddress: Equatable, Sendable {
    let isSecure: Bool
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int

    /// Made once: that takes a millisecond, and each request for a part asks for its relay's proxy.
    private nonisolated(unsafe) static let form = #/(https?):\/\/(\[[0-9A-Fa-f:.]+\]|[^:\/\[\]]+)(?::([0-9]{1,5}))?\/?/#

    /// `nil` for what is no `http://…` or `https://…` origin.
    init?(origin: String) {
        guard let match = origin.wholeMatch(of: Self.form)?.output else { return nil }
        isSecure = match.1 == "https"
        host = match.2.filter { $0 != "[" && $0 != "]" }
        guard let port = match.3.map({ UInt16($0) }) ?? (isSecure ? 443 : 80), port > 0 else { return nil }
        self.port = Int(port)
    }

    var isDefaultPort: Bool { port == (isSecure ? 443 : 80) }

    /// As it stands in the header `Host`.
    var hostHeader: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return isDefaultPort ? name : "\(name):\(port)"
    }

    var origin: String { "\(isSecure ? "https" : "http")://\(hostHeader)" }

    /// `user:password@host:port` of the proxy that the environment names for this relay; `nil` for none.
    func proxy(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> String? {
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
        guard let proxy = names.lazy.compactMap(environment).first(where: { !$0.isEmpty }), !isExempt(environment("no_proxy") ?? environment("NO_PROXY") ?? "") else { return nil }
        let bare = proxy.replacing(#/^[A-Za-z]+:\/\//#, with: "").prefix { $0 != "/" }
        return bare.split(separator: "@").last?.contains(":") ?? false ? String(bare) : "\(bare):80"
    }

    /// `host:port` of the proxy that stands before a relay, for a person to read; `nil` for none.
    public static func proxyName(for origin: String) -> String? {
        RelayAddress(origin: origin)?.proxy()?.split(separator: "@").last.map(String.init)
    }

    private func isExempt(_ list: String) -> Bool {
        if host == "localhost" || host == "::1" || host.hasPrefix("127.") { return true }
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            let name = entry.drop { $0 == "." }
            return entry == "*" || host == name || host.hasSuffix(".\(name)")
        }
    }
}
