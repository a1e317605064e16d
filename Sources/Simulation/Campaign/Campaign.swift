// Many conversations on every processor, what came of them, and the short story of whatever was broken.

import Foundation
import Synchronization

struct Campaign: Sendable {
    /// Findings whose stories are shortened; more would tell the same.
    private static let shortenedLimit = 3

    private let options: SimulationOptions
    private let start = ContinuousClock.now

    init(_ options: SimulationOptions) { self.options = options }

    func run() -> Int32 {
        var result = tellAll()
        result.broken.sort { $0.seed < $1.seed }
        for index in result.broken.indices.prefix(Self.shortenedLimit) { shorten(&result.broken[index]) }
        Output.progress("")
        report(result, seconds: (ContinuousClock.now - start) / .seconds(1))
        return result.broken.isEmpty && result.conversationCount == options.conversationCount ? 0 : 1
    }

    private func arguments(_ more: [String]) -> [String] {
        more + (options.sabotage.map { ["--sabotage", $0.rawValue] } ?? []) + (options.isCalm ? ["--calm"] : []) + (options.isHostile ? ["--hostile"] : [])
    }

    private func tellAll() -> WorkerResult {
        let jobCount = min(options.jobCount ?? ProcessInfo.processInfo.activeProcessorCount, options.conversationCount)
        let whole = Mutex(WorkerResult())
        let told = Mutex((count: 0, broken: 0))
        DispatchQueue.concurrentPerform(iterations: jobCount) { index in
            let result = share(index, of: jobCount) { finding in
                let (count, broken) = told.withLock { told in
                    told = (told.count + 1, told.broken + (finding == nil ? 0 : 1))
                    return told
                }
                if let finding { Output.tellNow("seed \(finding.seed): \(finding.claim.rawValue): \(finding.detail)") }
                if count % 20 == 0 { Output.progress("\(count) of \(options.conversationCount) conversations, \(broken) broken") }
            }
            whole.withLock { whole in
                whole.broken += result.broken
                whole.conversationCount += result.conversationCount
                whole.peopleCount += result.peopleCount
                whole.recordCount += result.recordCount
                whole.tally.add(result.tally)
                whole.lies += result.lies
            }
        }
        return whole.withLock(\.self)
    }

    /// One process's share; after its sudden end another goes on behind the story that did it.
    private func share(_ index: Int, of jobCount: Int, onEnd: (Finding?) -> Void) -> WorkerResult {
        var result = WorkerResult()
        var offset = index
        while offset < options.conversationCount {
            let rest = options.conversationCount - offset
            let part = Worker.run(
                arguments(["--seed", "\(options.seed &+ UInt64(offset))", "--conversations", "\(rest)", "--share", "0/\(jobCount)"]), onEnd: onEnd)
            result.broken += part.broken
            result.conversationCount += part.conversationCount
            result.peopleCount += part.peopleCount
            result.recordCount += part.recordCount
            result.tally.add(part.tally)
            result.lies += part.lies
            guard let last = part.broken.last, last.claim == .noTrap, last.seed != 0 else { break }
            result.conversationCount += 1
            offset = Int(last.seed &- options.seed) + jobCount
        }
        return result
    }

    private func shorten(_ finding: inout Finding) {
        guard finding.seed != 0 || options.seed == 0 else { return }
        let seed = finding.seed
        Output.progress("making the story of seed \(seed) short")
        var shrinking = Shrinking { keep, isCalm in
            Worker.run(arguments(["--seed", "\(seed)", "--share", "0/1", "--keep", NumberList.text(keep)] + (isCalm ? ["--calm"] : []))).broken.first?.claim
        }
        (finding.keep, finding.isCalm) = shrinking.shorten(options.story(seed), finding.claim)
    }

    // MARK: Reporting

    private func command(_ finding: Finding) -> String {
        var again = options
        again.keep = finding.keep ?? options.keep
        again.isCalm = finding.isCalm || options.isCalm
        return again.command(finding.seed)
    }

    private func report(_ result: WorkerResult, seconds: Double) {
        if options.isJSON { return Output.write(json(result, seconds)) }
        for finding in result.broken { Output.write(text(finding)) }
        if options.conversationCount > 1 { for (what, count) in result.tally.inOrder { Output.write("\(count) times: \(what)") } }
        if options.isHostile { for line in result.lies.lines { Output.write(line) } }
        Output.write(
            "\(result.conversationCount) conversations, \(result.peopleCount) participations, \(result.recordCount) records in \(String(format: "%.1f", seconds)) s: "
                + (result.broken.isEmpty ? "every promise held" : "\(result.broken.count) broken"))
    }

    private func text(_ finding: Finding) -> String {
        var lines = ["seed \(finding.seed): \(finding.claim.text): BROKEN: \(finding.detail)"]
        if let keep = finding.keep {
            let story = options.story(finding.seed)
            let steps = story.keeping(Set(keep)).steps
            lines.append("  \(steps.count) of \(story.steps.count) steps do it\(finding.isCalm ? ", without delays or losses" : ""):")
            lines += steps.map { "    \($0.text(Device.name($0.person)))" }
        }
        lines.append("  again: \(command(finding)) ARGUMENTS=--frames")
        return lines.joined(separator: "\n")
    }

    private struct Summary: Encodable {
        struct Broken: Encodable {
            let seed: UInt64
            let claim: String
            let promise: String
            let detail: String
            let command: String
        }

        let firstSeed: UInt64
        let conversations: Int
        let participations: Int
        let records: Int
        let seconds: Double
        let claims: [String]
        /// How often each trouble came over somebody.
        let happened: [String: Int]
        let broken: [Broken]
        /// Of a relay that lies: how often it did, how often somebody was told, how often a session was over, how often nobody noticed.
        var lies: [String: [String: Int]]?
    }

    private func json(_ result: WorkerResult, _ seconds: Double) -> String {
        let broken = result.broken.map {
            Summary.Broken(seed: $0.seed, claim: $0.claim.rawValue, promise: $0.claim.text, detail: $0.detail, command: command($0))
        }
        var summary = Summary(
            firstSeed: options.seed, conversations: result.conversationCount, participations: result.peopleCount, records: result.recordCount, seconds: seconds,
            claims: Claim.allCases.map(\.rawValue), happened: result.tally.counts, broken: broken)
        let encoder = JSONEncoder()
        if options.isHostile { summary.lies = result.lies.figures }
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(summary)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
