// Which path means what. The pattern of a route, not its path, is what the log shows.

import Relay
import Wire

enum Route: Equatable, Sendable {
    case health
    case metrics
    case conversation(ConversationID)
    case attachment(AttachmentName)
    case part(PartName)
    /// Under /v1/ and nothing that the protocol names.
    case unknownResource
    /// A file or page of the web client, by its path.
    case page(String)

    init(path: String) {
        switch path {
        case "/healthz": self = .health
        case "/metrics": self = .metrics
        case _ where path.hasPrefix("/v1/"): self = Self.resource(path.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)) ?? .unknownResource
        default: self = .page(path)
        }
    }

    private static func resource(_ words: [Substring]) -> Route? {
        guard words.count >= 2, words[0] == "conversations", let conversation = ConversationID(base64URL: words[1]) else { return nil }
        if words.count == 2 { return .conversation(conversation) }
        guard words.count == 6 || words.count == 8, words[2] == "sessions", let session = SessionID(base64URL: words[3]), words[4] == "attachments",
            let entry = EntryID(base64URL: words[5])
        else { return nil }
        let attachment = AttachmentName(conversation: conversation, session: session, entry: entry)
        if words.count == 6 { return .attachment(attachment) }
        guard words[6] == "parts", let number = partNumber(words[7]) else { return nil }
        return .part(PartName(attachment: attachment, number: number))
    }

    /// Decimal, without leading zeros, so that every part has one address.
    private static func partNumber(_ word: Substring) -> Int? {
        guard let number = Int(word), number >= 0, String(number) == word else { return nil }
        return number
    }

    var pattern: String {
        switch self {
        case .health: "/healthz"
        case .metrics: "/metrics"
        case .conversation: "/v1/conversations/…"
        case .attachment: "/v1/…/attachments/…"
        case .part: "/v1/…/parts/…"
        case .unknownResource: "/v1/?"
        case .page(let path) where path.hasPrefix("/c/"): "/c/…"
        case .page: "page"
        }
    }

    /// Whether answers carry `Hearth: 1`, by which a client tells the relay from what stands in between.
    var isOfProtocol: Bool {
        switch self {
        case .conversation, .attachment, .part, .unknownResource: true
        case .health, .metrics, .page: false
        }
    }
}
