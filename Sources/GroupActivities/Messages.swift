// The messages of one type as a sequence.

import Conversations
import Foundation
import Sealing

extension GroupSessionMessenger {
    /// Never throws: what cannot be decoded is left out. Apple: GroupActivities/GroupSessionMessenger/Messages.
    public struct Messages<Message: Codable>: AsyncSequence {
        public typealias Element = (Message, MessageContext)
        public typealias AsyncIterator = Iterator
        let mailbox: Mailbox
        let key: MessageKey
        let decode: Handed<(FrameContent) -> Message?>

        public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, key: key, decode: decode) }

        /// Apple: GroupActivities/GroupSessionMessenger/Messages/Iterator.
        public struct Iterator: AsyncIteratorProtocol {
            public typealias Failure = Never
            private let reader: MailboxReader
            private let decode: Handed<(FrameContent) -> Message?>

            init(mailbox: Mailbox, key: MessageKey, decode: Handed<(FrameContent) -> Message?>) {
                reader = MailboxReader(mailbox, key)
                self.decode = decode
            }

            public mutating func next() async -> (Message, MessageContext)? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> (Message, MessageContext)? {
                while let letter = await reader.next(isolation: actor) {
                    if let message = decode.value(letter.content) { return (message, MessageContext(source: letter.source)) }
                    reader.undecodable()
                }
                return nil
            }
        }
    }
}

extension GroupSessionMessenger.Messages: Sendable where Message: Sendable {}
extension GroupSessionMessenger.Messages.Iterator: @unchecked Sendable where Message: Sendable {}

/// Tells the streams of one messenger apart.
enum MessageKey: Hashable, Sendable {
    case message(String)
    case data

    init?(_ content: FrameContent) {
        switch content {
        case .message(let identifier, _): self = .message(identifier)
        case .data: self = .data
        case .position, .unknown: return nil
        }
    }
}

struct Letter: Sendable {
    let content: FrameContent
    let source: Participant
}

/// What one iterator holds; its place in the mailbox goes with it.
final class MailboxReader: @unchecked Sendable {
    private let mailbox: Mailbox
    private let key: MessageKey
    private let number: UInt64
    private var iterator: AsyncStream<Letter>.AsyncIterator

    init(_ mailbox: Mailbox, _ key: MessageKey) {
        self.mailbox = mailbox
        self.key = key
        let (stream, number) = mailbox.open(key)
        self.number = number
        iterator = stream.makeAsyncIterator()
    }

    deinit { mailbox.close(number, key) }

    func next(isolation actor: isolated (any Actor)?) async -> Letter? {
        mailbox.onWork()
        return await iterator.next(isolation: actor)
    }

    func undecodable() { mailbox.notices.tell(.undecodableMessage) }
}
