// `swift run WatchTogether FILM`: then `play`, `pause`, `seek 90`, `film NAME`, for everybody.

import Foundation
import GroupActivities

@main struct WatchTogether {
    @MainActor static func main() async throws {
        let model = try WatchModel { print($0) }
        do { try await model.watch(CommandLine.arguments.dropFirst().first ?? "A film") } catch { print("Not shared: \(error.localizedDescription)") }
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            switch (words.first, words.dropFirst().first) {
            case ("play", _): model.play()
            case ("pause", _): model.pause()
            case ("seek", let place?): if let seconds = Double(place) { model.seek(to: seconds) }
            case ("film", let name?): try? await model.watch(String(name))
            default: print("\(Int(model.player.time.seconds)) s, rate \(model.player.rate)")
            }
        }
        model.groupSession?.leave()
        try? await Task.sleep(for: .milliseconds(300))
    }
}
