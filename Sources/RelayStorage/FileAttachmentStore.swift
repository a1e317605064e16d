// Bodies as plain files, one for each part. A part gets its name when it is whole; what was erased loses its name at once.

import Dispatch
import Glibc
import Relay
import Synchronization
import Wire

public final class FileAttachmentStore: AttachmentStore {
    private static let parallelSyncLimit = 4
    private let files: BodyFiles
    /// For calls that wait for the disk. Several at once: a long sync does not hold up an erasure.
    private let queue = DispatchQueue(label: "hearth.bodies", attributes: .concurrent)
    /// One after the other: what waits there is never more than a thread.
    private let writeback = DispatchQueue(label: "hearth.bodies.writeback")
    private let ordinal = Atomic<Int>(0)

    /// Opens or makes `directory` and sweeps away what an earlier life left unfinished. Blocks.
    public init(directory: String) throws(StoreError) {
        files = BodyFiles(root: directory)
        try Directories.make(directory)
        try sweep()
    }

    public func beginPart(_ part: PartName, lengthBytes: Int) throws(StoreError) -> any PartUpload {
        let path = files.unfinished(part, ordinal: nextOrdinal())
        var descriptor: Int32 = -1
        // Most find the directory there. An erasure beside us may take the empty one away between the two steps.
        for _ in 0..<8 {
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 || errno != ENOENT { break }
            try Directories.make(files.directory(part.attachment))
        }
        guard descriptor >= 0 else { throw storeError("make \(path)") }
        let upload = FilePartUpload(descriptor: descriptor, path: path, finalPath: files.part(part), lengthBytes: lengthBytes, writeback: writeback)
        // Asks for the room now: a full disk is told before the part has travelled.
        if lengthBytes > 0 && posix_fallocate(descriptor, 0, off_t(lengthBytes)).meansFull {
            upload.abandon()
            throw .full
        }
        return upload
    }

    public func openPart(_ part: PartName) -> (any PartReader)? { FilePartReader(path: files.part(part)) }

    public func heldParts(of attachment: AttachmentName) async throws(StoreError) -> Set<Int> {
        try await onQueue { files throws(StoreError) in Set(try Self.partNumbers(in: files.directory(attachment))) }
    }

    public func sync(_ attachment: AttachmentName) async throws(StoreError) {
        let directory = files.directory(attachment)
        let numbers = try await onQueue { files throws(StoreError) in try Self.partNumbers(in: directory) }
        // Several at once: the system then asks the disk once for all that wait.
        let failures = await withTaskGroup(of: StoreError?.self) { group in
            for lane in 0..<Self.parallelSyncLimit {
                group.addTask {
                    do throws(StoreError) {
                        try await self.onQueue { _ throws(StoreError) in
                            for index in stride(from: lane, to: numbers.count, by: Self.parallelSyncLimit) { try Directories.sync("\(directory)/\(numbers[index])", isDirectory: false) }
                        }
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        if let failure = failures.first { throw failure }
        try await onQueue { files throws(StoreError) in
            // Each directory holds the name of the next.
            for path in [directory, files.directory(attachment.session, in: attachment.conversation), files.directory(attachment.conversation), files.root] {
                try Directories.sync(path, isDirectory: true)
            }
        }
    }

    public func erase(_ attachment: AttachmentName) async throws(StoreError) {
        try await erase(
            { $0.directory(attachment) },
            emptied: { [$0.directory(attachment.session, in: attachment.conversation), $0.directory(attachment.conversation)] })
    }

    public func eraseSession(_ session: SessionID, in conversation: ConversationID) async throws(StoreError) {
        try await erase({ $0.directory(session, in: conversation) }, emptied: { [$0.directory(conversation)] })
    }

    public func eraseConversation(_ conversation: ConversationID) async throws(StoreError) {
        try await erase({ $0.directory(conversation) }, emptied: { _ in [] })
    }

    public func attachments() async throws(StoreError) -> [AttachmentName] {
        try await onQueue { files throws(StoreError) in
            var found: [AttachmentName] = []
            for conversationName in try Directories.names(in: files.root) {
                guard let conversation = ConversationID(base64URL: conversationName) else { continue }
                for sessionName in try Directories.names(in: files.directory(conversation)) {
                    guard let session = SessionID(base64URL: sessionName) else { continue }
                    for entryName in try Directories.names(in: files.directory(session, in: conversation)) {
                        guard let entry = EntryID(base64URL: entryName) else { continue }
                        found.append(AttachmentName(conversation: conversation, session: session, entry: entry))
                    }
                }
            }
            return found
        }
    }

    /// Moves the directory aside first: from then on nobody finds a part of it, and no upload can publish into it. Then removes it.
    private func erase(_ directory: @escaping @Sendable (BodyFiles) -> String, emptied: @escaping @Sendable (BodyFiles) -> [String]) async throws(StoreError) {
        let aside = files.erased(ordinal: nextOrdinal())
        try await onQueue { files throws(StoreError) in
            if rename(directory(files), aside) != 0 {
                if errno == ENOENT { return }
                throw storeError("erase \(directory(files))")
            }
            try Directories.removeTree(aside)
            for parent in emptied(files) where rmdir(parent) != 0 { break }
        }
    }

    private func sweep() throws(StoreError) {
        for name in try Directories.names(in: files.root) {
            let path = "\(files.root)/\(name)"
            if name.first == BodyFiles.unfinishedMark {
                try Directories.removeTree(path)
                continue
            }
            for session in try Directories.names(in: path) {
                for entry in try Directories.names(in: "\(path)/\(session)") {
                    for part in try Directories.names(in: "\(path)/\(session)/\(entry)") where part.first == BodyFiles.unfinishedMark {
                        try Directories.removeTree("\(path)/\(session)/\(entry)/\(part)")
                    }
                }
            }
        }
    }

    private static func partNumbers(in directory: String) throws(StoreError) -> [Int] {
        try Directories.names(in: directory).compactMap { name in name.first == BodyFiles.unfinishedMark ? nil : Int(name) }
    }

    private func nextOrdinal() -> Int { ordinal.add(1, ordering: .relaxed).newValue }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable (BodyFiles) throws(StoreError) -> Value) async throws(StoreError) -> Value {
        let files = files
        let outcome: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(StoreError) { continuation.resume(returning: .success(try body(files))) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }
}
