// One WebSocket to a relay: what is to go waits in it for the loop's thread, what comes goes into a stream.

import CLws
import Conversations
import Synchronization

final class ClientSocket: RelayConnection, @unchecked Sendable {
    private struct State {
        var queue: [[UInt8]] = []
        var first = 0
        var waitingBytes = 0
        var isClosing = false
        var isOver = false
    }

    /// A message from a relay is a batch or one large frame; beyond this it is none.
    private static let messageSizeLimitBytes = 1 << 20

    let path: String
    let events: AsyncStream<RelayConnectionEvent>
    private let continuation: AsyncStream<RelayConnectionEvent>.Continuation
    private let loop: ClientLoop
    private let state = Mutex(State())
    // On the loop's thread only.
    var wsi: OpaquePointer?
    private var isEstablished = false
    private var message: [UInt8] = []
    private var closeCode: UInt16 = 1006

    init(path: String, loop: ClientLoop) {
        self.path = path
        self.loop = loop
        (events, continuation) = AsyncStream.makeStream()
    }

    var waitingBytes: Int { state.withLock(\.waitingBytes) }

    func send(_ message: [UInt8]) {
        let isFirst = state.withLock { state -> Bool in
            guard !state.isOver, !state.isClosing else { return false }
            state.queue.append(message)
            state.waitingBytes += message.count
            return state.queue.count - state.first == 1
        }
        if isFirst { loop.wantsToWrite(self) }
    }

    func close() {
        let isFirst = state.withLock { state -> Bool in
            defer { state.isClosing = true }
            return !state.isClosing && !state.isOver
        }
        if isFirst { loop.wantsToClose(self) }
    }

    // MARK: On the loop's thread

    /// The loop was asked to write or to close.
    func nudge() {
        guard let wsi else { return }
        if isEstablished {
            lws_callback_on_writable(wsi)
            // A line on which nothing can be written is not waited for.
            if state.withLock(\.isClosing) { clws_close_within(wsi, 2) }
        } else if state.withLock(\.isClosing) {
            clws_kill(wsi)
        }
    }

    /// Returns what the library wants to hear: 0 to go on, -1 to close.
    func handle(_ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        switch reason {
        case LWS_CALLBACK_CLIENT_ESTABLISHED:
            isEstablished = true
            continuation.yield(.opened)
            lws_callback_on_writable(wsi)
        case LWS_CALLBACK_CLIENT_RECEIVE: return receive(UnsafeRawBufferPointer(start: input, count: count))
        case LWS_CALLBACK_CLIENT_WRITEABLE: return write()
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            if let input, count >= 2 { closeCode = UInt16(bigEndian: input.loadUnaligned(as: UInt16.self)) }
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR, LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_WSI_DESTROY: over()
        default: break
        }
        return 0
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard message.count + bytes.count <= Self.messageSizeLimitBytes else {
            clws_close_reason(wsi, 1009)
            return -1
        }
        message.append(contentsOf: bytes)
        guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
        // Text is no frame; an empty message is none either, and whoever reads it will say so.
        continuation.yield(.message(lws_frame_is_binary(wsi) != 0 ? message : []))
        message = []
        return 0
    }

    private func write() -> Int32 {
        let (next, isClosing) = state.withLock { state -> ([UInt8]?, Bool) in
            guard state.first < state.queue.count else { return (nil, state.isClosing) }
            let next = state.queue[state.first]
            state.queue[state.first] = []
            state.first += 1
            state.waitingBytes -= next.count
            if state.first == state.queue.count {
                state.queue.removeAll(keepingCapacity: true)
                state.first = 0
            }
            return (next, state.isClosing)
        }
        guard let next else {
            guard isClosing else { return 0 }
            clws_close_reason(wsi, 1000)
            return -1
        }
        let headroom = Int(clws_headroom())
        let written = withUnsafeTemporaryAllocation(byteCount: headroom + next.count, alignment: 16) { buffer in
            UnsafeMutableRawBufferPointer(rebasing: buffer[headroom...]).copyBytes(from: next)
            return clws_write_message(wsi, (buffer.baseAddress! + headroom).assumingMemoryBound(to: UInt8.self), next.count)
        }
        guard written >= 0 else { return -1 }
        lws_callback_on_writable(wsi)
        return 0
    }

    /// Once, whatever the library says how often.
    func over() {
        wsi = nil
        let isFirst = state.withLock { state -> Bool in
            defer { state = State(isClosing: true, isOver: true) }
            return !state.isOver
        }
        guard isFirst else { return }
        continuation.yield(.closed(code: closeCode))
        continuation.finish()
        loop.forget(self)
    }
}
