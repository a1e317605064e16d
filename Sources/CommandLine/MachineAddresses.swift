// The addresses and names under which other devices may reach this machine.

import Glibc

enum MachineAddresses {
    /// Addresses of the network interfaces that are up, without loopback and link-local ones. IPv4 first, home networks before others.
    static var reachable: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let item = next {
            next = item.pointee.ifa_next
            let flags = Int32(bitPattern: item.pointee.ifa_flags)
            guard let address = item.pointee.ifa_addr, flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
                let text = text(address), !text.hasPrefix("169.254."), !text.lowercased().hasPrefix("fe80"), !found.contains(text)
            else { continue }
            found.append(text)
        }
        return found.sorted { rank($0) < rank($1) }
    }

    static var hostName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, 255) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0 == 45 || $0 == 46 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
        return isPlain ? name : nil
    }

    private static func rank(_ address: String) -> Int {
        if address.contains(":") { return 3 }
        if address.hasPrefix("192.168.") { return 0 }
        if address.hasPrefix("172.17.") { return 2 }  // most often a container bridge
        return 1
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.contains("%") ? nil : text
    }
}
