// One network connection: what the library's handle stands for on our side.

import CLws
import Relay
import Wire

/// On the loop's thread only. The library's handle holds one retain; it is let go when the handle dies.
final class LwsConnection: ExchangePort {
    private(set) var wsi: OpaquePointer?
    let address: String
    var exchange: Exchange?
    var socket: LwsSocket?
    /// Set once an upgrade has been admitted.
    var conversation: ConversationID?
    let startedNanoseconds = monotonicNanoseconds()

    init(_ wsi: OpaquePointer, address: String) {
        self.wsi = wsi
        self.address = address
    }

    /// The handle is about to die: nothing may be asked of it any more.
    func detach() { wsi = nil }

    var isClear: Bool { wsi.map { lws_partial_buffered($0) == 0 } ?? false }

    func write(head: [UInt8]) -> Bool {
        guard let wsi else { return false }
        // An answer may wait longer than the library expects of a request; the exchange has its own deadlines.
        clws_no_timeout(wsi)
        return LwsBuffer.write(head.count) { buffer in
            buffer.copyBytes(from: head)
            return clws_write_head(wsi, buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), head.count) >= 0
        }
    }

    func write(bodyUpTo countBytes: Int, isLast: (Int) -> Bool, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
        guard let wsi else { return nil }
        return LwsBuffer.write(min(countBytes, LwsBuffer.pieceSizeBytes)) { buffer in
            let count = fill(buffer)
            guard count > 0 else { return nil }
            let result = clws_write_body(wsi, buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), count, isLast(count) ? 1 : 0)
            return result < 0 ? nil : count
        }
    }

    func requestWritable() {
        if let wsi { lws_callback_on_writable(wsi) }
    }

    func pauseReading() {
        guard let wsi else { return }
        clws_no_timeout(wsi)
        lws_rx_flow_control(wsi, 0)
    }

    func resumeReading() {
        if let wsi { lws_rx_flow_control(wsi, 1) }
    }

    func kill() {
        if let wsi { clws_kill(wsi) }
    }
}

/// One buffer for everything that is written piece by piece, with the library's spare bytes in front. On the loops' threads: one each.
enum LwsBuffer {
    static let pieceSizeBytes = 65_536

    static func write<Value>(_ countBytes: Int, _ body: (UnsafeMutableRawBufferPointer) -> Value) -> Value {
        let headroom = Int(clws_headroom())
        return withUnsafeTemporaryAllocation(byteCount: headroom + max(countBytes, 1), alignment: 16) { buffer in
            body(UnsafeMutableRawBufferPointer(rebasing: buffer[headroom..<(headroom + countBytes)]))
        }
    }
}
