// Something in front of a relay that answers in its place: never taken for success, and told apart by whether it would answer so again.

import Conversations
import Glibc
import Testing
import Transports
import Wire

@Suite(.timeLimit(.minutes(1)))
struct ProxyPageTests {
    private let address = AttachmentAddress(conversation: ConversationID(.zero), session: .own, entry: EntryID(.zero))

    @Test(arguments: [(413, PartFailure.refusedByProxy(status: 413)), (411, .refusedByProxy(status: 411)), (200, .unreachable), (201, .unreachable), (404, .unreachable), (503, .unreachable)])
    func `what a proxy answers is no success, and a body that it will never take is told with its status`(status: Int, failure: PartFailure) async throws {
        let proxy = try AnsweringProxy(status: status, afterBytes: readsAll(status) ? Limits.partSizeBytes : 1)
        let transport = try #require(WebSocketTransport(origin: "http://127.0.0.1:\(proxy.port)"))
        let part = [UInt8](repeating: 7, count: Limits.partSizeBytes)
        await #expect(throws: failure) { try await transport.put(0, of: address, relayToken: Array(repeating: 1, count: 32), part) }
        proxy.stop()
    }

    /// A page for everybody, as of a portal, comes when all has been sent; a limit is told sooner.
    private func readsAll(_ status: Int) -> Bool { status < 300 }
}

/// Answers every request with one status and a page of its own, once it has read so much of it.
private final class AnsweringProxy: Sendable {
    let port: Int
    private let listener: Int32

    struct Failure: Error { let number: Int32 }

    init(status: Int, afterBytes: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(listener, name, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, name, &length) == 0
            }
        }
        guard code else { throw Failure(number: errno) }
        self.listener = listener
        port = Int(UInt16(bigEndian: name.sin_port))
        let page = "<html>Request Entity Too Large</html>"
        let answer = Array("HTTP/1.1 \(status) Of A Proxy\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n\(page)".utf8)
        let body = ThreadBody {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                var readBytes = 0
                while readBytes < afterBytes {
                    let count = recv(connection, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    readBytes += count
                }
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                shutdown(connection, Int32(SHUT_WR))
                while recv(connection, &buffer, buffer.count, 0) > 0 {}
                close(connection)
            }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(body).toOpaque())
        pthread_detach(thread)
    }

    /// Takes no more connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
