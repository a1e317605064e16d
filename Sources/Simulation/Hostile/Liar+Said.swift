// What a lying relay makes of what a participant sends, translated into the numbers of the real one; and what it must never find in it.

import Glibc
import Wire

extension Liar {
    /// As it reaches the hub.
    func heard(_ message: [UInt8], over port: SimulatedPort) -> [UInt8] {
        guard let frames = try? Frame.decode(message: message) else { return message }
        lookForSecrets(frames, of: port.line.participant)
        return Frame.encode(frames.flatMap { heard($0, over: port) })
    }

    private func heard(_ frame: Frame, over port: SimulatedPort) -> [Frame] {
        let (participant, device) = (port.line.participant, port.line.device.index)
        switch frame {
        case .hello(var hello):
            hello.incarnation = trueIncarnation(hello.incarnation, participant)
            for index in hello.places.indices { hello.places[index].sequence = truePlace(hello.places[index].sequence, hello.places[index].session, participant) }
            if hello.incarnation != 0, lie(to: device, { $0.kind == .forget ? true : nil }) == true {
                hit(.forget, participant, nil)
                giveUpJudging(participant)
                (hello.incarnation, hello.places) = (0, [])
            }
            return [.hello(hello)]
        case .acknowledge(let session, let place): return [.acknowledge(session: session, sequence: truePlace(place, session, participant))]
        case .record(let session, let counter, let recipients, let sealed):
            let told: ([Frame], LieKind)? = lie(to: device) { lie in
                switch lie.kind {
                case .dropSaid: return ([], lie.kind)
                case .tamperSaid: return ([.record(session: session, counter: counter, recipients: recipients, sealed: Self.flipped(sealed, lie.number))], lie.kind)
                case .swapSaid:
                    guard self.heldSaid[participant] == nil else { return nil }
                    self.heldSaid[participant] = frame
                    return ([], lie.kind)
                case .refuse:
                    self.refuse(.record, session, EntryID(.zero), counter, over: port)
                    return (lie.number % 2 == 0 ? [] : [frame], lie.kind)
                default: return nil
                }
            }
            if let told {
                hit(told.1, participant, session)
                return told.0
            }
            return [frame] + (heldSaid.removeValue(forKey: participant).map { [$0] } ?? [])
        case .put(let session, let entry, _, _, _):
            guard session != .own, let passes: Bool = lie(to: device, { $0.kind == .refuse ? $0.number % 2 == 0 : nil }) else { return [frame] }
            hit(.refuse, participant, session)
            refuse(.put, session, entry, 0, over: port)
            return passes ? [frame] : []
        default: return [frame]
        }
    }

    private func refuse(_ type: FrameType, _ session: SessionID, _ entry: EntryID, _ counter: UInt64, over port: SimulatedPort) {
        send([.refused(Refusal(frameType: type.rawValue, session: session, subject: entry, counter: counter, code: .notPermitted))], over: port)
    }

    private func truePlace(_ place: UInt64, _ session: SessionID, _ participant: ParticipantID) -> UInt64 { logs[participant]?[session]?.first?.truePlace(place) ?? place }

    // MARK: What it must not learn

    private func lookForSecrets(_ frames: [Frame], of participant: ParticipantID) {
        for frame in frames {
            switch frame {
            case .record(_, _, _, let sealed), .sample(_, _, let sealed), .put(_, _, _, _, let sealed): lookForSecrets(sealed, of: participant)
            default: break
            }
        }
    }

    private func lookForSecrets(_ sealed: [UInt8], of participant: ParticipantID) {
        guard let person = world.participations.last(where: { $0.id == participant }) else { return }
        for (what, secret) in person.unspoken + [("the invitation", secret), ("a name", Array("\(person.device.name) \(person.number)".utf8))]
        where Self.holds(sealed, secret) {
            world.fail(.staysSealed, "what \(person.name) gives to the relay holds \(what)", isSeenByPerson: true)
        }
    }

    /// In a part that is sent.
    func look(for participant: ParticipantID, in part: [UInt8], of entry: EntryID) {
        guard let item = world.items.first(where: { $0.entry == entry }), item.content.count >= 24, Self.holds(part, Array(item.content.prefix(64))) else { return }
        world.fail(.staysSealed, "a part of what \(world.name(of: participant)) shares holds what it shares", isSeenByPerson: true)
    }

    static func holds(_ bytes: [UInt8], _ secret: [UInt8]) -> Bool {
        guard secret.count >= 4, secret.count <= bytes.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            var start = 0
            while start + secret.count <= bytes.count, let found = memchr(bytes.baseAddress! + start, Int32(secret[0]), bytes.count - secret.count + 1 - start) {
                if memcmp(found, secret, secret.count) == 0 { return true }
                start = UnsafeRawPointer(found) - bytes.baseAddress! + 1
            }
            return false
        }
    }
}
