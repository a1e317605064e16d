// Small messages between the participants of a session.

import Conversations
import Foundation
import Sealing
import Wire

/// Sends typed values, or bytes, to the others in a session, and receives theirs; sealed end to end. A message has at most 262,144 bytes.
/// What others say is kept from the moment the messenger exists until somebody asks for it, up to 4,096 messages. Own messages do not
/// come back. A messenger hears what was sent in its own mode, and in the other one where no messenger of that mode exists.
/// Apple: GroupActivities/GroupSessionMessenger.
public final class GroupSessionMessenger: @unchecked Sendable {
    public let deliveryMode: DeliveryMode
    private let core: SessionCore
    private let mailbox: Mailbox

    /// Apple: GroupActivities/GroupSessionMessenger/DeliveryMode.
    public enum DeliveryMode: Hashable, Sendable {
        /// In order for each sender, none missing, none twice, also across interruptions of the connection.
        case reliable
        /// As soon as possible, or not at all.
        case unreliable
    }

    /// What is known of a message besides its content. Apple: GroupActivities/GroupSessionMessenger/MessageContext.
    public struct MessageContext: Sendable {
        public var source: Participant
    }

    public convenience init<Activity: GroupActivity>(session: GroupSession<Activity>) { self.init(session: session, deliveryMode: .reliable) }

    public init<Activity: GroupActivity>(session: GroupSession<Activity>, deliveryMode: DeliveryMode) {
        self.deliveryMode = deliveryMode
        core = session.core
        mailbox = Mailbox(isReliable: deliveryMode == .reliable, notices: core.notices, onWork: core.provider.onWork, isOpen: { [entry = core.entry] in entry.isOpen })
        if core.isEntering { core.notices.tell(core.isOver ? .workAfterInvalidation : .madeAfterJoin) }
        core.inbox.add(mailbox)
    }

    deinit { core.inbox.remove(mailbox) }

    /// Reliable: returns when the message has its place in the order of all. Unreliable: when it was handed over.
    /// - Throws: `HearthError`: `message-too-large`, `session-invalidated`, `queue-full`; or what the encoding throws.
    public nonisolated(nonsending) func send<Message: Codable>(_ value: Message, to participants: Participants = .all) async throws {
        try await send(try content(value), to: participants)
    }

    public nonisolated(nonsending) func send(_ value: Data, to participants: Participants = .all) async throws {
        try await send(try content(value), to: participants)
    }

    /// The same, told by a closure, which is called on the main queue: apps change there what people see. Calls keep their order.
    public func send<Message: Codable>(_ value: Message, to participants: Participants = .all, completion: @escaping ((any Error)?) -> Void) {
        send(Result { try content(value) }, to: participants, completion: completion)
    }

    public func send(_ value: Data, to participants: Participants = .all, completion: @escaping ((any Error)?) -> Void) {
        send(Result { try content(value) }, to: participants, completion: completion)
    }

    /// The messages of one type, by its name or `messageIdentifier`; each loop gets each message. Ends when the session is invalidated.
    public func messages<Message: Codable>(of type: Message.Type) -> Messages<Message> {
        let decode: (FrameContent) -> Message? = { content in
            guard case .message(_, let json) = content else { return nil }
            return try? JSONText.decode(type, Array(json))
        }
        return Messages(mailbox: mailbox, key: .message(MessageName.of(type)), decode: Handed(decode))
    }

    /// What others sent as bytes.
    public func messages(of type: Data.Type) -> Messages<Data> {
        let decode: (FrameContent) -> Data? = { content in
            guard case .data(let bytes) = content else { return nil }
            return Data(bytes)
        }
        return Messages(mailbox: mailbox, key: .data, decode: Handed(decode))
    }

    // MARK: Inside

    private func content<Message: Codable>(_ value: Message) throws -> FrameContent {
        let identifier = MessageName.of(Message.self)
        guard identifier.utf8.count <= MessageName.sizeLimitBytes else {
            throw HearthError(.messageIdentifierTooLarge, limit: MessageName.sizeLimitBytes, value: identifier.utf8.count)
        }
        let json = try JSONText.encodeOrThrow(value)
        try check(json.count)
        return .message(identifier: identifier, json: json[...])
    }

    private func content(_ value: Data) throws -> FrameContent {
        try check(value.count)
        return .data(Array(value)[...])
    }

    private func check(_ size: Int) throws {
        guard size <= Limits.messageSizeLimitBytes else { throw HearthError(.messageTooLarge, limit: Limits.messageSizeLimitBytes, value: size) }
        if size > 65_536 { core.notices.tell(.largeMessage) }
    }

    private nonisolated(nonsending) func send(_ content: FrameContent, to participants: Participants) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            post(content, to: participants) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    private func send(_ content: Result<FrameContent, any Error>, to participants: Participants, completion: @escaping ((any Error)?) -> Void) {
        let completion = Handed(completion)
        let finish: SessionOutbox.Finish = { error in DispatchQueue.main.async { completion.value(error) } }
        switch content {
        case .failure(let error): finish(error)
        case .success(let content): post(content, to: participants, finish: finish)
        }
    }

    private func post(_ content: FrameContent, to participants: Participants, finish: @escaping SessionOutbox.Finish) {
        var recipients: [ParticipantID] = []
        if case .only(let chosen) = participants {
            recipients = chosen.map(\.name).filter { $0 != core.conversation.localParticipant }
            // Nobody else: an empty list of recipients would mean everybody.
            guard !recipients.isEmpty else { return finish(nil) }
            if deliveryMode == .unreliable { core.notices.tell(.unreliableState) }
        }
        if core.isOver { core.notices.tell(.workAfterInvalidation) }
        core.inbox.said(to: recipients)
        core.outbox.speak(content, to: recipients, isReliable: deliveryMode == .reliable, finish: finish)
    }
}

/// A message type that names itself, so that types of other names, or programs in other languages, can be its partners.
/// Apple: GroupActivities/CustomMessageIdentifiable.
public protocol CustomMessageIdentifiable {
    /// At most 256 bytes of UTF-8.
    static var messageIdentifier: String { get }
}

enum MessageName {
    static let sizeLimitBytes = 256

    static func of<Message>(_ type: Message.Type) -> String { (type as? any CustomMessageIdentifiable.Type)?.messageIdentifier ?? "\(type)" }
}
