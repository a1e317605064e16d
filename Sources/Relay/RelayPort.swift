// What the hub needs from a connection. A transport implements it; the hub knows nothing of sockets.

import Wire

/// One connection as the hub sees it. Called on the hub's executor only.
public protocol RelayPort: AnyObject {
    /// False while the transport still holds bytes that the socket has not taken.
    var isClear: Bool { get }
    /// Writes the batch as one binary message. Called only while `isClear`. Must not call back into the hub.
    func send(_ batch: Batch)
    /// Asks for `RelayHub.becameWritable` once the socket takes more.
    func requestWritable()
    /// Closes with the reason's number. Must not call back into the hub synchronously; `RelayHub.disconnected` follows later.
    func close(_ reason: CloseReason)
}
