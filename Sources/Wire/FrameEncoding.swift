// From frames to bytes: the tables of docs/protocol/frames.md, written from top to bottom.

extension Frame {
    public var type: FrameType {
        switch self {
        case .hello: .hello
        case .enter: .enter
        case .exit: .exit
        case .end: .end
        case .record: .record
        case .sample: .sample
        case .put: .put
        case .remove: .remove
        case .acknowledge: .acknowledge
        case .leave: .leave
        case .setDoor: .setDoor
        case .knock: .knock
        case .admit: .admit
        case .ping: .ping
        case .pong: .pong
        case .welcome: .welcome
        case .position: .position
        case .complete: .complete
        case .entered: .entered
        case .exited: .exited
        case .ended: .ended
        case .ordered: .ordered
        case .skipped: .skipped
        case .sampled: .sampled
        case .entry: .entry
        case .removed: .removed
        case .stable: .stable
        case .refused: .refused
        case .waiting: .waiting
        case .presence: .presence
        case .door: .door
        case .knocking: .knocking
        case .knocked: .knocked
        }
    }

    public static func encode(_ frames: [Frame]) -> [UInt8] {
        var writer = ByteWriter()
        for frame in frames { frame.write(to: &writer) }
        return writer.bytes
    }

    public func write(to writer: inout ByteWriter) {
        writer.frame(type) { writeBody(to: &$0) }
    }

    private func writeBody(to writer: inout ByteWriter) {
        switch self {
        case .hello(let hello): hello.write(to: &writer)
        case .enter(let session), .exit(let session), .end(let session): writer.id(session)
        case .record(let session, let counter, let recipients, let sealed):
            writer.id(session)
            writer.integer(counter)
            writer.ids(recipients)
            writer.prefixed(sealed)
        case .sample(let session, let recipients, let sealed):
            writer.id(session)
            writer.ids(recipients)
            writer.prefixed(sealed)
        case .put(let session, let entry, let flags, let bodyLength, let sealed):
            writer.id(session)
            writer.id(entry)
            writer.integer(flags.rawValue)
            writer.integer(bodyLength)
            writer.prefixed(sealed)
        case .remove(let session, let entry):
            writer.id(session)
            writer.id(entry)
        case .acknowledge(let session, let sequence), .complete(let session, let sequence), .stable(let session, let sequence):
            writer.place(session, sequence)
        case .leave: break
        case .setDoor(let door, let passDigest):
            precondition(passDigest.count == Door.passDigestSizeBytes, "a pass's digest has \(Door.passDigestSizeBytes) bytes, not \(passDigest.count)")
            writer.integer(door.mode.rawValue)
            writer.integer(door.closesAtSeconds)
            writer.raw(passDigest)
            writer.prefixed(door.sealed)
        case .knock(let sealed): writer.prefixed(sealed)
        case .admit(let participant, let admits):
            writer.id(participant)
            writer.integer(UInt8(admits ? 1 : 0))
        case .ping(let token), .pong(let token): writer.integer(token)
        case .welcome(let welcome): welcome.write(to: &writer)
        case .position(let session, let sequence, let participants):
            writer.place(session, sequence)
            writer.integer(UInt16(clamping: participants.count))
            for attendance in participants {
                writer.id(attendance.participant)
                writer.integer(attendance.presence.rawValue)
            }
        case .entered(let session, let sequence, let participant):
            writer.place(session, sequence)
            writer.id(participant)
        case .exited(let session, let sequence, let participant, let reason):
            writer.place(session, sequence)
            writer.id(participant)
            writer.integer(reason.rawValue)
        case .ended(let session, let sequence, let participant, let reason):
            writer.place(session, sequence)
            writer.id(participant)
            writer.integer(reason.rawValue)
        case .ordered(let session, let sequence, let sender, let counter, let recipients, let sealed):
            writer.place(session, sequence)
            writer.id(sender)
            writer.integer(counter)
            writer.ids(recipients)
            writer.prefixed(sealed)
        case .skipped(let session, let sequence, let sender, let counter):
            writer.place(session, sequence)
            writer.id(sender)
            writer.integer(counter)
        case .sampled(let session, let sender, let recipients, let sealed):
            writer.id(session)
            writer.id(sender)
            writer.ids(recipients)
            writer.prefixed(sealed)
        case .entry(let entry): entry.write(to: &writer)
        case .removed(let session, let sequence, let remover, let entry, let reason):
            writer.place(session, sequence)
            writer.id(remover)
            writer.id(entry)
            writer.integer(reason.rawValue)
        case .refused(let refusal): refusal.write(to: &writer)
        case .waiting(let seconds): writer.integer(seconds)
        case .presence(let participant, let presence):
            writer.id(participant)
            writer.integer(presence.rawValue)
        case .door(let door):
            writer.integer(door.mode.rawValue)
            writer.integer(door.closesAtSeconds)
            writer.prefixed(door.sealed)
        case .knocking(let participant, let sealed):
            writer.id(participant)
            writer.prefixed(sealed)
        case .knocked(let participant, let end):
            writer.id(participant)
            writer.integer(end.rawValue)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func place(_ session: SessionID, _ sequence: UInt64) {
        id(session)
        integer(sequence)
    }
}

extension Hello {
    fileprivate func write(to writer: inout ByteWriter) {
        precondition(relayToken.count == Hello.tokenSizeBytes, "a relay token has \(Hello.tokenSizeBytes) bytes, not \(relayToken.count)")
        writer.integer(Hello.version)
        precondition(pass.map { $0.count == Hello.passSizeBytes } ?? true, "a pass has \(Hello.passSizeBytes) bytes")
        writer.integer(UInt8((create ? 1 : 0) | (pass == nil ? 0 : 2)))
        writer.id(participant)
        writer.bytes16(secret)
        writer.raw(relayToken)
        writer.integer(incarnation)
        writer.integer(UInt16(clamping: places.count))
        for place in places { writer.place(place.session, place.sequence) }
        if let pass { writer.raw(pass) }
    }
}

extension Welcome {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.integer(Hello.version)
        writer.integer(UInt8((resumed ? 1 : 0) | (created ? 2 : 0)))
        writer.integer(incarnation)
        writer.integer(heartbeatSeconds)
        writer.integer(silenceSeconds)
        writer.integer(resumeWindowSeconds)
        writer.integer(graceSeconds)
        writer.integer(conversationQuotaBytes)
    }
}

extension Entry {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.place(session, sequence)
        writer.integer(version)
        writer.id(putter)
        writer.id(entry)
        writer.integer(flags.rawValue)
        writer.integer(bodyLength)
        writer.prefixed(sealed)
    }
}

extension Refusal {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.integer(frameType)
        writer.id(session)
        writer.id(subject)
        writer.integer(counter)
        writer.integer(code.rawValue)
        writer.integer(limit)
        writer.integer(value)
    }
}
