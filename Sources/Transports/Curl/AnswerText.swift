// The relay's word on what it holds of a body, read from JSON.

import Conversations
import Foundation
import Synchronization
import Wire

final class AnswerText: Sendable {
    private struct Standing: Decodable {
        let bodyLength: Int
        let partCount: Int
        let missing: [Int]
    }

    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }

    /// `nil` for what does not say it.
    var standing: BodyStanding? {
        guard let standing = try? JSONDecoder().decode(Standing.self, from: Data(bytes.withLock(\.self))), (0...Limits.bodySizeLimitBytes).contains(standing.bodyLength),
            standing.missing.allSatisfy({ (0..<standing.partCount).contains($0) })
        else { return nil }
        return BodyStanding(bodySizeBytes: standing.bodyLength, missingParts: standing.missing)
    }
}
