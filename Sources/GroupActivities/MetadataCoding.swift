// Metadata as JSON: a few words that a browser can write too, and nothing that must be there.

import CoreGraphics
import Foundation

extension GroupActivityMetadata: Codable {
    private enum Key: String, CodingKey {
        case type, title, subtitle, previewImage, fallbackURL, preferredBroadcastOptions, supportsContinuationOnTV, sceneAssociationBehavior, lifetimePolicy
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        guard let fields = try? decoder.container(keyedBy: Key.self) else { return }
        // Others may write less, or more, or something else: what does not fit is left at its default.
        func field<Value: Decodable>(_ key: Key, _ type: Value.Type) -> Value? { try? fields.decode(type, forKey: key) }
        self.type = field(.type, String.self).map(ActivityType.init(word:)) ?? .generic
        title = field(.title, String.self)
        subtitle = field(.subtitle, String.self)
        previewImage = field(.previewImage, Data.self).flatMap { CGImage(encodedData: $0) }
        fallbackURL = field(.fallbackURL, String.self).flatMap { URL(string: $0) }
        preferredBroadcastOptions = BroadcastOptions(rawValue: field(.preferredBroadcastOptions, Int.self) ?? 0)
        supportsContinuationOnTV = field(.supportsContinuationOnTV, Bool.self) ?? false
        if let rule = field(.sceneAssociationBehavior, [String].self) { sceneAssociationBehavior = rule.first.map { .content($0) } ?? .none }
        lifetimePolicy = field(.lifetimePolicy, String.self).map(LifetimePolicy.init(word:)) ?? .automatic
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(type.word, forKey: .type)
        try fields.encodeIfPresent(title, forKey: .title)
        try fields.encodeIfPresent(subtitle, forKey: .subtitle)
        try fields.encodeIfPresent(previewImage?.encodedData, forKey: .previewImage)
        try fields.encodeIfPresent(fallbackURL?.absoluteString, forKey: .fallbackURL)
        if !preferredBroadcastOptions.isEmpty { try fields.encode(preferredBroadcastOptions.rawValue, forKey: .preferredBroadcastOptions) }
        if supportsContinuationOnTV { try fields.encode(true, forKey: .supportsContinuationOnTV) }
        switch sceneAssociationBehavior.rule {
        case .standard: break
        case .content(let identifier): try fields.encode([identifier], forKey: .sceneAssociationBehavior)
        case .never: try fields.encode([String](), forKey: .sceneAssociationBehavior)
        }
        if lifetimePolicy != .automatic { try fields.encode(lifetimePolicy.word, forKey: .lifetimePolicy) }
    }
}
