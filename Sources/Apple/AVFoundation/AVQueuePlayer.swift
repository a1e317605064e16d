// A player with more to play: what comes after the current item, and going on to it.

import CoreMedia
import Foundation

/// Plays one item after the other. The first of `items()` is the current one. Apple: AVFoundation/AVQueuePlayer.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    private let lock = NSLock()
    private var later: [AVPlayerItem] = []

    public convenience init(items: [AVPlayerItem]) {
        self.init(playerItem: items.first)
        lock.withLock { later = Array(items.dropFirst()) }
    }

    public override init(playerItem item: AVPlayerItem?) {
        super.init(playerItem: item)
        actionAtItemEnd = .advance
    }

    public func items() -> [AVPlayerItem] { (currentItem.map { [$0] } ?? []) + lock.withLock { later } }

    /// An item is in the queue once at most, and its neighbour must be there.
    public func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = items()
        return !items.contains { $0 === item } && (afterItem.map { after in items.contains { $0 === after } } ?? true)
    }

    /// Puts an item behind another, or at the end. What cannot be inserted is left out.
    public func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard canInsert(item, after: afterItem) else { return }
        guard currentItem != nil else { return replaceCurrentItem(with: item) }
        lock.withLock {
            let place = afterItem.map { after in later.firstIndex { $0 === after }.map { $0 + 1 } ?? 0 } ?? later.endIndex
            later.insert(item, at: place)
        }
    }

    public func remove(_ item: AVPlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        lock.withLock { later.removeAll { $0 === item } }
    }

    public func removeAllItems() {
        lock.withLock { later = [] }
        replaceCurrentItem(with: nil)
    }

    /// Leaves the current item for the next one, at the same rate.
    public func advanceToNextItem() { advance(at: rate) }

    private func advance(at rate: Float) {
        let next = lock.withLock { later.isEmpty ? nil : later.removeFirst() }
        replaceCurrentItem(with: next)
        if next != nil, rate != 0 { self.rate = rate }
    }

    override func itemDidEnd(at rate: Float) {
        if actionAtItemEnd == .advance { advance(at: rate) }
    }
}
