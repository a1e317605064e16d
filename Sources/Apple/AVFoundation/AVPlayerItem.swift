// One playing of an asset, as a player has it.

import CoreMedia
import Foundation

/// Unknown until it is a player's, ready a moment later: there is nothing to load. Apple: AVFoundation/AVPlayerItem.
open class AVPlayerItem: NSObject, PropertiesObservable, @unchecked Sendable {
    /// Apple: AVFoundation/AVPlayerItem/Status-swift.enum.
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    public let asset: AVAsset
    public let propertyObservers = PropertyObservers()
    private let lock = NSLock()
    private weak var owner: AVPlayer?
    private var isReady = false
    private var wishedBufferSeconds = TimeInterval(0)

    public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }
    public init(asset: AVAsset) { self.asset = asset }

    public var status: Status { lock.withLock { isReady ? .readyToPlay : .unknown } }
    public var duration: CMTime { asset.duration }
    public var error: (any Error)? { nil }
    public var isPlaybackLikelyToKeepUp: Bool { status == .readyToPlay }
    public var isPlaybackBufferEmpty: Bool { status != .readyToPlay }
    public var isPlaybackBufferFull: Bool { status == .readyToPlay }
    /// Carried along: nothing is buffered.
    public var preferredForwardBufferDuration: TimeInterval {
        get { lock.withLock { wishedBufferSeconds } }
        set { lock.withLock { wishedBufferSeconds = newValue } }
    }

    var player: AVPlayer? {
        get { lock.withLock { owner } }
        set { lock.withLock { owner = newValue } }
    }

    func becomeReady() { propertyObservers.during { lock.withLock { isReady = true } } }

    /// Where the player is in this item; zero for one that is not its player's current item.
    public func currentTime() -> CMTime {
        guard let player, player.currentItem === self else { return .zero }
        return player.currentTime()
    }

    /// Seeks in the player whose current item this is.
    public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard let player, player.currentItem === self else {
            completionHandler?(false)
            return
        }
        player.seek(to: time) { completionHandler?($0) }
    }

    public class var didPlayToEndTimeNotification: NSNotification.Name { .AVPlayerItemDidPlayToEndTime }
    public class var timeJumpedNotification: NSNotification.Name { .AVPlayerItemTimeJumped }
    /// In a time jump's user info: the `AVCoordinatedPlaybackParticipant` who caused it, if another did.
    public class var timeJumpedOriginatingParticipantKey: String { "AVPlayerItemTimeJumpedOriginatingParticipantKey" }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NSNotification.Name {
    public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    public static let AVPlayerItemTimeJumped = NSNotification.Name("AVPlayerItemTimeJumpedNotification")
}
