// Makes a story short: leaves out people and steps as long as the same promise is still broken.

struct Shrinking {
    /// More attempts than this are not worth a shorter story.
    static let attemptLimit = 400

    /// What these steps, told alone, break; `nil`: nothing.
    let breaks: (_ keep: [Int], _ isCalm: Bool) -> Claim?
    private var attemptCount = 0

    init(breaks: @escaping (_ keep: [Int], _ isCalm: Bool) -> Claim?) { self.breaks = breaks }

    mutating func shorten(_ story: Story, _ claim: Claim) -> (keep: [Int], isCalm: Bool) {
        var keep = story.steps.map(\.number)
        var isCalm = false
        for person in (0..<story.personCount).reversed() {
            let steps = Set(story.steps.filter { $0.person == person }.map(\.number))
            let rest = keep.filter { !steps.contains($0) }
            if rest.count < keep.count, isBroken(rest, isCalm, claim) { keep = rest }
        }
        if isBroken(keep, true, claim) { isCalm = true }
        var size = max(1, keep.count / 2)
        while true {
            var start = 0
            var hasShortened = false
            while start < keep.count {
                let rest = Array(keep[..<start]) + Array(keep[min(start + size, keep.count)...])
                if isBroken(rest, isCalm, claim) {
                    keep = rest
                    hasShortened = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShortened || attemptCount >= Self.attemptLimit { break }
            size = max(1, size / 2)
        }
        if !isCalm, isBroken(keep, true, claim) { isCalm = true }
        return (keep, isCalm)
    }

    private mutating func isBroken(_ keep: [Int], _ isCalm: Bool, _ claim: Claim) -> Bool {
        guard attemptCount < Self.attemptLimit else { return false }
        attemptCount += 1
        return breaks(keep, isCalm) == claim
    }
}
