// What is due when: of two that are due at the same time the one that was asked for first.

struct TimerHeap {
    private struct Timer {
        let at: Duration
        let number: UInt64
        let body: () -> Void

        func precedes(_ other: Timer) -> Bool { at < other.at || (at == other.at && number < other.number) }
    }

    private var timers: [Timer] = []
    private var lastNumber: UInt64 = 0

    var earliest: Duration? { timers.first?.at }

    mutating func insert(_ at: Duration, _ body: @escaping () -> Void) {
        lastNumber += 1
        timers.append(Timer(at: at, number: lastNumber, body: body))
        var index = timers.count - 1
        while index > 0, timers[index].precedes(timers[(index - 1) / 2]) {
            timers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeEarliest() -> (() -> Void)? {
        guard let earliest = timers.first, let last = timers.popLast() else { return nil }
        if timers.isEmpty { return earliest.body }
        timers[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < timers.count && timers[child].precedes(timers[least]) { least = child }
            if least == index { break }
            timers.swapAt(index, least)
            index = least
        }
        return earliest.body
    }
}
