// Which web pages may open a socket here: our own, those the operator has named, and programs that are no pages.

struct OriginPolicy: Sendable {
    /// Origins as browsers send them, such as `https://photos.example`. `*` allows every page.
    let allowed: Set<String>

    init(allowed: [String]) { self.allowed = Set(allowed.map { $0.lowercased() }) }

    /// `origin` is the Origin header, `host` the Host header. The scheme is not compared: a proxy in front may speak TLS for us.
    func permits(_ origin: String?, host: String) -> Bool {
        guard let origin = origin?.lowercased() else { return true }
        if allowedForeign(origin) != nil { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) { return origin.dropFirst(scheme.count) == host.lowercased() }
        return false
    }

    /// What an answer says of an allowed origin: the origin itself as it was configured, or `*`. Never what only the request said.
    func allowedForeign(_ origin: String?) -> String? {
        guard let origin = origin?.lowercased() else { return nil }
        if allowed.contains("*") { return "*" }
        return allowed.contains(origin) ? origin : nil
    }
}
