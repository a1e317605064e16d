// A part on its way in: its bytes go to a disk thread as they come, and to everybody who is already loading it.

import Dispatch
import Relay

final class UploadExchange: Exchange, @unchecked Sendable {
    /// Reading pauses when this much waits for the disk.
    static let backlogLimitBytes = 262_144

    private enum Stage { case storing, published, failed }

    let part: PartName
    private let queue: DispatchQueue
    private var stage = Stage.storing
    private var chunk: [UInt8] = []
    private var backlogBytes = 0
    private var isPaused = false
    private var isConnectionLost = false
    private var readers: [DownloadExchange] = []
    /// There once the disk has made room for it.
    private(set) var upload: (any PartUpload)?
    /// What readers can have so far.
    private(set) var storedBytes = 0

    init(front: Front, port: any ExchangePort, head: RequestHead, route: Route, request: RequestGate.Admitted, part: PartName) {
        self.part = part
        queue = front.disk.assign()
        super.init(front: front, port: port, head: head, route: route, request: request)
    }

    var lengthBytes: Int { request.bodyLengthBytes }
    var hasFailed: Bool { stage == .failed }

    override func begin() {
        front.coming.add(self)
        if request.expectsContinue && !port.write(head: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { port.kill() }
        let (store, part, length, loop) = (front.attachments, part, lengthBytes, front.loop)
        queue.async {
            do throws(StoreError) {
                let upload = try store.beginPart(part, lengthBytes: length)
                loop.perform { self.begun(upload) }
            } catch { loop.perform { self.fail(error) } }
        }
    }

    override func take(_ bytes: UnsafeRawBufferPointer) {
        guard stage == .storing else { return }
        chunk.append(contentsOf: bytes)
        // At once when the disk is idle, so that readers do not wait; else when it is worth a call.
        if upload != nil && (backlogBytes == 0 || chunk.count >= Self.backlogLimitBytes / 2) { handOver() }
        if !isPaused && backlogBytes + chunk.count >= Self.backlogLimitBytes && !isBodyIn {
            isPaused = true
            port.pauseReading()
        }
    }

    override func bodyEnded() {
        guard stage == .storing else { return }
        deadlineNanoseconds = .max
        if upload != nil { finish() }
    }

    private func begun(_ upload: any PartUpload) {
        guard stage == .storing else {
            queue.async { upload.abandon() }
            return
        }
        self.upload = upload
        for reader in front.coming.takeParked(for: part) { reader.follow(self) }
        if isBodyIn { finish() } else { handOver() }
    }

    private func handOver() {
        guard let upload, !chunk.isEmpty else { return }
        let (bytes, loop) = (chunk, front.loop)
        chunk = []
        backlogBytes += bytes.count
        queue.async {
            do throws(StoreError) {
                try self.write(bytes, to: upload)
                loop.perform { self.wrote(bytes.count) }
            } catch { loop.perform { self.fail(error) } }
        }
    }

    private nonisolated func write(_ bytes: [UInt8], to upload: any PartUpload) throws(StoreError) {
        let outcome: Result<Void, StoreError> = bytes.withUnsafeBytes { buffer in
            do throws(StoreError) { return .success(try upload.write(buffer)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    private func wrote(_ countBytes: Int) {
        backlogBytes -= countBytes
        storedBytes += countBytes
        for reader in readers { reader.more() }
        guard stage == .storing else { return }
        if !isBodyIn && backlogBytes == 0 { handOver() }
        if isPaused && backlogBytes + chunk.count <= Self.backlogLimitBytes / 2 { resume() }
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        port.resumeReading()
    }

    private func finish() {
        handOver()
        guard let upload else { return }
        let loop = front.loop
        queue.async {
            do throws(StoreError) {
                try upload.publish()
                loop.perform { self.published() }
            } catch { loop.perform { self.fail(error) } }
        }
    }

    private func published() {
        guard stage == .storing else { return }
        stage = .published
        front.coming.remove(self)
        front.figures.partsStored += 1
        front.hub.assumeIsolated { [part] hub in hub.partStored(part) }
        for reader in readers { reader.more() }
        readers = []
        answer(.json(201, "{}\n"))
    }

    private func fail(_ error: StoreError?) {
        guard stage == .storing else { return }
        stage = .failed
        chunk = []
        front.coming.remove(self)
        front.figures.partsBrokenOff += 1
        if let upload { queue.async { upload.abandon() } }
        for reader in readers { reader.brokenOff() }
        readers = []
        resume()
        if isConnectionLost { return }
        switch error {
        case .full: answer(.error(507, "disk full", "the relay's disk is full; trying again later may work"))
        case .failed(let reason):
            front.log("a part could not be stored: \(front.withoutNames(reason, part.attachment))")
            answer(.error(500, "storage failed", "the relay could not store the part; trying again later may work"))
        case nil: port.kill()
        }
    }

    func addReader(_ reader: DownloadExchange) { readers.append(reader) }
    func removeReader(_ reader: DownloadExchange) { readers.removeAll { $0 === reader } }

    override func ended() {
        isConnectionLost = true
        // A part that is in whole is published although nobody hears the answer.
        if !isBodyIn { fail(nil) }
    }

    override func concerns(_ erasure: RelayErasure) -> Bool { erasure.covers(part.attachment) }

    override func cutForErasure() {
        guard stage == .storing else { return }
        stage = .failed
        chunk = []
        front.coming.remove(self)
        if let upload { queue.async { upload.abandon() } }
        for reader in readers { reader.brokenOff() }
        readers = []
        resume()
        if !isConnectionLost { answer(.noAttachment) }
    }
}
