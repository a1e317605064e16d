// Asks the operating system whether an address and port can be had, since the network library does not say why it failed.

import Glibc

enum ListeningSocket {
    /// Whether sockets of IPv6 can be made on this machine.
    static let isIPv6Possible: Bool = tryToListen(host: "::", port: 0) == 0

    /// 0, or the error number with which listening fails.
    static func tryToListen(host: String?, port: Int) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host ?? "0.0.0.0", String(port), &hints, &found) == 0, let found else { return EADDRNOTAVAIL }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0 else { return errno }
        return 0
    }
}
