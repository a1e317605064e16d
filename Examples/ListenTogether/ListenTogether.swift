// `swift run ListenTogether`: says to the others what one hears; each line of input goes to everybody.

import Foundation
import GroupActivities

@main struct ListenTogether {
    @MainActor static func main() async {
        let manager = ListenManager()
        manager.onMessage = { text, source in print("\(source.id.uuidString.prefix(4)): \(text)") }
        // The observer learns of the conversation a moment after it was made.
        for await isEligible in manager.groupStateObserver.$isEligibleForGroupSession.values where isEligible { break }
        switch await manager.startSharing() {
        case .shared: print("Listening together. Write what you hear.")
        case .local: print("Listening alone.")
        case .needsDialog: print("There is no conversation.")
        }
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines {
            do { try await manager.send(line) } catch { print("not sent: \(error.localizedDescription)") }
        }
        manager.session?.leave()
        try? await Task.sleep(for: .milliseconds(300))
    }
}
