// What every attachment store promises.

import Relay
import Wire

public enum AttachmentStoreContract {
    public static let clauses: [Clause<any AttachmentStore>] = [
        Clause("an empty store holds nothing") { store in
            try require(try await store.attachments().isEmpty, "it does")
            try require(try await store.heldParts(of: attachment(1)).isEmpty, "it holds parts")
            try require(store.openPart(PartName(attachment: attachment(1), number: 0)) == nil, "a part opens")
        },
        Clause("a part that was published reads as it was written") { store in
            try await publish(bytes(70_000), 3, of: attachment(1), in: store)
            try require(whole(PartName(attachment: attachment(1), number: 3), in: store) == bytes(70_000), "other bytes")
            try require(try await store.heldParts(of: attachment(1)) == [3], "other parts are held")
            try require(try await store.attachments() == [attachment(1)], "other attachments are told of")
        },
        Clause("nothing is seen of a part before it is published") { store in
            let part = PartName(attachment: attachment(1), number: 0)
            let upload = try store.beginPart(part, lengthBytes: 4)
            try write([1, 2, 3, 4], to: upload)
            try require(store.openPart(part) == nil, "it opens")
            try require(try await store.heldParts(of: attachment(1)).isEmpty, "it is held")
            upload.abandon()
        },
        Clause("what has been written of a part can be read while it is coming") { store in
            let upload = try store.beginPart(PartName(attachment: attachment(1), number: 0), lengthBytes: 6)
            try write([1, 2, 3], to: upload)
            try require(read(upload.read, from: 0, 10) == [1, 2, 3] && read(upload.read, from: 2, 10) == [3], "other bytes")
            try write([4, 5, 6], to: upload)
            try require(read(upload.read, from: 3, 2) == [4, 5], "other bytes after more came")
            upload.abandon()
        },
        Clause("an abandoned part leaves nothing, and can be sent anew") { store in
            let part = PartName(attachment: attachment(1), number: 0)
            let upload = try store.beginPart(part, lengthBytes: 4)
            try write([1, 2], to: upload)
            upload.abandon()
            upload.abandon()
            try require(store.openPart(part) == nil, "it opens")
            try await publish([9, 9], 0, of: attachment(1), in: store)
            try require(whole(part, in: store) == [9, 9], "other bytes")
        },
        Clause("a part that is not whole is not published") { store in
            let part = PartName(attachment: attachment(1), number: 0)
            let upload = try store.beginPart(part, lengthBytes: 4)
            try write([1, 2], to: upload)
            do {
                try upload.publish()
                throw ContractViolation(description: "it was published")
            } catch is StoreError {}
            upload.abandon()
            try require(store.openPart(part) == nil, "it opens")
        },
        Clause("reading behind the end gives nothing") { store in
            try await publish([1, 2, 3], 0, of: attachment(1), in: store)
            guard let reader = store.openPart(PartName(attachment: attachment(1), number: 0)) else { throw ContractViolation(description: "no part") }
            try require(reader.lengthBytes == 3, "its length is \(reader.lengthBytes)")
            try require(read(reader.read, from: 3, 4).isEmpty && read(reader.read, from: 100, 4).isEmpty, "there is something")
        },
        Clause("syncing what is held, and what is not, is no error") { store in
            try await publish([1], 0, of: attachment(1), in: store)
            try await store.sync(attachment(1))
            try require(whole(PartName(attachment: attachment(1), number: 0), in: store) == [1], "it is gone")
        },
        Clause("erasing an attachment takes all its parts and no other's") { store in
            for number in 1...2 as ClosedRange<UInt64> {
                for part in 0..<3 { try await publish([UInt8(part)], part, of: attachment(number), in: store) }
            }
            for _ in 0..<2 { try await store.erase(attachment(1)) }
            try require(try await store.attachments() == [attachment(2)], "others are left")
            try require(try await store.heldParts(of: attachment(1)).isEmpty, "parts are held")
            try require(try await store.heldParts(of: attachment(2)) == [0, 1, 2], "parts of the other are gone")
        },
        Clause("erasing a session takes its attachments and no others") { store in
            let names = [attachment(1, session: 1), attachment(2, session: 1), attachment(1, session: 2), attachment(1, session: 1, conversation: 2)]
            for name in names { try await publish([1], 0, of: name, in: store) }
            for _ in 0..<2 { try await store.eraseSession(session(1), in: conversation(1)) }
            try require(Set(try await store.attachments()) == Set(names[2...]), "others are left")
        },
        Clause("erasing a conversation takes its attachments and no others") { store in
            let names = [attachment(1, session: 1), attachment(1, session: 2), attachment(1, session: 1, conversation: 2)]
            for name in names { try await publish([1], 0, of: name, in: store) }
            for _ in 0..<2 { try await store.eraseConversation(conversation(1)) }
            try require(try await store.attachments() == [names[2]], "others are left")
        },
    ]

    private static func publish(_ bytes: [UInt8], _ number: Int, of name: AttachmentName, in store: any AttachmentStore) async throws {
        let upload = try store.beginPart(PartName(attachment: name, number: number), lengthBytes: bytes.count)
        try write(bytes, to: upload)
        try upload.publish()
    }

    private static func write(_ bytes: [UInt8], to upload: any PartUpload) throws {
        let failure = bytes.withUnsafeBytes { buffer -> StoreError? in
            do throws(StoreError) { try upload.write(buffer) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private static func read(_ body: (Int, UnsafeMutableRawBufferPointer) -> Int, from offset: Int, _ count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let read = buffer.withUnsafeMutableBytes { body(offset, $0) }
        return Array(buffer.prefix(read))
    }

    private static func whole(_ part: PartName, in store: any AttachmentStore) -> [UInt8]? {
        guard let reader = store.openPart(part) else { return nil }
        var bytes: [UInt8] = []
        while true {
            let more = read(reader.read, from: bytes.count, 4096)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }
}
