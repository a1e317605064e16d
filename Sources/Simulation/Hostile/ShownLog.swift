// The log of one session as a lying relay has shown it to one participant, so that it can keep to its lie and go on being understood.

import Wire

/// What a place that was shown really was. Two people have seen the same when they have seen the same of each place.
enum Origin: Hashable {
    /// What stands at this place of the true log.
    case place(UInt64)
    /// Made up, or changed so that it matters.
    case made(Int)
}

struct Shown {
    var frame: Frame
    var origin: Origin
}

struct ShownLog {
    let incarnation: UInt64
    /// Where it begins, as shown and in truth.
    let base: UInt64
    private let trueBase: UInt64
    /// What was shown for each true place.
    private var frames: [[Frame]] = []
    private var ends: [UInt64] = []
    /// Of each shown place behind the base.
    private(set) var origins: [Origin] = []
    private var held: [(after: Int, what: Shown)] = []

    init(incarnation: UInt64, base: UInt64, trueBase: UInt64) {
        self.incarnation = incarnation
        self.base = base
        self.trueBase = trueBase
    }

    var end: UInt64 { ends.last ?? base }

    /// What was shown for a true place before; `nil`: nothing yet.
    func known(_ place: UInt64) -> [Frame]? {
        guard place > trueBase else { return [] }
        let index = Int(place - trueBase) - 1
        return index < frames.count ? frames[index] : nil
    }

    /// Shows what is to be shown for the next true place.
    /// - Parameters:
    ///   - hole: a place is counted and not shown.
    ///   - holding: is shown only after so many more.
    mutating func show(_ shown: [Shown], hole: Origin? = nil, holding: (after: Int, what: Shown)? = nil) -> [Frame] {
        var all = shown
        for index in held.indices { held[index].after -= 1 }
        all += held.filter { $0.after <= 0 }.map(\.what)
        held.removeAll { $0.after <= 0 }
        if let holding { held.append(holding) }
        if let hole { origins.append(hole) }
        var place = end + (hole == nil ? 0 : 1)
        var result: [Frame] = []
        for each in all {
            place += 1
            result.append(each.frame.placed(at: place))
            origins.append(each.origin)
        }
        frames.append(result)
        ends.append(place)
        return result
    }

    /// As shown, of a true place.
    func shownPlace(_ place: UInt64) -> UInt64 {
        guard place > trueBase, !ends.isEmpty else { return base }
        return ends[min(Int(place - trueBase), ends.count) - 1]
    }

    /// The last true place of which everything has been taken in by who is at a shown place.
    func truePlace(_ shown: UInt64) -> UInt64 {
        var count = ends.count
        while count > 0, ends[count - 1] > shown { count -= 1 }
        return trueBase + UInt64(count)
    }

    enum Comparison { case same, different, incomparable }

    /// Whether two people who are told everything that the other has seen have to find out that it was not the same.
    func compared(with other: ShownLog) -> Comparison {
        guard incarnation == other.incarnation else { return .incomparable }
        let (begin, last) = (max(base, other.base), min(end, other.end))
        guard begin < last else { return .incomparable }
        let (mine, others) = (origins[Int(begin - base)..<Int(last - base)], other.origins[Int(begin - other.base)..<Int(last - other.base)])
        return mine.elementsEqual(others) ? .same : .different
    }
}
