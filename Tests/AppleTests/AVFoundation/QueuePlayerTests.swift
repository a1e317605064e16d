// One item after the other.

import Foundation
import Testing

@testable import AVFoundation

@Suite struct QueuePlayerTests {
    private let cinema = Cinema()

    private func songs(_ count: Int) throws -> [AVPlayerItem] {
        try (1...count).map { AVPlayerItem(asset: AVAsset(url: try #require(URL(string: "https://example.org/\($0).mp3")), duration: seconds(10))) }
    }

    private func player(_ items: [AVPlayerItem]) -> AVQueuePlayer {
        PlaybackTime.$current.withValue(cinema.time()) { AVQueuePlayer(items: items) }
    }

    @Test func `a queue plays its items one after the other and stops behind the last`() throws {
        let songs = try songs(3)
        let player = player(songs)
        nonisolated(unsafe) var ended: [AVPlayerItem] = []
        let token = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: nil) { note in
            if let item = note.object as? AVPlayerItem, songs.contains(item) { ended.append(item) }
        }
        player.play()
        cinema.run(15)
        #expect(player.currentItem === songs[1] && player.rate == 1 && abs(player.currentTime().seconds - 5) < 0.01)
        cinema.run(20)
        #expect(player.currentItem == nil && player.items().isEmpty && player.rate == 0)
        #expect(ended == songs)
        NotificationCenter.default.removeObserver(token)
    }

    @Test func `items are inserted and removed, each once`() throws {
        let songs = try songs(4)
        let player = player(Array(songs[..<2]))
        player.insert(songs[2], after: songs[0])
        player.insert(songs[3], after: nil)
        player.insert(songs[3], after: songs[0])
        #expect(player.items() == [songs[0], songs[2], songs[1], songs[3]])
        #expect(!player.canInsert(songs[1], after: nil) && !player.canInsert(AVPlayerItem(asset: songs[0].asset), after: AVPlayerItem(asset: songs[0].asset)))
        player.remove(songs[1])
        player.remove(songs[0])
        #expect(player.items() == [songs[2], songs[3]] && player.currentItem === songs[2])
        player.removeAllItems()
        #expect(player.items().isEmpty)
        player.insert(songs[0], after: nil)
        #expect(player.currentItem === songs[0])
    }

    @Test func `a queue that is told to pause at the end stays on its item`() throws {
        let songs = try songs(2)
        let player = player(songs)
        player.actionAtItemEnd = .pause
        player.play()
        cinema.run(15)
        #expect(player.currentItem === songs[0] && player.rate == 0)
        player.advanceToNextItem()
        #expect(player.currentItem === songs[1] && player.rate == 0)
    }
}
