// What the contract cannot ask of bodies in memory: names on the disk, leftovers, erasure under way.

import Glibc
import Relay
import Testing
import Wire

@testable import RelayStorage

@Suite struct BodiesOnDiskTests {
    private let name = AttachmentName(
        conversation: ConversationID(Bytes16(high: 1, low: 1)), session: SessionID(Bytes16(high: 2, low: 2)), entry: EntryID(Bytes16(high: 3, low: 3)))

    private func write(_ bytes: [UInt8], to upload: any PartUpload) throws {
        var failure: StoreError?
        bytes.withUnsafeBytes { buffer in
            do throws(StoreError) { try upload.write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func store(_ number: Int, _ bytes: [UInt8], in store: FileAttachmentStore) throws {
        let upload = try store.beginPart(PartName(attachment: name, number: number), lengthBytes: bytes.count)
        try write(bytes, to: upload)
        try upload.publish()
    }

    @Test func `parts are there after a restart, and what was not published is swept away`() async throws {
        try await withDirectory { directory in
            var bodies = try FileAttachmentStore(directory: directory)
            try store(0, [1, 2, 3], in: bodies)
            let lost = try bodies.beginPart(PartName(attachment: name, number: 1), lengthBytes: 3)
            try write([1], to: lost)
            let path = "\(directory)/\(name.conversation.base64URL)/\(name.session.base64URL)/\(name.entry.base64URL)"
            #expect(names(in: path).count == 2)
            bodies = try FileAttachmentStore(directory: directory)
            #expect(names(in: path) == ["0"])
            #expect(try await bodies.heldParts(of: name) == [0])
            #expect(try await bodies.attachments() == [name])
            #expect(bodies.openPart(PartName(attachment: name, number: 0))?.lengthBytes == 3)
            withExtendedLifetime(lost) {}
        }
    }

    @Test func `an upload whose attachment is erased meanwhile cannot be published, and leaves nothing`() async throws {
        try await withDirectory { directory in
            let bodies = try FileAttachmentStore(directory: directory)
            let upload = try bodies.beginPart(PartName(attachment: name, number: 0), lengthBytes: 3)
            try write([1, 2, 3], to: upload)
            try await bodies.erase(name)
            #expect(throws: StoreError.self) { try upload.publish() }
            #expect(names(in: directory).isEmpty)
        }
    }

    @Test func `erasing many attachments while others begin loses neither`() async throws {
        try await withDirectory { directory in
            let bodies = try FileAttachmentStore(directory: directory)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let name = AttachmentName(conversation: name.conversation, session: name.session, entry: EntryID(Bytes16(high: 5, low: UInt64(number))))
                        let upload = try bodies.beginPart(PartName(attachment: name, number: 0), lengthBytes: 1)
                        try write([7], to: upload)
                        try upload.publish()
                        if number % 2 == 0 { try await bodies.erase(name) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await bodies.attachments().count == 32)
            try await bodies.eraseConversation(name.conversation)
            #expect(names(in: directory).isEmpty)
        }
    }

    @Test func `a part of the wrong length is not published`() async throws {
        try await withDirectory { directory in
            let bodies = try FileAttachmentStore(directory: directory)
            let upload = try bodies.beginPart(PartName(attachment: name, number: 0), lengthBytes: 3)
            try write([1, 2], to: upload)
            #expect(throws: StoreError.self) { try upload.publish() }
            #expect(throws: StoreError.self) { try write([3, 4], to: upload) }
            upload.abandon()
            #expect(bodies.openPart(PartName(attachment: name, number: 0)) == nil)
        }
    }

    @Test(arguments: 0..<9) func `a part that cannot be brought onto the disk is told, wherever it stands among the others`(spoiled: Int) async throws {
        try await withDirectory { directory in
            let bodies = try FileAttachmentStore(directory: directory)
            for number in 0..<9 { try store(number, [1, 2, 3], in: bodies) }
            try await bodies.sync(name)
            let path = "\(directory)/\(name.conversation.base64URL)/\(name.session.base64URL)/\(name.entry.base64URL)/\(spoiled)"
            unlink(path)
            #expect(symlink("nowhere", path) == 0)
            await #expect(throws: StoreError.self) { try await bodies.sync(name) }
        }
    }

    @Test func `files and directories are for their owner only`() async throws {
        try await withDirectory { directory in
            let bodies = try FileAttachmentStore(directory: directory + "/bodies")
            try store(0, [1], in: bodies)
            try await bodies.sync(name)
            var facts = stat()
            stat(directory + "/bodies", &facts)
            #expect(facts.st_mode & 0o077 == 0)
            stat("\(directory)/bodies/\(name.conversation.base64URL)/\(name.session.base64URL)/\(name.entry.base64URL)/0", &facts)
            #expect(facts.st_mode & 0o077 == 0)
        }
    }

    @Test func `errors that mean no room are told as full`() {
        #expect(ENOSPC.meansFull)
        #expect(EDQUOT.meansFull)
        #expect(EFBIG.meansFull)
        #expect(!EIO.meansFull)
    }
}
