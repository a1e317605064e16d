// What happened, line by line: kept when somebody wants to read it, and always summed up in one number.

import Wire

final class Transcript {
    private let keepsLines: Bool
    private let keepsFrames: Bool
    private(set) var lines: [String] = []
    /// The same for the same lines.
    private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325

    init(keepsLines: Bool, keepsFrames: Bool = false) {
        self.keepsLines = keepsLines
        self.keepsFrames = keepsFrames
    }

    /// Not part of the sum.
    func tellFrames(_ what: String, at time: Duration, _ frames: () -> [Frame]) {
        guard keepsFrames else { return }
        lines.append("\(Int(time / .milliseconds(1))) ms    \(what): \(frames().map(LogWitness.word).joined(separator: ", "))")
    }

    func tell(_ line: String, at time: Duration) {
        let line = "\(Int(time / .milliseconds(1))) ms  \(line)"
        for byte in line.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01b3 }
        if keepsLines { lines.append(line) }
    }
}
