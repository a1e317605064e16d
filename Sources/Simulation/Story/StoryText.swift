// A story in words, and the part of it that is told again.

extension Step {
    /// - Parameter name: of the person.
    func text(_ name: String) -> String { "\(Int(at / .milliseconds(1))) ms  \(deed.text(name))" }
}

extension Deed {
    func text(_ name: String) -> String {
        switch self {
        case .come(let entersEverything): "\(name) comes\(entersEverything ? " and enters everything" : "")"
        case .leave: "\(name) leaves"
        case .announce: "\(name) announces an activity"
        case .replaceAnnouncement(let which): "\(name) replaces the announcement of activity \(which)"
        case .enter(let which): "\(name) enters activity \(which)"
        case .exit(let which): "\(name) leaves session \(which)"
        case .end(let which): "\(name) ends session \(which)"
        case .say(let which, let size, let to): "\(name) says \(size) bytes in session \(which)\(to.isEmpty ? "" : " to \(to.count)")"
        case .sample(let which, let size, let to): "\(name) sends a sample of \(size) bytes in session \(which)\(to.isEmpty ? "" : " to \(to.count)")"
        case .add(let which, let size): "\(name) shares \(size) bytes in session \(which)"
        case .load(let which): "\(name) loads attachment \(which)"
        case .remove(let which): "\(name) removes attachment \(which)"
        case .cut(let kind): "\(name)'s connection \(kind.rawValue)"
        case .goOffline(let milliseconds): "\(name) is without a network for \(milliseconds) ms"
        case .freeze(let milliseconds): "\(name)'s device is frozen for \(milliseconds) ms"
        case .hurry: "\(name) looks whether the connection is alive"
        case .crash(let kind, let milliseconds): "\(kind.rawValue), for \(milliseconds) ms"
        case .fillDisk(let milliseconds): "the disk is full for \(milliseconds) ms"
        case .lie(let lie): lie.text(name)
        }
    }
}

extension Story {
    /// Only these steps, by their numbers.
    func keeping(_ numbers: Set<Int>) -> Story {
        var story = self
        story.steps = steps.filter { numbers.contains($0.number) }
        return story
    }

    /// Nothing takes time and nothing is lost but by what the steps say.
    func calmed() -> Story {
        var story = self
        story.weather = Weather(delayMilliseconds: 0...0, sampleLoss: 0, cutLikelihood: 0, requestLoss: 0, bytesPerSecond: nil, diskMilliseconds: 0...0)
        return story
    }
}

/// Numbers as `0,3,5-9`.
enum NumberList {
    static func text(_ numbers: [Int]) -> String {
        var parts: [String] = []
        var index = 0
        let sorted = numbers.sorted()
        while index < sorted.count {
            var last = index
            while last + 1 < sorted.count, sorted[last + 1] == sorted[last] + 1 { last += 1 }
            parts.append(last == index ? "\(sorted[index])" : "\(sorted[index])-\(sorted[last])")
            index = last + 1
        }
        return parts.joined(separator: ",")
    }

    /// `nil` for what is no such list.
    static func numbers(_ text: String) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, ends.count <= 2, first >= 0, first <= last, last < 100_000 else { return nil }
            numbers += first...last
        }
        return numbers
    }
}
