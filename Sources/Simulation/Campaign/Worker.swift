// Another process of this program: whatever happens in it, even its sudden end, is told here.

import Foundation

struct WorkerResult: Sendable {
    var broken: [Finding] = []
    var conversationCount = 0
    var peopleCount = 0
    var recordCount = 0
    var tally = Tally()
    var lies: [LieKind: LieTally] = [:]
}

/// A seed whose story did not go as promised.
struct Finding: Sendable {
    let seed: UInt64
    let claim: Claim
    let detail: String
    var keep: [Int]?
    var isCalm = false
}

enum Worker {
    /// Runs it to its end.
    /// - Parameter onEnd: called after each conversation with what was broken in it.
    static func run(_ arguments: [String], onEnd: (Finding?) -> Void = { _ in }) -> WorkerResult {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        // A program that ends suddenly is a finding; its backtrace is had by telling the story again.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        var result = WorkerResult()
        var current: UInt64?
        do { try process.run() } catch {
            result.broken.append(Finding(seed: 0, claim: .noTrap, detail: "the program cannot start itself: \(error)"))
            return result
        }
        read(pipe.fileHandleForReading) { line in
            switch WorkerLine(line) {
            case .begins(let seed): current = seed
            case .broken(let seed, let claim, let detail): result.broken.append(Finding(seed: seed, claim: claim, detail: detail))
            case .lied(_, let kind, let tally): result.lies[kind, default: LieTally()] += tally
            case .ends(let seed, let people, let records):
                current = nil
                result.conversationCount += 1
                result.peopleCount += people
                result.recordCount += records
                onEnd(result.broken.last.flatMap { $0.seed == seed ? $0 : nil })
            case .happened(let count, let what): result.tally.note(what, count: count)
            case nil: break
            }
        }
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal { result.broken.append(Finding(seed: current ?? 0, claim: .noTrap, detail: "the program ended with signal \(process.terminationStatus)")) }
        return result
    }

    private static func read(_ handle: FileHandle, _ body: (Substring) -> Void) {
        var rest: [UInt8] = []
        while case let data = handle.availableData, !data.isEmpty {
            rest += data
            while let end = rest.firstIndex(of: 10) {
                body(Substring(decoding: rest[..<end], as: UTF8.self))
                rest.removeFirst(end + 1)
            }
        }
    }
}
