// A WebSocket as the hub sees it.

import CLws
import Relay
import Wire

/// On the loop's thread only.
final class LwsSocket: RelayPort, @unchecked Sendable {
    static let closingTimeLimitSeconds: Int32 = 5

    private var wsi: OpaquePointer?
    let startedNanoseconds = monotonicNanoseconds()
    /// Set right after the hub has got to know this port.
    var id: ConnectionID?
    private(set) var closing: CloseReason?
    /// What has come of a message that arrives in pieces.
    private var partial: [UInt8] = []

    init(_ wsi: OpaquePointer) { self.wsi = wsi }

    func detach() { wsi = nil }

    var isClear: Bool { wsi.map { closing == nil && lws_partial_buffered($0) == 0 } ?? false }

    func send(_ batch: Batch) {
        guard let wsi, closing == nil else { return }
        if clws_write_message(wsi, batch.payload.assumingMemoryBound(to: UInt8.self), batch.countBytes) < 0 { clws_kill(wsi) }
    }

    func requestWritable() {
        if let wsi { lws_callback_on_writable(wsi) }
    }

    /// The reason is sent when the socket takes it; a socket that takes nothing is cut.
    func close(_ reason: CloseReason) {
        guard let wsi, closing == nil else { return }
        closing = reason
        partial = []
        clws_close_within(wsi, Self.closingTimeLimitSeconds)
        lws_callback_on_writable(wsi)
    }

    enum Incoming {
        case incomplete
        /// What has come of the message, this piece included.
        case tooLarge(sizeBytes: Int)
        case whole
    }

    /// Joins the pieces of a message. `whole`: `body` has been called with all of it.
    func join(_ piece: UnsafeRawBufferPointer, isLast: Bool, limitBytes: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Incoming {
        let sizeBytes = partial.count + piece.count
        guard sizeBytes <= limitBytes else {
            partial = []
            return .tooLarge(sizeBytes: sizeBytes)
        }
        if isLast && partial.isEmpty {
            body(piece)
            return .whole
        }
        partial.append(contentsOf: piece)
        guard isLast else { return .incomplete }
        let message = partial
        partial = []
        message.withUnsafeBytes(body)
        return .whole
    }
}
