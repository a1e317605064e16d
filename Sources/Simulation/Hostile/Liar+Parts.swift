// What a lying relay makes of the bodies that it is to keep.

import Conversations
import Relay
import Wire

extension Liar {
    /// What somebody who loads is given for a part.
    func part(_ number: Int, of attachment: AttachmentName, _ bytes: [UInt8], to participant: ParticipantID, _ device: Int) throws(PartFailure) -> [UInt8] {
        let told: (LieKind, Result<[UInt8], PartFailure>)? = lie(to: device) { lie in
            let result: Result<[UInt8], PartFailure>? =
                switch lie.kind {
                case .tamperPart: .success(Self.flipped(bytes, lie.number))
                case .shortPart: .success(Array(bytes.dropLast(1 + lie.number % max(1, bytes.count))))
                case .longPart: .success(bytes + [UInt8](repeating: 7, count: 1 + lie.number % 5_000))
                case .otherPart: self.otherPart(number, attachment, bytes, lie.number).map { .success($0) }
                case .partGone: .failure(.gone)
                case .partNever: .failure(.notYetThere)
                default: nil
                }
            return result.map { (lie.kind, $0) }
        }
        guard let told else { return bytes }
        hit(told.0, participant, attachment.session)
        return try told.1.get()
    }

    /// Of this attachment or of another, or its own records in another order.
    private func otherPart(_ number: Int, _ attachment: AttachmentName, _ bytes: [UInt8], _ drawn: Int) -> [UInt8]? {
        let record = 65_536
        if drawn % 3 == 0, bytes.count >= 2 * record { return Array(bytes[record..<2 * record] + bytes[..<record] + bytes[(2 * record)...]) }
        let others = world.disk.parts.filter { $0.key != attachment }.sorted { ($0.key.entry.bytes.high, $0.key.entry.bytes.low) < ($1.key.entry.bytes.high, $1.key.entry.bytes.low) }
        let own = world.disk.parts[attachment]?.filter { $0.key != number }.sorted { $0.key < $1.key }.map(\.value.bytes) ?? []
        let all = own + others.flatMap { $0.value.sorted { $0.key < $1.key }.map(\.value.bytes) }
        return all.isEmpty ? nil : all[drawn % all.count]
    }

    /// Whether a part that is sent is called stored and thrown away.
    func forgets(_ participant: ParticipantID, _ device: Int, _ session: SessionID) -> Bool {
        guard lie(to: device, { $0.kind == .forgetPart ? true : nil }) == true else { return false }
        hit(.forgetPart, participant, session)
        return true
    }

    func standing(_ standing: BodyStanding, to participant: ParticipantID, _ device: Int, _ session: SessionID) -> BodyStanding {
        guard let number = lie(to: device, { $0.kind == .standing ? $0.number : nil }) else { return standing }
        hit(.standing, participant, session)
        switch number % 4 {
        case 0: return BodyStanding(bodySizeBytes: standing.bodySizeBytes, missingParts: [])
        case 1: return BodyStanding(bodySizeBytes: standing.bodySizeBytes + 1 + number, missingParts: standing.missingParts)
        case 2: return BodyStanding(bodySizeBytes: standing.bodySizeBytes, missingParts: [number, -1, Int.max, 0])
        default: return BodyStanding(bodySizeBytes: -number, missingParts: [0, 0, 0])
        }
    }
}
