// A part on its way out: from its file, or from the hands of whoever is still sending it.

import Relay

final class DownloadExchange: Exchange, @unchecked Sendable {
    /// One connection writes this much before the others have their turn.
    static let turnLimitBytes = 262_144

    private enum Source {
        case parked
        case file(any PartReader)
        /// Follows an upload; reads what it has stored.
        case upload(UploadExchange, any PartUpload)
        case none
    }

    let part: PartName
    let lengthBytes: Int
    private var source = Source.none
    private var isHeadOut = false

    init(front: Front, port: any ExchangePort, head: RequestHead, route: Route, request: RequestGate.Admitted, part: PartName, lengthBytes: Int) {
        self.part = part
        self.lengthBytes = lengthBytes
        super.init(front: front, port: port, head: head, route: route, request: request)
    }

    override func begin() {
        if let upload = front.coming.uploads[part] {
            follow(upload)
        } else if let reader = front.attachments.openPart(part) {
            guard reader.lengthBytes == lengthBytes else {
                front.log("a part on the disk has \(reader.lengthBytes) bytes and not \(lengthBytes)")
                return answer(.error(500, "storage failed", "the part on the relay's disk is damaged"))
            }
            source = .file(reader)
            start()
        } else if front.isDraining {
            answer(.draining)
        } else if head.method == .head {
            answer(.notYetThere)
        } else {
            park()
        }
    }

    /// Waits for the part to begin.
    private func park() {
        source = .parked
        deadlineNanoseconds = startedNanoseconds + UInt64(front.settings.parkingTimeLimitSeconds) * 1_000_000_000
        front.coming.park(self)
    }

    /// Sends the part while it comes in.
    func follow(_ upload: UploadExchange) {
        guard let stored = upload.upload else { return park() }
        source = .upload(upload, stored)
        upload.addReader(self)
        start()
    }

    private func start() {
        extendDeadline()
        port.requestWritable()
    }

    /// The upload that is followed has stored more.
    func more() { port.requestWritable() }

    /// The upload that is followed has ended before its part was whole: so does this answer, short.
    func brokenOff() { port.kill() }

    override func writable() -> ExchangeStep {
        switch source {
        case .file(let reader): return send(availableBytes: lengthBytes) { reader.read(at: $0, into: $1) }
        case .upload(let upload, let stored): return send(availableBytes: upload.storedBytes) { stored.read(at: $0, into: $1) }
        case .parked, .none: return super.writable()
        }
    }

    private func send(availableBytes: Int, _ read: (Int, UnsafeMutableRawBufferPointer) -> Int) -> ExchangeStep {
        if !isHeadOut {
            isHeadOut = true
            let answer = Answer(
                status: 200, headers: [.init("Content-Type", "application/octet-stream"), .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff")])
            var stated = answer
            stated.statedLengthBytes = lengthBytes
            guard writeHead(stated) else { return .close }
            if head.method == .head { return .finished }
        }
        var turnBytes = 0
        while sentBodyBytes < availableBytes {
            guard port.isClear, turnBytes < Self.turnLimitBytes else {
                port.requestWritable()
                return .goOn
            }
            let offset = sentBodyBytes
            guard let count = port.write(bodyUpTo: availableBytes - offset, isLast: { offset + $0 == lengthBytes }, fill: { read(offset, $0) }) else {
                return .close
            }
            countSent(count)
            turnBytes += count
            extendDeadline()
        }
        if sentBodyBytes == lengthBytes { return .finished }
        // Waits for the upload now; how long is the upload's own deadline.
        deadlineNanoseconds = .max
        return .goOn
    }

    override func deadlinePassed() {
        if !answerParked(.notYetThere) { port.kill() }
    }

    override func drain() { _ = answerParked(.draining) }

    /// False when it is not waiting for the part to begin.
    private func answerParked(_ words: Answer) -> Bool {
        guard case .parked = source, !isAnswered else { return false }
        front.coming.unpark(self)
        source = .none
        answer(words)
        return true
    }

    override func ended() {
        switch source {
        case .parked: front.coming.unpark(self)
        case .upload(let upload, _): upload.removeReader(self)
        case .file, .none: break
        }
        source = .none
    }

    override func concerns(_ erasure: RelayErasure) -> Bool { erasure.covers(part.attachment) }

    override func cutForErasure() {
        if !answerParked(.noAttachment) { port.kill() }
    }
}

extension Answer {
    static let notYetThere = Answer.error(503, "not yet there", "the part has not begun to come in; ask again").with("Retry-After", "1")
}
