// The headless player: it keeps time, tells of changes, and follows its group.

import Foundation
import Testing

@testable import AVFoundation

private final class Namer: NSObject, AVPlayerPlaybackCoordinatorDelegate {
    func playbackCoordinator(_ coordinator: AVPlayerPlaybackCoordinator, identifierFor playerItem: AVPlayerItem) -> String { "the same" }
}

private final class AsyncPlayer: NSObject, AVPlaybackCoordinatorPlaybackControlDelegate {
    let played: AsyncStream<Float>.Continuation
    init(_ played: AsyncStream<Float>.Continuation) { self.played = played }
    func playbackCoordinator(_ coordinator: AVDelegatingPlaybackCoordinator, didIssue playCommand: AVDelegatingPlaybackCoordinatorPlayCommand) async { played.yield(playCommand.rate) }
}

@Suite struct PlayerTests {
    private let cinema = Cinema()

    private func player(_ path: String = "film.mp4", seconds length: Double? = nil) throws -> AVPlayer {
        let url = try #require(URL(string: "https://example.org/\(path)"))
        let asset = AVAsset(url: url, duration: length.map { seconds($0) } ?? .indefinite)
        return PlaybackTime.$current.withValue(cinema.time()) { AVPlayer(playerItem: AVPlayerItem(asset: asset)) }
    }

    @Test func `a player keeps the time of its clock and rate`() throws {
        let player = try player()
        #expect(player.timeControlStatus == .paused)
        player.play()
        cinema.run(10)
        #expect(abs(player.currentTime().seconds - 10) < 0.001)
        player.rate = 2
        cinema.run(5)
        #expect(abs(player.currentTime().seconds - 20) < 0.001)
        player.pause()
        cinema.run(5)
        #expect(abs(player.currentTime().seconds - 20) < 0.001)
        player.seek(to: seconds(3))
        #expect(player.currentTime() == seconds(3))
        #expect(player.currentItem?.currentTime() == seconds(3))
    }

    @Test func `a seek while playing goes on playing`() throws {
        let player = try player()
        player.play()
        cinema.run(1)
        player.seek(to: seconds(100))
        cinema.run(1)
        #expect(player.timeControlStatus == .playing)
        #expect(abs(player.currentTime().seconds - 101) < 0.001)
    }

    @Test func `the end is told once and stops the player`() throws {
        let player = try player(seconds: 5)
        nonisolated(unsafe) var ends = 0
        let token = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: player.currentItem, queue: nil) { _ in ends += 1 }
        player.play()
        cinema.run(4)
        #expect(ends == 0)
        cinema.run(2)
        #expect(ends == 1)
        #expect(player.rate == 0)
        #expect(player.currentTime() == seconds(5))
        NotificationCenter.default.removeObserver(token)
    }

    @Test func `players on one machine follow each other and name who caused a change`() throws {
        let (a, b) = (try player("one.mp4"), try player("two.mp4"))
        let namer = Namer()
        let medium = AVPlaybackCoordinationMedium()
        for player in [a, b] {
            player.playbackCoordinator.delegate = namer
            try player.playbackCoordinator.coordinate(using: medium)
        }
        #expect(medium.connectedPlaybackCoordinators.count == 2)
        nonisolated(unsafe) var causes: [AVCoordinatedPlaybackParticipant] = []
        let token = NotificationCenter.default.addObserver(forName: AVPlayer.rateDidChangeNotification, object: b, queue: nil) { note in
            if let cause = note.userInfo?[AVPlayer.rateDidChangeOriginatingParticipantKey] as? AVCoordinatedPlaybackParticipant { causes.append(cause) }
        }
        cinema.run(1)
        a.play()
        cinema.run(2)
        #expect(b.timeControlStatus == .playing)
        #expect(abs(a.currentTime().seconds - b.currentTime().seconds) < 0.001)
        #expect(!causes.isEmpty)
        try b.playbackCoordinator.coordinate(using: nil)
        a.pause()
        cinema.run(1)
        #expect(b.timeControlStatus == .playing)
        #expect(b.playbackCoordinator.playbackCoordinationMedium == nil)
        NotificationCenter.default.removeObserver(token)
    }

    @Test func `an item of another address is another item`() throws {
        let (a, b) = (try player("one.mp4"), try player("two.mp4"))
        let medium = AVPlaybackCoordinationMedium()
        for player in [a, b] { try player.playbackCoordinator.coordinate(using: medium) }
        cinema.run(1)
        a.play()
        cinema.run(1)
        #expect(b.rate == 0)
        b.replaceCurrentItem(with: AVPlayerItem(url: try #require(URL(string: "https://example.org/one.mp4"))))
        cinema.run(1)
        #expect(abs(a.currentTime().seconds - b.currentTime().seconds) < 0.001)
    }

    @Test func `a coordinator that belongs to a session cannot be joined locally`() throws {
        let player = try player()
        player.playbackCoordinator.connect(to: SeatMedium(cinema.enter()))
        #expect(throws: AVPlaybackCoordinationError.coordinatesSession) { try player.playbackCoordinator.coordinate(using: AVPlaybackCoordinationMedium()) }
    }

    @Test func `a delegate may be written with async`() async {
        let (stream, continuation) = AsyncStream<Float>.makeStream()
        let delegate = AsyncPlayer(continuation)
        let coordinator = AVDelegatingPlaybackCoordinator(playbackControlDelegate: delegate)
        coordinator.transitionToItem(withIdentifier: "film", proposingInitialTimingBasedOn: nil)
        coordinator.coordinateRateChange(to: 1.25)
        for await rate in stream {
            #expect(rate == 1.25)
            break
        }
        #expect(coordinator.playbackControlDelegate != nil)
    }

    @Test func `an asset tells what it was given`() async throws {
        let asset = AVURLAsset(url: try #require(URL(string: "https://example.org/a.mp4")), options: nil)
        #expect(try await asset.load(.duration).isIndefinite)
        #expect(try await asset.load(.isPlayable))
        #expect(asset.url.lastPathComponent == "a.mp4")
    }
}
