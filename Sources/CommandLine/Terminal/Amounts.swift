// Sizes and times as people read them.

enum Amounts {
    static func bytes(_ count: Int) -> String {
        if count < 1_000 { return "\(count) bytes" }
        var (value, unit) = (Double(count) / 1_000, 0)
        let units = ["kB", "MB", "GB", "TB"]
        while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return value < 9.95 ? "\(Double(Int(value * 10 + 0.5)) / 10) \(units[unit])" : "\(Int(value + 0.5)) \(units[unit])"
    }

    static func seconds(_ count: Int) -> String {
        func said(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
        if count < 120 { return said(count, "second") }
        if count < 7_200 { return said((count + 30) / 60, "minute") }
        if count < 172_800 { return said((count + 1_800) / 3_600, "hour") }
        return said((count + 43_200) / 86_400, "day")
    }

    static func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }
}
