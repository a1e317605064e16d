// Loads the sealed parts of one attachment, opens them in order while later ones travel, and trusts nothing before the end.

import Sealing
import Wire

/// Cancelling the task that runs it stops it.
struct AttachmentDownload {
    let conversation: Conversation
    let address: AttachmentAddress
    let entry: LedgerEntry
    let manifest: Manifest
    let sink: any AttachmentSink
    let onProgress: ProgressHandler
    private var pause: RetryPause

    init(conversation: Conversation, address: AttachmentAddress, entry: LedgerEntry, manifest: Manifest, sink: any AttachmentSink, onProgress: @escaping ProgressHandler) {
        self.conversation = conversation
        self.address = address
        self.entry = entry
        self.manifest = manifest
        self.sink = sink
        self.onProgress = onProgress
        pause = RetryPause(conversation.environment)
    }

    /// Returns when everything has come and its maker has vouched for all of it.
    mutating func run() async throws(ConversationError) {
        defer { conversation.transfers.loaded(address.entry) }
        do throws(ConversationError) {
            let opener: BodyOpener
            do throws(SealingError) { opener = try BodyOpener(manifest, attachment: address.entry, bodySizeBytes: entry.bodySizeBytes) } catch {
                throw ConversationError(error, tooLarge: .attachmentTooLarge)
            }
            var ahead: AsyncThrowingStream<[UInt8], any Error>?
            for part in 0..<manifest.layout.partCount {
                let stream = ahead ?? get(part)
                // The next part travels while this one is opened.
                ahead = part + 1 < manifest.layout.partCount ? get(part + 1) : nil
                try await load(part, from: stream, opener)
            }
            let final = try await conversation.finalManifest(address)
            do throws(SealingError) { try opener.finish(partHashes: final.partHashes) } catch { throw ConversationError(.tampered) }
            try sink.finish()
            report(.done, opener)
        } catch {
            sink.abandon()
            throw error
        }
    }

    /// Begins at once, or when it is this part's turn.
    private func get(_ part: Int) -> AsyncThrowingStream<[UInt8], any Error> {
        let sizeBytes = manifest.layout.partSizeBytes(part)
        return AsyncThrowingStream { [conversation, address] continuation in
            let task = Task {
                let travel = { () async -> (any Error)? in
                    do {
                        for try await piece in conversation.transport.get(part, of: address, relayToken: conversation.relayToken) { continuation.yield(piece) }
                        // A stream that is cancelled ends as if all had come.
                        return Task.isCancelled ? CancellationError() : nil
                    } catch { return error }
                }
                let isWhole = (try? await conversation.standing(address))?.1.partHashes.isEmpty == false
                let failure = isWhole ? await conversation.transfers.incoming.carry(address.entry, sizeBytes: sizeBytes, cancelled: CancellationError(), travel) : await travel()
                continuation.finish(throwing: failure)
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Tries until the part is there.
    private mutating func load(_ part: Int, from first: AsyncThrowingStream<[UInt8], any Error>, _ opener: BodyOpener) async throws(ConversationError) {
        let start = part * Limits.partSizeBytes
        let end = start + manifest.layout.partSizeBytes(part)
        var stream = first
        while opener.takenBytes < end {
            // The sealed bytes of a part are the same each time: what has been opened already is passed over.
            var passOver = opener.takenBytes - start
            let failure = await receive(from: stream, &passOver, end, opener)
            if Task.isCancelled { throw ConversationError(.aborted) }
            guard opener.takenBytes < end else { break }
            switch failure {
            case let error as ConversationError: throw error
            case PartFailure.gone?, PartFailure.notInvited?: _ = try await conversation.standing(address)
            case PartFailure.refused(let status)?: throw ConversationError(.notPermitted, limit: 200, value: status)
            case PartFailure.refusedByProxy(let status)?: throw ConversationError(.proxyLimit, value: status)
            default: break
            }
            let isWaiting = failure as? PartFailure == .notYetThere
            report(isWaiting ? .waiting : .interrupted, opener)
            try await pause.wait(atLeast: isWaiting ? RetryPause.askedFor : .zero)
            _ = try await conversation.standing(address)
            stream = get(part)
        }
    }

    /// Returns what ended it; `nil` when it ended by itself, whether all has come or not.
    private mutating func receive(
        from stream: AsyncThrowingStream<[UInt8], any Error>, _ passOver: inout Int, _ end: Int, _ opener: BodyOpener
    ) async -> (any Error)? {
        do {
            for try await piece in stream {
                let skipped = min(passOver, piece.count)
                passOver -= skipped
                guard piece.count - skipped <= end - opener.takenBytes else { throw ConversationError(.tampered) }
                try piece[skipped...].withUnsafeBytes { bytes in
                    guard !bytes.isEmpty else { return }
                    do { try opener.take(bytes) { try sink.write($0) } } catch is SealingError { throw ConversationError(.tampered) }
                }
                pause.succeed()
                report(.moving, opener)
            }
            return nil
        } catch {
            return error
        }
    }

    private func report(_ phase: TransferProgress.Phase, _ opener: BodyOpener) {
        onProgress(TransferProgress(phase: phase, bytes: opener.takenBytes, totalBytes: entry.bodySizeBytes))
    }
}
