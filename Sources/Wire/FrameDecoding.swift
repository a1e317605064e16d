// From bytes to frames: the tables of docs/protocol/frames.md, read from top to bottom.

extension Frame {
    /// All frames of one WebSocket message; those that may be skipped are left out.
    public static func decode(message: UnsafeRawBufferPointer) throws(FrameError) -> [Frame] {
        var reader = try FrameReader(message)
        var frames: [Frame] = []
        while let raw = try reader.next() { frames.append(try Frame(raw)) }
        return frames
    }

    public static func decode(message: [UInt8]) throws(FrameError) -> [Frame] {
        let result = message.withUnsafeBytes { bytes in Result { () throws(FrameError) in try decode(message: bytes) } }
        return try result.get()
    }

    /// Bytes behind the known fields are ignored.
    public init(_ raw: RawFrame) throws(FrameError) {
        var reader = ByteReader(raw.body)
        switch raw.type {
        case .hello: self = .hello(try Hello(&reader))
        case .enter: self = .enter(session: try reader.id())
        case .exit: self = .exit(session: try reader.id())
        case .end: self = .end(session: try reader.id())
        case .record:
            let record = try RecordInPlace(body: raw.body)
            self = .record(session: record.session, counter: record.counter, recipients: Array(record.recipients), sealed: Array(record.sealed))
        case .sample:
            let sample = try SampleInPlace(body: raw.body)
            self = .sample(session: sample.session, recipients: Array(sample.recipients), sealed: Array(sample.sealed))
        case .put:
            self = .put(
                session: try reader.id(), entry: try reader.id(), flags: try EntryFlags(&reader), bodyLength: try reader.number(),
                sealed: Array(try reader.prefixed()))
        case .remove: self = .remove(session: try reader.id(), entry: try reader.id())
        case .acknowledge: self = .acknowledge(session: try reader.id(), sequence: try reader.number())
        case .leave: self = .leave
        case .setDoor:
            let mode = DoorMode(rawValue: try reader.u8())
            let closesAtSeconds = try reader.number()
            let digest = Array(try reader.slice(Door.passDigestSizeBytes))
            self = .setDoor(Door(mode: mode, closesAtSeconds: closesAtSeconds, sealed: Array(try reader.prefixed())), passDigest: digest)
        case .knock: self = .knock(sealed: Array(try reader.prefixed()))
        case .admit: self = .admit(participant: try reader.id(), admits: try reader.u8() == 1)
        case .ping: self = .ping(token: try reader.u64())
        case .pong: self = .pong(token: try reader.u64())
        case .welcome: self = .welcome(try Welcome(&reader))
        case .position: self = .position(session: try reader.id(), sequence: try reader.number(), participants: try Self.attendance(&reader))
        case .complete: self = .complete(session: try reader.id(), sequence: try reader.number())
        case .entered: self = .entered(session: try reader.id(), sequence: try reader.number(), participant: try reader.id())
        case .exited:
            self = .exited(
                session: try reader.id(), sequence: try reader.number(), participant: try reader.id(), reason: ExitReason(rawValue: try reader.u8()))
        case .ended:
            self = .ended(session: try reader.id(), sequence: try reader.number(), participant: try reader.id(), reason: EndReason(rawValue: try reader.u8()))
        case .ordered:
            self = .ordered(
                session: try reader.id(), sequence: try reader.number(), sender: try reader.id(), counter: try reader.number(),
                recipients: Array(try reader.recipients()), sealed: Array(try reader.prefixed()))
        case .skipped: self = .skipped(session: try reader.id(), sequence: try reader.number(), sender: try reader.id(), counter: try reader.number())
        case .sampled:
            self = .sampled(session: try reader.id(), sender: try reader.id(), recipients: Array(try reader.recipients()), sealed: Array(try reader.prefixed()))
        case .entry:
            self = .entry(
                Entry(
                    session: try reader.id(), sequence: try reader.number(), version: try reader.number(), putter: try reader.id(), entry: try reader.id(),
                    flags: try EntryFlags(&reader), bodyLength: try reader.number(), sealed: Array(try reader.prefixed())))
        case .removed:
            self = .removed(
                session: try reader.id(), sequence: try reader.number(), remover: try reader.id(), entry: try reader.id(),
                reason: RemovalReason(rawValue: try reader.u8()))
        case .stable: self = .stable(session: try reader.id(), sequence: try reader.number())
        case .refused:
            self = .refused(
                Refusal(
                    frameType: try reader.u8(), session: try reader.id(), subject: try reader.id(), counter: try reader.number(),
                    code: Refusal.Code(rawValue: try reader.u16()), limit: try reader.number(), value: try reader.number()))
        case .waiting: self = .waiting(seconds: try reader.u16())
        case .door:
            self = .door(Door(mode: DoorMode(rawValue: try reader.u8()), closesAtSeconds: try reader.number(), sealed: Array(try reader.prefixed())))
        case .knocking: self = .knocking(participant: try reader.id(), sealed: Array(try reader.prefixed()))
        case .knocked: self = .knocked(participant: try reader.id(), end: KnockEnd(rawValue: try reader.u8()))
        case .presence: self = .presence(participant: try reader.id(), presence: Presence(rawValue: try reader.u8()))
        }
    }

    private static func attendance(_ reader: inout ByteReader) throws(FrameError) -> [Attendance] {
        let count = Int(try reader.u16())
        guard count <= Limits.participantCountLimit else { throw .tooMany(limit: Limits.participantCountLimit, value: count) }
        var participants: [Attendance] = []
        for _ in 0..<count { participants.append(Attendance(participant: try reader.id(), presence: Presence(rawValue: try reader.u8()))) }
        return participants
    }
}

extension EntryFlags {
    fileprivate init(_ reader: inout ByteReader) throws(FrameError) { self = EntryFlags(rawValue: try reader.u8()).intersection(.known) }
}

extension Hello {
    fileprivate init(_ reader: inout ByteReader) throws(FrameError) {
        let version = try reader.u8()
        guard version == Hello.version else { throw .unsupportedVersion(version) }
        let flags = try reader.u8()
        self.init(
            create: flags & 1 != 0, participant: try reader.id(), secret: try reader.bytes16(), relayToken: Array(try reader.slice(Hello.tokenSizeBytes)),
            incarnation: try reader.u64())
        let count = Int(try reader.u16())
        guard count <= Limits.sessionCountLimit + 1 else { throw .tooMany(limit: Limits.sessionCountLimit + 1, value: count) }
        for _ in 0..<count { places.append(Place(session: try reader.id(), sequence: try reader.number())) }
        if flags & 2 != 0 { pass = Array(try reader.slice(Hello.passSizeBytes)) }
    }
}

extension Welcome {
    fileprivate init(_ reader: inout ByteReader) throws(FrameError) {
        let version = try reader.u8()
        guard version == Hello.version else { throw .unsupportedVersion(version) }
        let flags = try reader.u8()
        self.init(
            resumed: flags & 1 != 0, created: flags & 2 != 0, incarnation: try reader.u64(), heartbeatSeconds: try reader.u16(),
            silenceSeconds: try reader.u16(), resumeWindowSeconds: try reader.u32(), graceSeconds: try reader.u32(),
            conversationQuotaBytes: try reader.number())
    }
}
