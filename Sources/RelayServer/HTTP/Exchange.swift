// One request and its answer, from the head to the last byte. Uploads and downloads of parts build on it.

import Relay

/// What an exchange needs from its connection. Used on the loop's thread only.
protocol ExchangePort: AnyObject {
    /// False while bytes wait that the socket has not taken.
    var isClear: Bool { get }
    /// False when the connection is broken.
    func write(head: [UInt8]) -> Bool
    /// Lets `fill` put up to `countBytes` into a buffer and writes what it put there. Returns the count, or `nil` when it is broken or `fill` gave nothing.
    func write(bodyUpTo countBytes: Int, isLast: (Int) -> Bool, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int?
    func requestWritable()
    func pauseReading()
    func resumeReading()
    /// Cuts the connection soon.
    func kill()
}

/// What the connection does after an exchange was heard.
enum ExchangeStep { case goOn, finished, close }

/// On the loop's thread only.
class Exchange: @unchecked Sendable {
    let front: Front
    let port: any ExchangePort
    let head: RequestHead
    let route: Route
    let request: RequestGate.Admitted
    let startedNanoseconds: UInt64
    /// When the loop's clock has passed this, `deadlinePassed` is called.
    var deadlineNanoseconds: UInt64
    private(set) var bodyRemainingBytes: Int
    private(set) var sentBodyBytes = 0
    private(set) var status = 0
    private var pending: Answer?
    private var isHeadSent = false
    private var closesAfter = false

    init(front: Front, port: any ExchangePort, head: RequestHead, route: Route, request: RequestGate.Admitted) {
        self.front = front
        self.port = port
        self.head = head
        self.route = route
        self.request = request
        startedNanoseconds = monotonicNanoseconds()
        bodyRemainingBytes = request.bodyLengthBytes
        deadlineNanoseconds = startedNanoseconds + UInt64(front.settings.partTimeLimitSeconds) * 1_000_000_000
    }

    var isBodyIn: Bool { bodyRemainingBytes == 0 }
    var isAnswered: Bool { pending != nil || isHeadSent }

    /// Answers. A body that is still coming is read to its end first and dropped, so that the answer is not lost in a reset
    /// connection; whoever waits for a word before sending (100-continue) is told at once.
    func answer(_ answer: Answer) {
        guard !isAnswered else { return }
        if !isBodyIn && request.expectsContinue {
            closesAfter = true
            bodyRemainingBytes = 0
        }
        pending = head.method == .head ? answer.withoutBody : answer
        if isBodyIn { respond() }
    }

    /// Called from a callback of the connection. `nil` bytes: the body is at its end.
    final func received(_ bytes: UnsafeRawBufferPointer) -> ExchangeStep {
        guard bytes.count <= bodyRemainingBytes else { return .close }
        bodyRemainingBytes -= bytes.count
        front.figures.bodyBytesReceived += UInt64(bytes.count)
        if pending == nil { take(bytes) }
        return .goOn
    }

    /// The body's last byte has come. A second call means that bytes follow before the answer: then the connection is closed.
    final func receivedEnd() -> ExchangeStep {
        guard isBodyIn, !hasEnded else { return .close }
        hasEnded = true
        if pending != nil { respond() } else { bodyEnded() }
        return .goOn
    }
    private var hasEnded = false

    private func respond() {
        extendDeadline()
        port.requestWritable()
    }

    /// Gives the other side time to take what is written next.
    final func extendDeadline() {
        deadlineNanoseconds = monotonicNanoseconds() + UInt64(front.settings.stalledReaderTimeLimitSeconds) * 1_000_000_000
    }

    final func writeHead(_ answer: Answer) -> Bool {
        isHeadSent = true
        status = answer.status
        var answer = answer
        if route.isOfProtocol, let allowed = front.origins.allowedForeign(head.origin.value) {
            answer.headers += [
                .init("Access-Control-Allow-Origin", allowed), .init("Access-Control-Expose-Headers", "Hearth, Retry-After"), .init("Vary", "Origin"),
            ]
        }
        return port.write(head: answer.head(isOfProtocol: route.isOfProtocol, closes: closesAfter))
    }

    final func countSent(_ countBytes: Int) {
        sentBodyBytes += countBytes
        front.figures.bodyBytesSent += UInt64(countBytes)
    }

    /// Writes as much of the answer as the socket takes.
    func writable() -> ExchangeStep {
        guard let pending, isBodyIn else { return .goOn }
        if !isHeadSent && !writeHead(pending) { return .close }
        while sentBodyBytes < pending.body.count {
            guard port.isClear else {
                port.requestWritable()
                return .goOn
            }
            let offset = sentBodyBytes
            let fill: (UnsafeMutableRawBufferPointer) -> Int = { buffer in
                pending.body[offset...].withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(buffer.count))) }
                return buffer.count
            }
            let written = port.write(bodyUpTo: pending.body.count - offset, isLast: { offset + $0 == pending.body.count }, fill: fill)
            guard let written else { return .close }
            countSent(written)
            extendDeadline()
        }
        return closesAfter ? .close : .finished
    }

    // What kinds of exchange do in their own way.

    /// After the head has passed the gate.
    func begin() {}
    func take(_ bytes: UnsafeRawBufferPointer) {}
    func bodyEnded() {}
    /// The exchange is over: answered, or its connection is gone.
    func ended() {}
    func deadlinePassed() { port.kill() }
    /// The relay is about to stop: what only waits is answered.
    func drain() {}
    /// Whether it reads or writes something of what is being erased.
    func concerns(_ erasure: RelayErasure) -> Bool { false }
    func cutForErasure() { port.kill() }
}

/// An exchange whose answer is known at once or comes by itself later.
final class PlainExchange: Exchange, @unchecked Sendable {
    private let work: (PlainExchange) -> Void

    init(front: Front, port: any ExchangePort, head: RequestHead, route: Route, request: RequestGate.Admitted, work: @escaping (PlainExchange) -> Void) {
        self.work = work
        super.init(front: front, port: port, head: head, route: route, request: request)
    }

    override func begin() { work(self) }
}
