// Media by its address. Nothing is loaded here: a headless player keeps time, it does not decode.

import CoreMedia
import Foundation

/// Something to play. Its duration is unknown unless whoever makes it says so. Apple: AVFoundation/AVAsset.
public class AVAsset: NSObject, @unchecked Sendable {
    let source: URL
    public let duration: CMTime

    public convenience init(url: URL) { self.init(url: url, duration: .indefinite) }

    /// An asset of a known length, at whose end a headless player stops. Not in Apple's framework, where lengths come from the media.
    public init(url: URL, duration: CMTime) {
        source = url
        self.duration = duration
    }

    /// The value of a property, at once. Apple: AVFoundation/AVAsynchronousKeyValueLoading/load(_:).
    public func load<T>(_ property: AVAsyncProperty<AVAsset, T>) async throws -> T { property.read(self) }
}

/// Apple: AVFoundation/AVURLAsset.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    public var url: URL { source }
    public convenience init(url: URL, options: [String: Any]?) { self.init(url: url) }
}

/// Names a property that is loaded. Apple: AVFoundation/AVAsyncProperty.
public struct AVAsyncProperty<Root, Value>: Sendable {
    let read: @Sendable (Root) -> Value
}

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
    public static var duration: AVAsyncProperty { .init { $0.duration } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
    /// True: keeping time is always possible.
    public static var isPlayable: AVAsyncProperty { .init { _ in true } }
}
