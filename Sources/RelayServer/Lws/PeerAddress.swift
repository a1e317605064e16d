// The other end's address of a socket, as text. IPv6 is told by its first 64 bits: that is what one household has.

import Glibc

enum PeerAddress {
    static func text(_ descriptor: Int32) -> String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard result == 0 else { return "unknown" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
        switch Int32(storage.ss_family) {
        case AF_INET:
            withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var number = address.pointee.sin_addr
                    inet_ntop(AF_INET, &number, &text, socklen_t(text.count))
                }
            }
        case AF_INET6:
            withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var number = address.pointee.sin6_addr
                    let isMapped = withUnsafeBytes(of: number) { $0[..<10].allSatisfy { $0 == 0 } && $0[10] == 0xff && $0[11] == 0xff }
                    let isLoopback = withUnsafeBytes(of: number) { $0[..<15].allSatisfy { $0 == 0 } && $0[15] == 1 }
                    if !isMapped && !isLoopback { withUnsafeMutableBytes(of: &number) { bytes in for index in 8..<16 { bytes[index] = 0 } } }
                    inet_ntop(AF_INET6, &number, &text, socklen_t(text.count))
                }
            }
        default: return "unknown"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
