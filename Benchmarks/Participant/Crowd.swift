// Many participants in one process, and when each of them was let in.

import Conversations
import Glibc
import Sealing
import Synchronization
import Transports

final class Crowd: Sendable {
    /// As many share a conversation.
    private static let participantsPerConversation = 8

    private let people: [Conversation]
    /// Of the monotonic clock, one for each time that somebody was let in.
    private let arrivals = Mutex<[Double]>([])

    /// Nobody has connected yet.
    init(count: Int, relay: String) throws {
        var people: [Conversation] = []
        for first in stride(from: 0, to: count, by: Self.participantsPerConversation) {
            // A way to the relay for each conversation: its loop looks after a few connections, as in real life.
            guard let transport = WebSocketTransport(origin: relay) else { throw BenchError.missing("relay") }
            let invitation = try Invitation(relay: relay)
            for number in first..<min(count, first + Self.participantsPerConversation) {
                people.append(try Conversation(invitation: invitation, name: "\(number)", mayCreate: true, transport: transport))
            }
        }
        self.people = people
    }

    /// Returns when everybody is in.
    func enter() async throws {
        for person in people {
            await follow(person)
            await person.start()
            try await person.introduced()
        }
        _ = arrived()
    }

    /// Waits until everybody has come back once.
    func returned() async -> [Double] {
        while arrivals.withLock(\.count) < people.count { try? await Task.sleep(for: .milliseconds(20)) }
        return arrived()
    }

    /// Those who have come since it was asked last.
    func arrived() -> [Double] {
        arrivals.withLock { arrivals in
            defer { arrivals = [] }
            return arrivals.sorted()
        }
    }

    private func follow(_ person: Conversation) async {
        let updates = await person.updates()
        Task {
            var isIn = false
            for await case .connectionChanged in updates {
                let isConnected = await person.isConnected
                if isConnected, !isIn { arrivals.withLock { $0.append(Self.nowSeconds) } }
                isIn = isConnected
            }
        }
    }

    private static var nowSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
