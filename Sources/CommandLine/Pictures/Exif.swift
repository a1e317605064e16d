// The facts of EXIF that matter here: which way is up, when it was taken, whether it says where.

struct Exif: Equatable, Sendable {
    /// 1 to 8.
    var orientation = 1
    /// `2026-07-11T18:05:09`, with `+02:00` behind it where the camera noted it.
    var takenAt: String?
    var hasLocation = false
    /// Of the first directory: the picture's in TIFF.
    var width = 0
    var height = 0
    /// A camera's own negative and no finished picture.
    var isRaw = false

    private static let entryLimit = 512

    init() {}

    /// - Parameter bytes: a TIFF structure; of anything else nothing is known.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x49 || bytes[0] == 0x4d else { return }
        let view = ByteView(bytes, isLittle: bytes[0] == 0x49)
        guard view.u16(2) == 42 else { return }
        let main = Self.directory(view, view.u32(4))
        let detail = main[0x8769].map { Self.directory(view, view.u32($0 + 8)) } ?? [:]
        if let entry = main[0x0112], (1...8).contains(view.u16(entry + 8)) { orientation = view.u16(entry + 8) }
        hasLocation = main[0x8825] != nil
        width = Self.number(view, main[0x0100])
        height = Self.number(view, main[0x0101])
        isRaw = main[0xc612] != nil || main[0x0103].map { view.u16($0 + 8) == 34_713 } ?? false
        let taken = Self.text(view, detail[0x9003]) ?? Self.text(view, main[0x0132])
        takenAt = taken.flatMap { Self.date($0, zone: Self.text(view, detail[0x9011])) }
    }

    private static func directory(_ view: ByteView, _ at: Int) -> [Int: Int] {
        guard at + 2 <= view.bytes.count else { return [:] }
        var entries: [Int: Int] = [:]
        for index in 0..<min(view.u16(at), entryLimit) {
            let entry = at + 2 + index * 12
            guard entry + 12 <= view.bytes.count else { break }
            entries[view.u16(entry)] = entry
        }
        return entries
    }

    private static func number(_ view: ByteView, _ entry: Int?) -> Int { entry.map { view.u16($0 + 2) == 3 ? view.u16($0 + 8) : view.u32($0 + 8) } ?? 0 }

    private static func text(_ view: ByteView, _ entry: Int?) -> String? {
        guard let entry, view.u16(entry + 2) == 2 else { return nil }
        let count = view.u32(entry + 4)
        let at = count <= 4 ? entry + 8 : view.u32(entry + 8)
        guard count <= 64, at + count <= view.bytes.count else { return nil }
        return String(decoding: view.bytes[at..<at + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// `nil` for what no calendar has, like the zeros of a camera whose clock is not set.
    static func date(_ text: String, zone: String?) -> String? {
        guard let parts = text.prefixMatch(of: /([0-9]{4}):([0-9]{2}):([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})/)?.output else { return nil }
        let local = "\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6)"
        guard isOnCalendar(local) else { return nil }
        guard let zone, zone.wholeMatch(of: /[+\-][0-9]{2}:[0-9]{2}/) != nil else { return local }
        return local + zone
    }

    static func isOnCalendar(_ local: String) -> Bool {
        let numbers = local.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        guard numbers.count == 6, numbers[0] >= 1800, (1...12).contains(numbers[1]), (0..<24).contains(numbers[3]), (0..<60).contains(numbers[4]), (0..<60).contains(numbers[5]) else { return false }
        let isLeap = numbers[0] % 4 == 0 && numbers[0] % 100 != 0 || numbers[0] % 400 == 0
        return (1...[31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][numbers[1] - 1]).contains(numbers[2])
    }
}
