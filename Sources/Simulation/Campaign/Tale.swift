// Tells one story and says what came of it.

struct Outcome: Sendable {
    /// What came of each kind of lie.
    var lies: [LieKind: LieTally] = [:]
    var violation: Violation?
    var fingerprint: UInt64
    var lines: [String]
    var participationCount: Int
    var recordCount: Int
    var workCount: Int
    var tally = Tally()
}

/// - Parameter keepsLines: for a reader; otherwise only their sum is kept.
func tell(_ story: Story, sabotage: Sabotage? = nil, keepsLines: Bool = false, keepsFrames: Bool = false) -> Outcome {
    let loop = EventLoop()
    return Determinism.reign(loop, seed: story.seed) {
        do {
            let world = try World(story, loop: loop, sabotage: sabotage, keepsLines: keepsLines, keepsFrames: keepsFrames)
            world.run()
            let lies = world.liar?.tally() ?? [:]
            let (people, records) = (world.participations.count, world.log.recordCount)
            let remains = world.dissolve()
            return Outcome(
                lies: lies,
                violation: world.violation ?? remains, fingerprint: world.transcript.fingerprint, lines: world.transcript.lines, participationCount: people, recordCount: records,
                workCount: loop.workCount, tally: world.tally)
        } catch {
            return Outcome(violation: Violation(claim: .noTrap, detail: "\(error)", at: .zero), fingerprint: 0, lines: [], participationCount: 0, recordCount: 0, workCount: 0)
        }
    }
}
