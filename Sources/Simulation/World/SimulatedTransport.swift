// One participant's way to the relay: connections for frames, and requests for parts that may be lost on either way or asked twice.

import Conversations
import Relay
import Wire

/// Used on the world's thread only.
final class SimulatedTransport: RelayTransport, @unchecked Sendable {
    private unowned let world: World
    private let device: Device
    private var dice: Dice
    var participant = ParticipantID.relay

    init(_ world: World, _ device: Device, number: Int) {
        self.world = world
        self.device = device
        dice = Dice(seed: world.story.seed, purpose: UInt64(500_000_000 + number))
    }

    func connect(to conversation: ConversationID) -> any RelayConnection {
        device.lineCount += 1
        let line = SimulatedLine(world, device, number: device.lineCount, participant: participant)
        world.lines[device.index] = line
        line.open(conversation)
        return line
    }

    /// The time of one way; nothing comes of it when the network is away or the request is lost.
    private func travel() async throws(PartFailure) {
        let delay = dice.milliseconds(world.weather.delayMilliseconds)
        if delay > .zero { await world.loop.pause(delay) }
        await awake()
        if device.isOffline || dice.happens(world.requestLoss) {
            world.note("a request or its answer is lost")
            throw .unreachable
        }
    }

    private func awake() async {
        guard device.isFrozen else { return }
        await withCheckedContinuation { continuation in device.whenAwake { continuation.resume() } }
    }

    private func reach(_ attachment: AttachmentAddress, _ relayToken: [UInt8]) async throws(PartFailure) -> (RelayLife, AttachmentHead) {
        try await travel()
        guard let life = world.life else { throw .unreachable }
        guard await life.hub.authorizes(relayToken, for: attachment.conversation) else { throw .notInvited }
        guard let head = await life.hub.attachment(attachment.name) else { throw .gone }
        return (life, head)
    }

    func put(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8], _ bytes: [UInt8]) async throws(PartFailure) {
        world.requestCount += 1
        defer { world.requestCount -= 1 }
        if dice.happens(world.requestLoss) {
            // Something in between asks a second time.
            world.note("a part is sent twice")
            let twin = Dice(seed: dice.next())
            Task { [self] in try? await store(part, attachment, relayToken, bytes, twin) }
        }
        try await store(part, attachment, relayToken, bytes, Dice(seed: dice.next()))
        try await travel()
    }

    private func store(_ number: Int, _ attachment: AttachmentAddress, _ relayToken: [UInt8], _ bytes: [UInt8], _ drawn: Dice) async throws(PartFailure) {
        var dice = drawn
        let (life, head) = try await reach(attachment, relayToken)
        guard number < head.partCount else { throw .gone }
        guard !head.heldParts.contains(number) else { return }
        if let liar = world.liar {
            liar.look(for: participant, in: bytes, of: attachment.entry)
            if liar.forgets(participant, device.index, attachment.session) { return }
        }
        let part = PartName(attachment: attachment.name, number: number)
        guard world.storing.insert(part).inserted else { throw .beingStored }
        defer { world.storing.remove(part) }
        let mark = life.erasureMark
        do throws(StoreError) {
            let upload = try life.stores.beginPart(part, lengthBytes: bytes.count)
            let half = bytes.count / 2
            try Self.write(bytes[..<half], to: upload)
            await world.loop.pause(dice.milliseconds(world.weather.delayMilliseconds))
            // The relay cuts off who sends what is being erased.
            if life.isDead || life.hasErased(part.attachment, since: mark) {
                world.note(life.isDead ? "a part is cut off by the relay's death" : "a part is cut off by an erasure")
                upload.abandon()
                throw StoreError.failed("cut off")
            }
            try Self.write(bytes[half...], to: upload)
            try upload.publish()
        } catch {
            throw error == .full ? .diskFull : .unreachable
        }
        await life.hub.partStored(part)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to upload: any PartUpload) throws(StoreError) {
        let outcome = bytes.withUnsafeBytes { bytes in Result { () throws(StoreError) in try upload.write(bytes) } }
        try outcome.get()
    }

    func get(_ part: Int, of attachment: AttachmentAddress, relayToken: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [self] in
                do throws(PartFailure) {
                    for piece in try await pieces(part, attachment, relayToken) { continuation.yield(piece) }
                    try await travel()
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func pieces(_ part: Int, _ attachment: AttachmentAddress, _ relayToken: [UInt8]) async throws(PartFailure) -> [[UInt8]] {
        let (life, head) = try await reach(attachment, relayToken)
        guard part < head.partCount else { throw .gone }
        guard let reader = life.stores.openPart(PartName(attachment: attachment.name, number: part)) else { throw .notYetThere }
        var bytes = [UInt8](repeating: 0, count: reader.lengthBytes)
        _ = bytes.withUnsafeMutableBytes { reader.read(at: 0, into: $0) }
        if let liar = world.liar { bytes = try liar.part(part, of: attachment.name, bytes, to: participant, device.index) }
        let pieceSize = dice.number(1_000...200_000)
        let pieces = stride(from: 0, to: bytes.count, by: pieceSize).map { Array(bytes[$0..<min(bytes.count, $0 + pieceSize)]) }
        // An answer may break off.
        return dice.happens(world.requestLoss) ? Array(pieces.dropLast()) : pieces
    }

    func standing(of attachment: AttachmentAddress, relayToken: [UInt8]) async throws(PartFailure) -> BodyStanding {
        let (_, head) = try await reach(attachment, relayToken)
        let standing = BodyStanding(bodySizeBytes: head.bodyLengthBytes, missingParts: (0..<head.partCount).filter { !head.heldParts.contains($0) })
        try await travel()
        return world.liar?.standing(standing, to: participant, device.index, attachment.session) ?? standing
    }
}

extension AttachmentAddress {
    var name: AttachmentName { AttachmentName(conversation: conversation, session: session, entry: entry) }
}
