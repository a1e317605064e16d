// Which parts of a body are held: 96 at most, so two words.

import Wire

struct PartSet: Equatable, Sendable {
    private var words: (low: UInt64, high: UInt64) = (0, 0)

    init() {}
    init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }
    init(allOf count: Int) { self.init(0..<count) }

    static func == (left: PartSet, right: PartSet) -> Bool { left.words == right.words }

    var count: Int { words.low.nonzeroBitCount + words.high.nonzeroBitCount }
    var numbers: Set<Int> { Set((0..<128).filter(contains)) }

    func contains(_ number: Int) -> Bool {
        switch number {
        case 0..<64: words.low & 1 << UInt64(number) != 0
        case 64..<128: words.high & 1 << UInt64(number - 64) != 0
        default: false
        }
    }

    mutating func insert(_ number: Int) {
        switch number {
        case 0..<64: words.low |= 1 << UInt64(number)
        case 64..<128: words.high |= 1 << UInt64(number - 64)
        default: break
        }
    }

    /// Into how many parts a body is cut.
    static func partCount(ofBody lengthBytes: Int) -> Int { (lengthBytes + Limits.partSizeBytes - 1) / Limits.partSizeBytes }
}
