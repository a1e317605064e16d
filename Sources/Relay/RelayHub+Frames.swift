// From messages to events: reads frames, admits, and hands each to its conversation.

import Wire

extension RelayHub {
    func take(_ message: UnsafeRawBufferPointer, on connection: HubConnection) {
        connection.lastHeardAt = now
        counted.receivedBytes += UInt64(message.count)
        guard message.count <= connection.messageSizeLimitBytes else { return shut(connection, .frameTooLarge) }
        guard connection.allowance.spend(bytes: message.count) else { return shut(connection, .flooding) }
        do throws(FrameError) {
            var reader = try FrameReader(message)
            while let raw = try reader.next() {
                guard connection.allowance.spendFrame() else { return shut(connection, .flooding) }
                try take(raw, on: connection)
                if connection.isClosed { return }
            }
        } catch {
            shut(connection, error.closeReason)
        }
    }

    private func take(_ raw: RawFrame, on connection: HubConnection) throws(FrameError) {
        switch connection.stage {
        case .closed: break
        case .fresh:
            guard case .hello(let hello) = try Frame(raw) else { return shut(connection, .malformed) }
            greet(hello, connection)
        case .greeted:
            // Nothing but heartbeats before `welcome`, or that it goes again.
            switch try Frame(raw) {
            case .ping(let token): transmit(Batch([.pong(token: token)], headroomBytes: headroomBytes), to: connection, isReplay: false)
            case .pong: break
            case .leave: shut(connection, .left)
            default: shut(connection, .malformed)
            }
        case .waiting(let participant):
            guard let room = connection.room else { return }
            switch try Frame(raw) {
            case .ping(let token): transmit(Batch([.pong(token: token)], headroomBytes: headroomBytes), to: connection, isReplay: false)
            case .pong: break
            case .leave: shut(connection, .left)
            case .knock(let sealed):
                guard sealed.count <= Limits.doorSizeLimitBytes else { return shut(connection, .frameTooLarge) }
                room.conversation.knock(sealed, from: participant, on: connection.id)
            default: shut(connection, .malformed)
            }
            touch(room)
            carryOut(room)
        case .admitted(let participant):
            guard let room = connection.room else { return }
            touch(room)
            switch raw.type {
            case .record: room.conversation.receive(record: try RecordInPlace(body: raw.body), from: participant)
            case .sample: room.conversation.receive(sample: try SampleInPlace(body: raw.body), from: participant)
            default:
                if raw.type.direction == .fromRelay {
                    if raw.type.rawValue < FrameType.skippableFrom { shut(connection, .malformed) }
                    return
                }
                let free = settings.totalQuotaBytes - totalReservedBytes
                try room.conversation.receive(try Frame(raw), from: participant, relayFreeBytes: free)
            }
            // The frequent frames decide nothing before the end of the turn.
            if room.conversation.hasActions { carryOut(room) }
        }
    }

    private func greet(_ hello: Hello, _ connection: HubConnection) {
        guard hello.participant != .relay, hello.places.count <= Limits.sessionCountLimit + 1 else { return shut(connection, .malformed) }
        let digest = sha256(hello.relayToken)
        let room: Room
        if let existing = rooms[connection.conversation] {
            room = existing
        } else {
            guard hello.create else { return shut(connection, .unknownConversation) }
            guard rooms.count < settings.conversationCountLimit else { return shut(connection, .conversationFull) }
            room = Room(
                RelayConversation(
                    id: connection.conversation, tokenDigest: digest, incarnation: incarnation, settings: settings, headroomBytes: headroomBytes,
                    nowNanoseconds: now, wallSeconds: wallSeconds))
            rooms[connection.conversation] = room
        }
        connection.stage = .greeted
        connection.room = room
        room.conversation.hello(hello, tokenDigest: digest, on: connection.id)
        touch(room)
        carryOut(room)
    }
}
