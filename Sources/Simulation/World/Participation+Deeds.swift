// What a person does in sessions and with attachments, and what has to come of it.

import Conversations
import Sealing
import Wire

extension Participation {
    func activity(_ which: Int) -> SessionID? { activities.isEmpty ? nil : activities[which % activities.count].session }

    /// One that it is in.
    func session(_ which: Int) -> SessionID? {
        let entered = activities.map(\.session).filter { stays[$0] != nil }
        return entered.isEmpty ? nil : entered[which % entered.count]
    }

    func exit(_ session: SessionID) { Task { [conversation] in await conversation.exit(session) } }
    func endSession(_ session: SessionID) { Task { [conversation] in await conversation.end(session) } }

    func add(_ sizeBytes: Int, in session: SessionID, _ announced: @escaping (Item) -> Void) {
        let content = (0..<sizeBytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        nonisolated(unsafe) let announced = announced
        call("adding \(sizeBytes) bytes") { [self] conversation in
            let sending = try await conversation.add(MemorySource(content), metadata: Array("{}".utf8), in: session)
            nonisolated(unsafe) let item = Item(session: session, entry: sending.entry, maker: self, content: content)
            announced(item)
            do {
                try await sending.upload.value
                item.isKept = true
                item.isUploading = false
            } catch {
                item.isUploading = false
                throw error
            }
        }
    }

    func load(_ item: Item) {
        nonisolated(unsafe) let item = item
        call("loading \(item.content.count) bytes") { [self] conversation in
            let sink = MemorySink()
            try await conversation.load(item.entry, in: item.session, into: sink)
            if sink.bytes != item.content { world.fail(.keptIsKept, "\(name) loaded other bytes than were shared", isSeenByPerson: true) }
        }
    }

    func remove(_ item: Item) {
        nonisolated(unsafe) let item = item
        item.isRemovalAsked = true
        call("removing \(item.content.count) bytes") { [self] conversation in
            try await conversation.remove(item.entry, in: item.session)
            item.isRemoved = true
            world.checkRemoval(of: item, "when its removal was answered", looksForBody: true)
        }
    }
}
