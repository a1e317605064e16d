// The way to a relay from a program that was simply started.

import Conversations
import Sealing
import Synchronization
import Transports

/// How the process reaches relays: over the network, unless something else is put in its place. Not in Apple's framework.
public enum RelayTransports {
    private static let maker = Mutex<@Sendable (Invitation) -> (any RelayTransport)?> { WebSocketTransport(origin: $0.origin) }

    /// To be called before anything needs a conversation.
    public static func use(_ make: @escaping @Sendable (Invitation) -> any RelayTransport) { maker.withLock { $0 = make } }

    static func make(to invitation: Invitation) -> (any RelayTransport)? { maker.withLock(\.self)(invitation) }
}
