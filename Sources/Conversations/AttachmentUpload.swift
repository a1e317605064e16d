// Sends the sealed parts of one attachment, in any order, as often as it takes, and then says that they are whole.

import Sealing
import Wire

/// One announced attachment on its way to the relay. Cancelling the task that runs it stops it; what has been stored stays until the attachment is removed.
struct AttachmentUpload {
    /// So many parts are on their way at once: one is sealed while others travel.
    static let parallelPartLimit = 2

    let conversation: Conversation
    let address: AttachmentAddress
    let source: any AttachmentSource
    let manifest: Manifest
    let onProgress: ProgressHandler
    private var hashes: [[UInt8]?]
    private var pause: RetryPause
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
        let sealer: BodySealer
        do throws(SealingError) { sealer = try BodySealer(manifest, attachment: address.entry) } catch { throw ConversationError(error, tooLarge: .attachmentTooLarge) }
        var missing = Array(0..<manifest.layout.partCount)
        while true {
            if try await send(missing, sealer), try await finish() { return report(.done) }
            report(.interrupted)
            try await pause.wait()
            missing = try await askMissing()
        }
    }

    /// False when something that may pass came between.
    private mutating func send(_ missing: [Int], _ sealer: BodySealer) async throws(ConversationError) -> Bool {
        let layout = manifest.layout
        storedBytes = layout.bodySizeBytes - missing.reduce(0) { $0 + layout.partSizeBytes($1) }
        report(.moving)
        var travelling: [Task<PartFailure?, Never>] = []
        var sizes: [Int] = []
        var failure: PartFailure?
        for part in missing {
            if Task.isCancelled || failure != nil { break }
            let bytes = try seal(part, sealer)
            travelling.append(Task { [conversation, address] in await Self.put(part, bytes, address, conversation) })
            sizes.append(bytes.count)
            if travelling.count >= Self.parallelPartLimit { failure = await arrived(&travelling, &sizes) }
        }
        while !travelling.isEmpty {
            let next = await arrived(&travelling, &sizes)
            failure = failure ?? next
        }
        if Task.isCancelled { throw ConversationError(.aborted) }
        guard let failure else { return true }
        try await judge(failure)
        return false
    }

    private mutating func arrived(_ travelling: inout [Task<PartFailure?, Never>], _ sizes: inout [Int]) async -> PartFailure? {
        let first = travelling.removeFirst()
        let failure = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            first.cancel()
        }
        let size = sizes.removeFirst()
        guard failure == nil else { return failure }
        storedBytes += size
        pause.succeed()
        report(.moving)
        return nil
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

    /// Throws for what trying again would not mend.
    private func judge(_ failure: PartFailure) async throws(ConversationError) {
        switch failure {
        case .unreachable, .notYetThere, .beingStored, .diskFull: return
        case .gone, .notInvited: _ = try await conversation.standing(address)
        case .refused(let status): throw ConversationError(.notPermitted, limit: 200, value: status)
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
            try await pause.wait()
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
