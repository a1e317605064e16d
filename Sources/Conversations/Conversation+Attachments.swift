// Attachments: announced first, so that everyone has the metadata, then sent; loaded by whoever wants them, also while they are still coming.

import Sealing
import Wire

/// An attachment that has been announced and is on its way.
public struct Sending: Sendable {
    public let entry: EntryID
    /// Ends when the relay has everything, or with what trying again would not mend: the attachment is then taken back. Cancelling it stops
    /// the upload; the announcement stands until it is removed.
    public let upload: Task<Void, any Error>
}

extension Conversation {
    /// Returns once the attachment is announced; the upload goes on.
    /// - Parameter metadata: JSON, at most 64 KiB.
    public func add(
        _ source: any AttachmentSource, metadata: [UInt8], in session: SessionID, onProgress: @escaping ProgressHandler = { _ in }
    ) async throws(ConversationError) -> Sending {
        let size = source.sizeBytes
        guard size <= Limits.attachmentSizeLimitBytes else { throw ConversationError(.attachmentTooLarge, limit: Limits.attachmentSizeLimitBytes, value: size) }
        let manifest: Manifest
        do throws(SealingError) { manifest = try Manifest(plainSizeBytes: size, metadata: metadata) } catch { throw ConversationError(error, tooLarge: .metadataTooLarge) }
        let entry = EntryID(try fresh())
        try await put(.attachment(manifest), at: EntryPlace(session: session, entry: entry), bodySizeBytes: manifest.layout.bodySizeBytes)
        let address = AttachmentAddress(conversation: invitation.conversation, session: session, entry: entry)
        let upload = Task {
            var upload = AttachmentUpload(conversation: self, address: address, source: source, manifest: manifest, onProgress: onProgress)
            do throws(ConversationError) { try await upload.run() } catch {
                takeBack(address, after: error)
                throw error
            }
        }
        return Sending(entry: entry, upload: upload)
    }

    /// What will never be whole is nothing that anybody could load. Whoever waits for the upload need not wait for this too.
    private func takeBack(_ address: AttachmentAddress, after error: ConversationError) {
        guard error.code != .aborted, error.code != .removed, end == nil else { return }
        Task { try? await remove(address.entry, in: address.session) }
    }

    /// Loads an attachment into `sink`, trying again for as long as it stands. Cancelling the task stops it.
    /// - Throws: `removed`, `tampered`, `session-invalidated`, `aborted`, or what the sink throws.
    public func load(_ entry: EntryID, in session: SessionID, into sink: any AttachmentSink, onProgress: @escaping ProgressHandler = { _ in }) async throws(ConversationError) {
        let address = AttachmentAddress(conversation: invitation.conversation, session: session, entry: entry)
        let (known, manifest) = try standing(address)
        var download = AttachmentDownload(conversation: self, address: address, entry: known, manifest: manifest, sink: sink, onProgress: onProgress)
        try await download.run()
    }

    /// The entry of an attachment for as long as it stands.
    func standing(_ address: AttachmentAddress) throws(ConversationError) -> (LedgerEntry, Manifest) {
        if let end { throw ConversationError(end) }
        guard let session = state.session(address.session), session.isEntered || session.phase == .entering else { throw ConversationError(.sessionInvalidated) }
        guard let entry = session.ledger.entries[address.entry], case .attachment(let manifest) = entry.body else { throw ConversationError(.removed) }
        return (entry, manifest)
    }

    /// The form of the manifest by which its maker vouches for every part, once it has come.
    func finalManifest(_ address: AttachmentAddress) async throws(ConversationError) -> Manifest {
        let updates = updates()
        var manifest = try standing(address).1
        if !manifest.partHashes.isEmpty { return manifest }
        for await update in updates {
            guard case .session(address.session, _) = update else { continue }
            manifest = try standing(address).1
            if !manifest.partHashes.isEmpty { return manifest }
        }
        throw Task.isCancelled ? ConversationError(.aborted) : end.map { ConversationError($0) } ?? ConversationError(.sessionInvalidated)
    }
}
