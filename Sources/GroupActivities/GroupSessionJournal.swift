// Larger things that the participants of a session share, and that are there for whoever comes later.

import Conversations
import CoreTransferable
import Foundation
import Sealing
import Wire

/// The attachments of a session: added and removed by anybody, equal for all, handed whole to whoever joins. Each has at most 100,000,000
/// bytes, its metadata at most 65,536 as JSON; sealed end to end. They last as long as somebody is in the session.
/// Apple: GroupActivities/GroupSessionJournal.
public final class GroupSessionJournal: @unchecked Sendable {
    private let core: SessionCore
    /// The whole list at each change, the present one first.
    public lazy var attachments = Attachments(core: core)

    public convenience init<Activity: GroupActivity>(session: GroupSession<Activity>) { self.init(session.core) }

    private init(_ core: SessionCore) {
        self.core = core
        if core.isEntering { core.notices.tell(core.isOver ? .workAfterInvalidation : .madeAfterJoin) }
    }

    /// Exports the item, announces it and begins its upload, which goes on after this has returned.
    /// - Throws: `HearthError`: `attachment-too-large`, `conversation-quota`, `relay-quota`, `session-invalidated`; or what the export throws.
    public nonisolated(nonsending) func add<ItemType: Transferable>(_ item: ItemType) async throws -> Attachment {
        try await add(item, json: Array("null".utf8))
    }

    /// The same with a record at its side, which everyone has before the upload is done.
    /// - Throws: also `metadata-too-large`.
    public nonisolated(nonsending) func add<ItemType: Transferable, MetadataType: Codable>(_ item: ItemType, metadata: MetadataType) async throws -> Attachment {
        try await add(item, json: try JSONText.encodeOrThrow(metadata))
    }

    /// Removes an attachment for everybody, whoever added it.
    public nonisolated(nonsending) func remove(attachment: Attachment) async throws {
        try await core.joined()
        do { try await core.conversation.remove(attachment.entry, in: core.id) } catch { throw HearthError.of(error) }
    }

    private func add<ItemType: Transferable>(_ item: ItemType, json: [UInt8]) async throws -> Attachment {
        guard json.count <= Limits.metadataSizeLimitBytes else { throw HearthError(.metadataTooLarge, limit: Limits.metadataSizeLimitBytes, value: json.count) }
        let exported = try await item.exportedItem(as: ItemType.sharedContentType)
        do {
            let source: any AttachmentSource =
                switch exported.body {
                case .data(let data): MemorySource(Array(data))
                case .file(let file): try FileSource(path: file.path(percentEncoded: false))
                }
            try await core.joined()
            let sending = try await core.conversation.add(source, metadata: json, in: core.id)
            core.journal.began(sending.entry, sending.upload)
            core.provider.beginTransfer()
            Task { [core] in
                await core.followUpload(of: sending, exported)
                core.provider.endTransfer()
            }
            return Attachment(core: core, entry: sending.entry, json: json, isLocal: true)
        } catch {
            exported.discard()
            throw HearthError.of(error)
        }
    }
}

extension SessionCore {
    /// An upload that fails for good is taken back by the conversation.
    fileprivate func followUpload(of sending: Sending, _ exported: ExportedItem) async {
        let result = await sending.upload.result
        exported.discard()
        journal.ended(sending.entry)
        guard case .failure(let error) = result, !isOver, (error as? ConversationError)?.code != .removed else { return }
        HearthLog.general.error("an attachment was not uploaded and is taken back: \(String(describing: error), privacy: .public)")
    }
}

extension Transferable {
    /// The first content type that goes both ways, so that adding and loading the same type meet; `nil`: each its own first.
    static var sharedContentType: UTType? {
        let imported = importedContentTypes()
        return exportedContentTypes(visibility: .team).first { imported.contains($0) }
    }
}
