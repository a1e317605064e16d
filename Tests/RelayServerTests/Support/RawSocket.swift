// A TCP connection to the relay that sends exactly the bytes a test wants. Blocking; for threads that may wait.

import Glibc

enum RawSocketError: Error {
    case notConnected(Int32)
    case brokenOff, tooLong, timedOut
}

final class RawSocket {
    private let descriptor: Int32
    private var buffered: [UInt8] = []

    init(port: Int, waitsSeconds: Int = 20) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var wait = timeval(tv_sec: waitsSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard result == 0 else { throw RawSocketError.notConnected(errno) }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw RawSocketError.brokenOff }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// More bytes from the socket; false at its end.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { throw RawSocketError.timedOut }
        guard count > 0 else { return false }
        buffered += piece[..<count]
        return true
    }

    func read(_ count: Int) throws -> [UInt8] {
        while buffered.count < count { guard try fill() else { throw RawSocketError.brokenOff } }
        defer { buffered.removeFirst(count) }
        return Array(buffered[..<count])
    }

    /// Up to and with the empty line after a head.
    func readHead() throws -> String {
        let end: [UInt8] = [13, 10, 13, 10]
        while true {
            if let index = (0..<max(0, buffered.count - 3)).first(where: { Array(buffered[$0..<($0 + 4)]) == end }) {
                return String(decoding: try read(index + 4), as: UTF8.self)
            }
            guard buffered.count < 1 << 20 else { throw RawSocketError.tooLong }
            guard try fill() else { throw RawSocketError.brokenOff }
        }
    }

    /// Everything until the relay closes.
    func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffered = [] }
        return buffered
    }

    /// The socket's receive buffer made small, so that a reader that does not read is soon felt.
    func shrinkReceiveBuffer() {
        var size: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
}
