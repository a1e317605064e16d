// Following a player: its properties by key path, its time by blocks.

import Combine
import Foundation
import Synchronization
import Testing

@testable import AVFoundation

@Suite struct PlayerObservationTests {
    private let cinema = Cinema()
    private let queue = DispatchQueue(label: "observers")

    private func player(with item: AVPlayerItem? = nil) -> AVPlayer {
        PlaybackTime.$current.withValue(cinema.time()) { AVPlayer(playerItem: item) }
    }

    private func film(_ name: String = "film") throws -> AVPlayerItem {
        AVPlayerItem(asset: AVAsset(url: try #require(URL(string: "https://example.org/\(name).mp4")), duration: seconds(100)))
    }

    /// Whichever thread serves the main queue.
    private static let mainQueueKey = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

    /// What the blocks were given, in seconds.
    private final class Times: Sendable {
        private let times = Mutex<[Double]>([])
        func note(_ time: CMTime) { times.withLock { $0.append((time.seconds * 1_000).rounded() / 1_000) } }
        func take() -> [Double] {
            times.withLock { times in
                defer { times = [] }
                return times
            }
        }
    }

    private func run(_ seconds: Double) {
        cinema.run(seconds)
        queue.sync {}
    }

    @Test func `a periodic observer is called at each multiple of its interval, at starts, stops and jumps, and never once removed`() throws {
        let player = player(with: try film())
        let times = Times()
        let observer = player.addPeriodicTimeObserver(forInterval: seconds(1), queue: queue) { times.note($0) }
        run(5)
        #expect(times.take() == [])
        player.play()
        run(3.5)
        #expect(times.take() == [0, 1, 2, 3])
        player.pause()
        run(5)
        #expect(times.take() == [3.5])
        player.seek(to: seconds(10))
        run(5)
        #expect(times.take() == [10])
        player.rate = 2
        run(1)
        #expect(times.take() == [10, 11, 12])
        player.removeTimeObserver(observer)
        run(5)
        #expect(times.take() == [])
    }

    @Test func `an interval that is no time calls at starts and stops alone`() throws {
        let player = player(with: try film())
        let times = Times()
        for interval in [CMTime.invalid, .zero, .indefinite, seconds(-1)] { player.addPeriodicTimeObserver(forInterval: interval, queue: queue) { times.note($0) } }
        player.play()
        run(2)
        player.pause()
        run(1)
        #expect(times.take() == [0, 0, 0, 0, 2, 2, 2, 2])
    }

    @Test func `an observer without a queue is called on the main queue`() async throws {
        let player = player(with: try film())
        let isMain = await withCheckedContinuation { continuation in
            let hasAnswered = Mutex(false)
            player.addPeriodicTimeObserver(forInterval: seconds(1), queue: nil) { _ in
                if !hasAnswered.withLock({ old in
                    defer { old = true }
                    return old
                }) {
                    continuation.resume(returning: Self.isOnMainQueue)
                }
            }
            player.play()
        }
        #expect(isMain)
    }

    @Test func `properties are followed by key path, each new value once, until the observation ends`() throws {
        let player = player(with: try film())
        nonisolated(unsafe) var seen: [String] = []
        let observation = player.observe(\.timeControlStatus, options: [.old, .new]) { player, change in
            #expect(player.timeControlStatus == change.newValue)
            seen.append("\(change.oldValue.map { $0.rawValue } ?? -1) to \(change.newValue.map { $0.rawValue } ?? -1)")
        }
        var released: NSKeyValueObservation? = player.observe(\.volume, options: [.initial, .new]) { _, change in seen.append("volume \(change.newValue ?? -1)") }
        player.play()
        player.play()
        player.volume = 0.5
        player.volume = 0.5
        player.pause()
        #expect(seen == ["volume 1.0", "0 to 2", "volume 0.5", "2 to 0"])
        observation.invalidate()
        withExtendedLifetime(released) {}
        released = nil
        player.play()
        player.volume = 1
        #expect(seen.count == 4)
    }

    @Test func `a property's publisher gives the present value and each new one`() throws {
        let (first, second) = (try film("one"), try film("two"))
        let player = player()
        nonisolated(unsafe) var items: [AVPlayerItem?] = []
        nonisolated(unsafe) var rates: [Float] = []
        var bag = Set<AnyCancellable>()
        player.publisher(for: \.currentItem).sink { items.append($0) }.store(in: &bag)
        player.publisher(for: \.rate, options: [.new]).sink { rates.append($0) }.store(in: &bag)
        player.replaceCurrentItem(with: first)
        player.play()
        player.replaceCurrentItem(with: second)
        #expect(items == [nil, first, second])
        #expect(rates == [1, 0])
        bag = []
        player.replaceCurrentItem(with: nil)
        #expect(items.count == 3)
    }

    @Test func `an item becomes ready a moment after a player has it`() throws {
        let item = try film()
        #expect(item.status == .unknown)
        let player = player(with: item)
        nonisolated(unsafe) var seen: [AVPlayerItem.Status] = []
        let observation = item.observe(\.status) { item, _ in seen.append(item.status) }
        #expect(item.status == .unknown)
        cinema.run(1)
        #expect(seen == [.readyToPlay])
        #expect(player.currentItem?.isPlaybackLikelyToKeepUp == true)
        withExtendedLifetime(observation) {}
    }

    @Test func `players and items may be made special`() throws {
        final class Song: AVPlayerItem, @unchecked Sendable {
            var title = ""
        }
        final class Jukebox: AVPlayer, @unchecked Sendable {
            var played: [String] = []
        }
        let song = Song(url: try #require(URL(string: "https://example.org/song.mp3")))
        song.title = "Hey"
        let jukebox = Jukebox(playerItem: song)
        nonisolated(unsafe) var titles: [String?] = []
        let observation = jukebox.observe(\.currentItem, options: [.initial]) { jukebox, _ in titles.append((jukebox.currentItem as? Song)?.title) }
        jukebox.replaceCurrentItem(with: nil)
        #expect(titles == ["Hey", nil])
        withExtendedLifetime(observation) {}
    }

    @Test func `what coordinators do by themselves they do on the main queue`() async {
        let isMain = await withCheckedContinuation { continuation in
            _ = PlaybackTime.host.schedule(0) { continuation.resume(returning: Self.isOnMainQueue) }
        }
        #expect(isMain)
    }
}
