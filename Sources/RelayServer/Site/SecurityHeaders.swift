// What browsers are told to forbid, so that a mistake in the page cannot become a leak.

enum SecurityHeaders {
    /// `host` has passed the gate: it holds no character that could end the policy.
    static func forPages(host: String, isSecure: Bool) -> [Answer.Header] {
        // Older browsers do not count WebSockets to 'self'. Behind a proxy the page may be https while we speak http, so both are named.
        let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; \
            connect-src 'self' ws://\(host) wss://\(host); worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hearth
            """
        var headers = [
            Answer.Header("Content-Security-Policy", policy),
            Answer.Header("X-Content-Type-Options", "nosniff"),
            Answer.Header("Referrer-Policy", "no-referrer"),
            Answer.Header("Cross-Origin-Resource-Policy", "same-origin"),
            Answer.Header("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()"),
            Answer.Header("X-Frame-Options", "DENY"),
        ]
        // Elsewhere browsers do not heed it, and say so as an error on every page.
        if isSecure || isOnThisMachine(host) { headers.append(Answer.Header("Cross-Origin-Opener-Policy", "same-origin")) }
        if isSecure { headers.append(Answer.Header("Strict-Transport-Security", "max-age=15552000")) }
        return headers
    }

    /// Whether browsers trust `host` without encryption: nobody can stand in between.
    private static func isOnThisMachine(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
        let isLoopback = name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
        return name == "localhost" || name.hasSuffix(".localhost") || isLoopback || name == "[::1]"
    }
}
