// One thing in a journal.

import Conversations
import CoreTransferable
import Foundation
import Sealing
import Wire

extension GroupSessionJournal {
    /// Names one attachment, equally on all devices. Apple: GroupActivities/GroupSessionJournal/Attachment.
    public struct Attachment: Identifiable, Sendable {
        public let id: UUID
        /// Who added it; `nil` when that participant has left. Not in Apple's framework.
        public let owner: Participant?
        /// Plain bytes; `nil` on what was just added here. Not in Apple's framework.
        public let sizeBytes: Int?
        let entry: EntryID
        private let core: SessionCore
        private let json: [UInt8]
        private let isLocal: Bool

        init(core: SessionCore, entry: EntryID, json: [UInt8], isLocal: Bool, owner: Participant? = nil, sizeBytes: Int? = nil) {
            self.core = core
            self.entry = entry
            self.json = json
            self.isLocal = isLocal
            self.owner = owner
            self.sizeBytes = sizeBytes
            id = UUID(entry.bytes)
        }

        init(_ entry: JournalEntry, core: SessionCore) {
            self.init(
                core: core, entry: entry.entry, json: entry.manifest.metadata, isLocal: entry.maker == core.conversation.localParticipant, owner: entry.owner,
                sizeBytes: entry.manifest.plainSizeBytes)
        }

        /// Loads it, also while its upload still runs, trying again after interruptions; cancelling the task stops it.
        /// - Throws: `HearthError`: `removed`, `tampered`, `session-invalidated`, `aborted`; or what the import throws.
        public nonisolated(nonsending) func load<AttachmentType: Transferable>(_ attachmentType: AttachmentType.Type) async throws -> AttachmentType {
            if isLocal { core.notices.tell(.ownAttachmentLoaded) }
            let contentType = AttachmentType.sharedContentType
            core.provider.beginTransfer()
            defer { core.provider.endTransfer() }
            do {
                if let sizeBytes, sizeBytes > Self.memoryLimitBytes { return try await loadByFile(attachmentType, contentType) }
                let sink = MemorySink(expectedSizeBytes: sizeBytes ?? 0)
                try await core.conversation.load(entry, in: core.id, into: sink)
                return try await AttachmentType(importing: Data(sink.bytes ?? []), contentType: contentType)
            } catch { throw HearthError.of(error) }
        }

        /// What is larger goes over a file, so that a type that imports files never has it in memory.
        private static var memoryLimitBytes: Int { 4_194_304 }

        private nonisolated(nonsending) func loadByFile<AttachmentType: Transferable>(_ type: AttachmentType.Type, _ contentType: UTType?) async throws -> AttachmentType {
            let directory = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: directory) }
            var file = directory.appending(path: "attachment")
            if let suffix = contentType?.preferredFilenameExtension { file = file.appendingPathExtension(suffix) }
            try await core.conversation.load(entry, in: core.id, into: try FileSink(path: file.path(percentEncoded: false)))
            return try await AttachmentType(importing: file, contentType: contentType)
        }

        /// The record that was given to `add`; here at once, without loading anything.
        /// - Throws: what the decoding throws when it is of another type.
        public nonisolated(nonsending) func loadMetadata<MetadataType: Codable>(of type: MetadataType.Type) async throws -> MetadataType {
            try JSONText.decode(type, json)
        }
    }

    /// Apple: GroupActivities/GroupSessionJournal/Attachments.
    public struct Attachments: AsyncSequence, @unchecked Sendable {
        public typealias Element = [Attachment]
        public typealias AsyncIterator = Iterator
        let core: SessionCore

        public func makeAsyncIterator() -> Iterator { Iterator(core) }

        /// Apple: GroupActivities/GroupSessionJournal/Attachments/Iterator.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            public typealias Failure = Never
            private let reader: JournalReader

            init(_ core: SessionCore) { reader = JournalReader(core) }

            public mutating func next() async -> [Attachment]? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> [Attachment]? { await reader.next(isolation: actor) }
        }
    }
}

/// What one iterator holds.
private final class JournalReader: @unchecked Sendable {
    private let core: SessionCore
    private let number: UInt64
    private var iterator: AsyncStream<[JournalEntry]>.AsyncIterator

    init(_ core: SessionCore) {
        self.core = core
        let (stream, number) = core.journal.read()
        self.number = number
        iterator = stream.makeAsyncIterator()
    }

    deinit { core.journal.stop(number) }

    func next(isolation actor: isolated (any Actor)?) async -> [GroupSessionJournal.Attachment]? {
        core.provider.onWork()
        return await iterator.next(isolation: actor)?.map { GroupSessionJournal.Attachment($0, core: core) }
    }
}
