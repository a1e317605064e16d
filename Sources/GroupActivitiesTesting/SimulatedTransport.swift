// One participant's way to the relay in the same process.

import Conversations
import Relay
import Wire

struct SimulatedTransport: RelayTransport {
    let name: String
    let network: SimulatedNetwork

    func connect(to conversation: ConversationID) -> any RelayConnection { network.connect(name, to: conversation) }

    func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure) {
        let (hub, head) = try await reach(attachment, relayToken)
        guard part < head.partCount else { throw .gone }
        guard !head.heldParts.contains(part) else { return }
        let part = PartName(attachment: attachment.name, number: part)
        do throws(StoreError) {
            let upload = try network.attachments.beginPart(part, lengthBytes: bytes.count)
            let outcome = bytes.withUnsafeBytes { bytes in Result { () throws(StoreError) in try upload.write(bytes) } }
            try outcome.get()
            try upload.publish()
        } catch { throw .diskFull }
        await hub.partStored(part)
    }

    func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do throws(PartFailure) {
                    for piece in try await pieces(part, attachment, relayToken) { continuation.yield(piece) }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding {
        let (_, head) = try await reach(attachment, relayToken)
        return BodyStanding(bodySizeBytes: head.bodyLengthBytes, missingParts: (0..<head.partCount).filter { !head.heldParts.contains($0) })
    }

    private func reach(_ attachment: AttachmentAddress, _ relayToken: [UInt8]) async throws(PartFailure) -> (RelayHub, AttachmentHead) {
        network.traffic.begin()
        defer { network.traffic.end() }
        guard !network.isOffline(name) else { throw .unreachable }
        let hub = network.hub
        guard await hub.authorizes(relayToken, for: attachment.conversation) else { throw .notInvited }
        guard let head = await hub.attachment(attachment.name) else { throw .gone }
        return (hub, head)
    }

    private func pieces(_ part: Int, _ attachment: AttachmentAddress, _ relayToken: [UInt8]) async throws(PartFailure) -> [[UInt8]] {
        let (_, head) = try await reach(attachment, relayToken)
        guard part < head.partCount else { throw .gone }
        guard let reader = network.attachments.openPart(PartName(attachment: attachment.name, number: part)) else { throw .notYetThere }
        var bytes = [UInt8](repeating: 0, count: reader.lengthBytes)
        _ = bytes.withUnsafeMutableBytes { reader.read(at: 0, into: $0) }
        if network.tampers { bytes[bytes.count / 2] ^= 1 }
        return stride(from: 0, to: bytes.count, by: 100_000).map { Array(bytes[$0..<min(bytes.count, $0 + 100_000)]) }
    }
}

extension AttachmentAddress {
    var name: AttachmentName { AttachmentName(conversation: conversation, session: session, entry: entry) }
}
