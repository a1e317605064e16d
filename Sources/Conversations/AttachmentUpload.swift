// Sends the sealed parts of one attachment, in any order, as often as it takes, and then says that they are whole.

import Sealing
import Wire

/// One announced attachment on its way to the relay. Cancelling the task that runs it stops it; what has been stored stays until the attachment is removed.
struct AttachmentUpload {
    /// What happens to the parts of one upload while they are sent.
    private enum Event: Sendable {
        /// A part may be sealed; `nil`: the upload was cancelled first.
        case turn(SlotQueue.Ticket?)
        case arrived(sizeBytes: Int, PartFailure?)
    }

    let conversation: Conversation
    let address: AttachmentAddress
    let source: any AttachmentSource
    let manifest: Manifest
    let onProgress: ProgressHandler
    private var hashes: [[UInt8]?]
    private var pause: RetryPause
    private var shortestPause = Duration.zero
    private var storedBytes = 0

    init(conversation: Conversation, address: AttachmentAddress, source: any AttachmentSource, manifest: Manifest, onProgress: @escaping ProgressHandler) {
        self.conversation = conversation
        self.address = address
        self.source = source
        self.manifest = manifest
        self.onProgress = onProgress
        hashes = Array(repeating: nil, count: manifest.layout.partCount)
        pause = RetryPause(conversation.environment)
    }

    /// Returns when the relay has everything on disk and the final entry has its place.
    mutating func run() async throws(ConversationError) {
        defer { conversation.transfers.sent(address.entry) }
        let sealer: BodySealer
        do throws(SealingError) { sealer = try BodySealer(manifest, attachment: address.entry) } catch { throw ConversationError(error, tooLarge: .attachmentTooLarge) }
        var missing = Array(0..<manifest.layout.partCount)
        while true {
            if try await send(missing, sealer), try await finish() { return report(.done) }
            report(.interrupted)
            try await rest()
            missing = try await askMissing()
        }
    }

    /// False when something that may pass came between.
    private mutating func send(_ missing: [Int], _ sealer: BodySealer) async throws(ConversationError) -> Bool {
        let layout = manifest.layout
        storedBytes = layout.bodySizeBytes - missing.reduce(0) { $0 + layout.partSizeBytes($1) }
        report(.moving)
        let outcome: Result<PartFailure?, ConversationError> = await withTaskGroup(of: Event.self) { [conversation, address] group in
            var parts = missing[...]
            var failure: PartFailure?
            var isInTurn = false
            func queue(_ group: inout TaskGroup<Event>) {
                guard !isInTurn, !parts.isEmpty, failure == nil else { return }
                isInTurn = true
                group.addTask { .turn(await conversation.transfers.sealed.take(address.entry)) }
            }
            queue(&group)
            while let event = await group.next() {
                switch event {
                case .turn(let ticket):
                    isInTurn = false
                    guard let ticket else { continue }
                    // Nobody begins another part after a failure, whether that may pass or not.
                    guard failure == nil, !Task.isCancelled, let part = parts.popFirst() else {
                        conversation.transfers.sealed.giveBack(ticket)
                        continue
                    }
                    let bytes: [UInt8]
                    do throws(ConversationError) { bytes = try seal(part, sealer) } catch {
                        conversation.transfers.sealed.giveBack(ticket)
                        return .failure(error)
                    }
                    group.addTask {
                        defer { conversation.transfers.sealed.giveBack(ticket) }
                        let failure = await conversation.transfers.outgoing.carry(address.entry, sizeBytes: bytes.count, cancelled: .unreachable) {
                            await Self.put(part, bytes, address, conversation)
                        }
                        return .arrived(sizeBytes: bytes.count, failure)
                    }
                case .arrived(let sizeBytes, let next):
                    if next == nil {
                        storedBytes += sizeBytes
                        pause.succeed()
                        report(.moving)
                    }
                    failure = failure ?? next
                }
                queue(&group)
            }
            return .success(failure)
        }
        if Task.isCancelled { throw ConversationError(.aborted) }
        guard let failure = try outcome.get() else { return true }
        try await judge(failure)
        return false
    }

    private static func put(_ part: Int, _ bytes: [UInt8], _ address: AttachmentAddress, _ conversation: Conversation) async -> PartFailure? {
        do throws(PartFailure) {
            try await conversation.transport.put(part, of: address, relayToken: conversation.relayToken, bytes)
            return nil
        } catch {
            return error
        }
    }

    private mutating func seal(_ part: Int, _ sealer: BodySealer) throws(ConversationError) -> [UInt8] {
        do {
            let read = { [source] (offset: Int, buffer: UnsafeMutableRawBufferPointer) throws(ConversationError) in try source.read(at: offset, into: buffer) }
            return try sealer.withPart(part, read: read) { bytes in
                if hashes[part] == nil { hashes[part] = try sha256(bytes) }
                return Array(bytes)
            }
        } catch let error as ConversationError {
            throw error
        } catch BodySealer.Failure.sourceChanged {
            throw ConversationError(.sourceChanged)
        } catch {
            throw ConversationError(.cryptoFailed)
        }
    }

    private mutating func rest() async throws(ConversationError) {
        defer { shortestPause = .zero }
        try await pause.wait(atLeast: shortestPause)
    }

    /// Throws for what trying again would not mend.
    private mutating func judge(_ failure: PartFailure) async throws(ConversationError) {
        switch failure {
        case .unreachable, .beingStored, .diskFull: return
        case .notYetThere: shortestPause = RetryPause.askedFor
        case .gone, .notInvited: _ = try await conversation.standing(address)
        case .refused(let status): throw ConversationError(.notPermitted, limit: 200, value: status)
        case .refusedByProxy(let status): throw ConversationError(.proxyLimit, value: status)
        }
    }

    private mutating func askMissing() async throws(ConversationError) -> [Int] {
        while true {
            let failure: PartFailure
            do throws(PartFailure) {
                let standing = try await conversation.transport.standing(of: address, relayToken: conversation.relayToken)
                let missing = Set(standing.missingParts)
                // A part whose hash was never taken is sent, whatever the relay says of it.
                return hashes.indices.filter { missing.contains($0) || hashes[$0] == nil }
            } catch { failure = error }
            if Task.isCancelled { throw ConversationError(.aborted) }
            try await judge(failure)
            report(.interrupted)
            try await rest()
        }
    }

    /// False when the relay does not hold everything after all, or its disk did not take it.
    private func finish() async throws(ConversationError) -> Bool {
        let final: Manifest
        do throws(SealingError) { final = try manifest.with(partHashes: hashes.compactMap { $0 }) } catch { throw ConversationError(error, tooLarge: .entryTooLarge) }
        do throws(ConversationError) {
            try await conversation.put(
                .attachment(final), at: EntryPlace(session: address.session, entry: address.entry), flags: .bodyComplete, bodySizeBytes: manifest.layout.bodySizeBytes)
            return true
        } catch {
            guard error.code == .bodyIncomplete || error.code == .storageFailed else { throw error }
            return false
        }
    }

    private func report(_ phase: TransferProgress.Phase) {
        onProgress(TransferProgress(phase: phase, bytes: storedBytes, totalBytes: manifest.layout.bodySizeBytes))
    }
}
